"""Harvesters as the benchmark runs them: an address and a budget in, rows and claims out."""

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
from longline.errors import LonglineError, UnknownNameError

Row = dict[str, str]


@dataclass(frozen=True)
class Haul:
    """What a harvester brings, and what it says of it.

    Attributes:
        rows: A document each: its `url`, and whatever else it holds, by any names.
        low, high: How many documents there are, 95 % sure; None where it does not say.
        says_complete: Whether it says that nothing, or next to nothing, is missing; None where it
            says nothing of that.
        cut: Searches that it says are cut.
    """

    rows: list[Row]
    low: float | None = None
    high: float | None = None
    says_complete: bool | None = None
    cut: frozenset[str] = field(default_factory=frozenset)


class Harvester(Protocol):
    """To be added: a class of this shape, without arguments."""

    name: str

    def harvest(self, url: str, budget: int, folder: Path) -> Haul:
        """Harvest a site with at most so many requests; the folder is there, and empty."""


class Longline:
    """longline from the bare address, by one of its strategies."""

    strategy = "auto"

    @property
    def name(self) -> str:
        """With the strategy."""
        return f"longline, {self.strategy}"

    def harvest(self, url: str, budget: int, folder: Path) -> Haul:
        """Harvest as the command does; a site that was not learnt brings nothing, and says so."""
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
    """The script that people write first: each letter, then each pair of letters, page after page.

    It finds the form of the front page, follows links that say "next", and keeps the first link
    of each row. It knows HTML only.
    """

    name = "A to Z"

    def harvest(self, url: str, budget: int, folder: Path) -> Haul:
        """Ask until the budget is spent."""
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
    """Scrapy, which follows every link of the site and reads its sitemap; it types nothing."""

    name = "Scrapy, following links"

    def harvest(self, url: str, budget: int, folder: Path) -> Haul:
        """Crawl in a process of its own: Scrapy's reactor starts once in a process."""
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
        UnknownNameError: There is none of that name.
    """
    module, _, kind = name.rpartition(":")
    own = {each.__name__: each for each in (Longline, SingleTerms, AToZ, Crawler)}
    try:
        found: type[Harvester] = getattr(import_module(module), kind) if module else own[kind]
    except (ImportError, AttributeError, KeyError):
        raise UnknownNameError("harvester", name, [*own, "MODULE:CLASS"]) from None
    return found()


DEFAULT = ("Longline", "SingleTerms", "AToZ", *(["Crawler"] if find_spec("scrapy") else []))
"""Scrapy is in the group `rivals`, which is installed by hand."""
