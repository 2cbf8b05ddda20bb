"""Harvesters for the benchmark: they get a URL and a budget, and return rows and claims."""

import json
import string
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol
from urllib.parse import urljoin

import httpx2
from form2request import form2request
from parsel import Selector

import longline
from longline.errors import InputError, LonglineError, UnknownNameError

Row = dict[str, str]


@dataclass(frozen=True)
class Haul:
    """What a harvester returns, with its claims.

    Attributes:
        rows: One document each: its `url`, and any other fields.
        low, high: The claimed 95 % interval of the number of documents; None if not stated.
        says_complete: Whether it claims that nothing, or almost nothing, is missing; None if it
            makes no such claim.
        cut: Searches that it reports as cut.
    """

    rows: list[Row]
    low: float | None = None
    high: float | None = None
    says_complete: bool | None = None
    cut: frozenset[str] = field(default_factory=frozenset)


class Harvester(Protocol):
    """A harvester: a class with these members, without arguments."""

    name: str

    def harvest(self, url: str, budget: int, folder: Path) -> Haul:
        """Harvest a site with at most `budget` requests; the folder exists and is empty."""


class Longline:
    """longline with only the URL, by one of its strategies."""

    strategy = "auto"

    @property
    def name(self) -> str:
        """Its name, with the strategy."""
        return f"longline, {self.strategy}"

    def harvest(self, url: str, budget: int, folder: Path) -> Haul:
        """Harvest as the command does; a site that cannot be learnt gives no rows and no claim."""
        try:
            done = longline.harvest(
                url,
                folder / "harvest",
                max_requests=budget,
                allow_private=True,
                rate=1000,
                strategy=self.strategy,
            )
        except LonglineError:
            return Haul([], says_complete=False)
        found = done.certificate
        rows = [
            {"url": each.url or each.key, "title": each.title, "text": each.text}
            | {name: str(value) for name, value in each.fields.items()}
            for each in done.documents
        ]
        cut = frozenset(each.query for each in found.truncations)
        return Haul(rows, found.size_low, found.size_high, found.outcome == "complete", cut)


class SingleTerms(Longline):
    """The same without NOT and parts."""

    strategy = "adaptive"


class AToZ:
    """A simple first script: each letter, then each pair of letters, page after page.

    It finds the form on the front page, follows "next" links, and keeps the first link of each row.
    It supports only HTML.
    """

    name = "A to Z"

    def harvest(self, url: str, budget: int, folder: Path) -> Haul:
        """Search until the budget is used up."""
        rows: dict[str, Row] = {}
        with httpx2.Client(timeout=10) as client:
            asked = 1
            front = client.get(url)
            is_page = "html" in front.headers.get("content-type", "")
            forms = Selector(front.text, base_url=url).css("form") if is_page else []
            for word in _letters() if forms else ():
                request = form2request(forms[0], {"q": word}, click=False)
                page: str | None = urljoin(url, request.url)
                while page and asked < budget:
                    asked += 1
                    page = self._read(client, page, rows)
                if asked >= budget:
                    break
        return Haul(list(rows.values()))

    def _read(self, client: httpx2.Client, address: str, rows: dict[str, Row]) -> str | None:
        answer = client.get(address)
        if answer.status_code != httpx2.codes.OK:
            return None
        page = Selector(answer.text)
        for item in page.css("li:has(a[href])"):
            link = urljoin(address, item.css("a::attr(href)").get(""))
            cells = {f"cell {n}": cell for n, cell in enumerate(item.css("span::text").getall())}
            rows.setdefault(link, {"url": link, "title": item.css("a::text").get(""), **cells})
        onward = page.xpath("//a[contains(translate(., 'NEXT', 'next'), 'next')]/@href").get()
        return urljoin(address, onward) if onward else None


def _letters() -> Iterator[str]:
    yield from string.ascii_lowercase
    yield from (a + b for a in string.ascii_lowercase for b in string.ascii_lowercase)


class Crawler:
    """Scrapy: follows every link of the site and reads its sitemap, without searching."""

    name = "Scrapy, following links"

    def harvest(self, url: str, budget: int, folder: Path) -> Haul:
        """Crawl in a separate process: Scrapy's reactor can start only once per process."""
        command = [
            sys.executable,
            "-m",
            "bench.suite.crawler",
            url,
            str(budget),
            str(folder / "rows.jsonl"),
        ]
        subprocess.run(command, check=True, timeout=600, capture_output=True)
        return Haul([json.loads(line) for line in (folder / "rows.jsonl").open()])


def named(name: str) -> Harvester:
    """Return a harvester by its name here, or as MODULE:CLASS.

    Raises:
        UnknownNameError: There is no harvester of that name.
        InputError: The module, or the class in it, cannot be loaded.
    """
    module, _, kind = name.rpartition(":")
    own = {each.__name__: each for each in (Longline, SingleTerms, AToZ, Crawler)}
    if not module and kind not in own:
        raise UnknownNameError("harvester", name, [*own, "MODULE:CLASS"])
    try:
        found: type[Harvester] = getattr(import_module(module), kind) if module else own[kind]
    except (ImportError, AttributeError) as error:
        raise InputError(
            f"cannot load {name}: {error}", advice="add the module's folder to PYTHONPATH"
        ) from None
    return found()


DEFAULT = ("Longline", "SingleTerms", "AToZ", *(["Crawler"] if find_spec("scrapy") else []))
"""The default harvesters; Scrapy is in the group `rivals`, which is installed by hand."""
