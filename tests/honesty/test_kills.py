"""A harvest killed at any moment loses no recorded event and reaches the same end."""

import json
import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.honesty.killed import harvest
from tests.honesty.stage import Kind, corpus, searcher

from longline.events import AnyEvent
from longline.harvester.folder import is_harvest, open_store, read_documents
from longline.model import Document
from longline.simulate import running_site

pytestmark = pytest.mark.slow

DOCUMENTS = 48
UNPROVEN = 20
"""Maximum empty answers in a row trusted without a check; a killed run requests them again."""

IN_FLIGHT = 5
"""Maximum requests sent but not recorded: four documents, or a page, and the form's page."""

KILLS = 240
SAME = ("documents", "queries", "probes", "rows_received", "size", "cuts", "stopped", "target_met")
"""Values of the certificate that a kill must not change."""


@dataclass(frozen=True)
class Site:
    """A site that is up, and the paths it received."""

    url: str
    log: list[str]

    def paid(self) -> int:
        """Count the requests for result pages and documents since the last call."""
        paid = sum(re.match("/(search[?]|documents/)", each) is not None for each in self.log)
        self.log.clear()
        return paid


@dataclass(frozen=True)
class Ended:
    """The result of a harvest."""

    exit_code: int
    documents: tuple[Document, ...]
    certificate: dict[str, Any]
    requests: int


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """A small site that is always the same."""
    log: list[str] = []
    with running_site(searcher(corpus(DOCUMENTS), Kind()), log=log) as url:
        yield Site(url, log)


@pytest.fixture(scope="module")
def unbroken(site: Site, tmp_path_factory: pytest.TempPathFactory) -> tuple[Ended, list[str]]:
    """The result of a harvest without a kill, and its moments."""
    folder = tmp_path_factory.mktemp("unbroken") / "harvest"
    ended = _ended(harvest(site.url, folder), folder, site)
    return ended, folder.with_suffix(".moments").read_text().splitlines()


def _ended(exit_code: int, folder: Path, site: Site) -> Ended:
    certificate = json.loads((folder / "certificate.json").read_text())
    documents = sorted(read_documents(folder), key=lambda document: document.key)
    kept = {name: certificate[name] for name in SAME}
    return Ended(exit_code, tuple(documents), kept, site.paid())


def _recorded(folder: Path) -> list[AnyEvent]:
    if not is_harvest(folder):
        return []
    store = open_store(folder)
    try:
        return list(store.events())
    finally:
        store.close()


def check_kill(site: Site, folder: Path, moment: int, unbroken: Ended) -> None:
    """Kill a harvest, continue it, and compare it with one that was not killed."""
    assert harvest(site.url, folder, die_at=moment) == -signal.SIGKILL
    recorded = _recorded(folder)
    ended = _ended(harvest(site.url, folder), folder, site)
    assert _recorded(folder)[: len(recorded)] == recorded
    assert ended.documents == unbroken.documents
    assert ended.certificate == unbroken.certificate
    assert ended.exit_code == unbroken.exit_code
    assert unbroken.requests <= ended.requests <= unbroken.requests + IN_FLIGHT + UNPROVEN


def _spread(moments: int, kills: int) -> list[int]:
    """Choose moments evenly from first to last, or all if there are fewer."""
    kills = min(kills, moments)
    return [1 + place * (moments - 1) // max(1, kills - 1) for place in range(kills)]


def _of_files(moments: list[str]) -> list[int]:
    """Return the numbers of moments at files and renames, when the folder is inconsistent."""
    return [place for place, what in enumerate(moments, 1) if "file" in what or "rename" in what]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kills", [3, 12])
def test_killed_harvest_ends_as_one_that_was_not(
    site: Site, unbroken: tuple[Ended, list[str]], tmp_path: Path, kills: int
) -> None:
    """Kills at several moments lose nothing and repeat few requests."""
    ended, moments = unbroken
    for moment in _spread(len(moments), kills):
        check_kill(site, tmp_path / f"{moment}", moment, ended)


@pytest.mark.whole
@pytest.mark.timeout(3600)
def test_killed_harvests_end_as_one_that_was_not(
    site: Site, unbroken: tuple[Ended, list[str]], tmp_path: Path
) -> None:
    """Kills at two hundred moments, and around all files and renames, lose nothing."""
    ended, moments = unbroken
    chosen = sorted({*_spread(len(moments), KILLS), *_of_files(moments)})
    assert len(chosen) >= 200
    failed = {}
    for moment in chosen:
        try:
            check_kill(site, tmp_path / f"{moment}", moment, ended)
        except AssertionError as error:
            site.paid()
            failed[moment, moments[moment - 1]] = str(error)[:300]
    assert failed == {}


@pytest.mark.timeout(1200)
def test_harvest_that_is_killed_again_and_again_comes_to_its_end(
    site: Site, unbroken: tuple[Ended, list[str]], tmp_path: Path
) -> None:
    """Even if each run is killed soon after its start, the harvest reaches the same end."""
    ended, moments = unbroken
    folder = tmp_path / "harvest"
    kills = 0
    for _ in range(len(moments)):
        code = harvest(site.url, folder, die_at=60)
        if code != -signal.SIGKILL:
            break
        kills += 1
    found = _ended(code, folder, site)
    assert kills > 3
    assert found.documents == ended.documents
    assert found.exit_code == ended.exit_code
    assert found.requests <= ended.requests + kills * (IN_FLIGHT + UNPROVEN)
