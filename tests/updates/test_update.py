"""Test updates of a harvest: new, changed, gone and unchecked documents."""

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from tests.updates.sources import Changing, Repository, amended, documents, site_of

import longline
from longline.errors import FolderError, InputError, LonglineError
from longline.harvester import standing_of
from longline.simulate import running_site

COUNT = 320
ALL = documents(COUNT + 20)
BEFORE = ALL[:COUNT]
GONE = {each.key for each in BEFORE[:8]}
CHANGED = {each.key for each in BEFORE[8:16]}
NEW = {each.key for each in ALL[COUNT:]}
AFTER = [amended(each) if each.key in CHANGED else each for each in ALL[8:]]


@pytest.fixture
def site() -> Iterator[tuple[Changing, str]]:
    """Yield a site that can be changed, and its address."""
    changing = Changing(site_of(BEFORE))
    with running_site(changing) as url:
        yield changing, url


@pytest.fixture(scope="module")
def harvested(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Changing, str, Path]]:
    """Yield a completely harvested site, its address, and the folder."""
    changing = Changing(site_of(BEFORE))
    folder = tmp_path_factory.mktemp("kept") / "site"
    with running_site(changing) as url:
        longline.harvest(url, folder, allow_private=True)
        yield changing, url, folder


@pytest.fixture
def kept(harvested: tuple[Changing, str, Path], tmp_path: Path) -> tuple[Changing, Path]:
    """Return the site as it was harvested, and a copy of the folder."""
    changing, _, folder = harvested
    changing.inside = site_of(BEFORE)
    shutil.copytree(folder, tmp_path / "site")
    changing.paths.clear()
    return changing, tmp_path / "site"


def kinds(folder: Path, before: str = "@1") -> dict[str, set[str]]:
    """Return the keys of the differences by kind."""
    found: dict[str, set[str]] = {}
    for change in longline.diff(f"{folder}{before}", folder):
        found.setdefault(change.kind, set()).add(change.key)
    return found


def held(folder: Path) -> set[str]:
    """Return the keys of the held documents, nearly all of the site."""
    keys = {each.key for each in longline.open(folder).documents}
    assert len(keys) >= 0.99 * COUNT
    return keys


def update(folder: Path, **options: Any) -> longline.Harvest:
    return longline.update(folder, allow_private=True, **options)


@pytest.mark.slow
def test_new_changed_and_gone_are_told(kept: tuple[Changing, Path]) -> None:
    """All are found, for a fraction of the first harvest's requests."""
    changing, folder = kept
    first = longline.open(folder).certificate
    before = held(folder)
    changing.inside = site_of(AFTER)
    harvest = update(folder)
    counts = harvest.certificate.update
    assert counts is not None
    assert (counts.new, counts.changed, counts.gone, counts.unchecked) == (20, 8, 8, 0)
    assert counts.unchanged == len(before) - 16
    assert kinds(folder) == {"new": NEW, "changed": CHANGED, "gone": GONE}
    assert held(folder) == (before - GONE) | NEW
    assert harvest.certificate.documents_failed == 0  # what is gone did not fail
    assert harvest.certificate.requests < 0.4 * first.requests
    assert harvest.certificate.size_low == len(held(folder))  # without those that are gone
    assert "20 new, 8 changed" in str(harvest)


@pytest.mark.slow
def test_an_update_adds_to_the_web_archive_that_was_kept(tmp_path: Path) -> None:
    """New records are added to the earlier harvest's, and overwrite none."""
    changing, folder = Changing(site_of(BEFORE[:20])), tmp_path / "site"
    with running_site(changing) as url:
        longline.harvest(url, folder, allow_private=True, estimate=False, warc=True)
        archive = folder / "warc"
        first = {each.name: each.read_bytes() for each in archive.iterdir()}
        assert first
        update(folder)
        update(folder, warc=True)
    kept = {each.name: each.read_bytes() for each in archive.iterdir()}
    assert len(kept) == len(first) + 2
    assert first.items() <= kept.items()


@pytest.mark.slow
def test_the_harvest_before_is_kept(kept: tuple[Changing, Path]) -> None:
    """It is a separate harvest in the history, with its old texts and certificate."""
    changing, folder = kept
    before = {each.key: each.text for each in longline.open(folder).documents}
    changing.inside = site_of(AFTER)
    update(folder)
    old = longline.open(folder / "history" / "1")
    assert {each.key: each.text for each in old.documents} == before
    assert old.certificate.update is None
    assert not (folder / ".update").exists()
    changing.inside = site_of(BEFORE)
    update(folder)
    assert kinds(folder, "@2") == {"new": GONE, "changed": CHANGED, "gone": NEW}
    assert kinds(folder, "@1") == {}
    assert list(longline.diff(f"{folder}@3", folder)) == []


@pytest.mark.slow
def test_where_nothing_changed_nothing_is_told(kept: tuple[Changing, Path]) -> None:
    """All documents are unchanged, and almost none of their pages is requested."""
    changing, folder = kept
    before = held(folder)
    counts = update(folder, reread=0).certificate.update
    assert counts is not None
    assert (counts.new, counts.changed, counts.gone, counts.unchanged) == (0, 0, 0, len(before))
    asked = Counter(path.split("/")[1] for path in changing.paths)
    assert asked["documents"] <= 2


@pytest.mark.slow
def test_all_are_read_again_where_that_is_wanted(kept: tuple[Changing, Path]) -> None:
    """A text that changed under the same title is found by rereading everything."""
    changing, folder = kept
    changed = [
        longline.Document(each.key, title=each.title, text=each.text + " more")
        if each.key in CHANGED
        else each
        for each in BEFORE
    ]
    changing.inside = site_of(changed)
    counts = update(folder, reread=1).certificate.update
    assert counts is not None
    assert (counts.changed, counts.reread, counts.reread_changed) == (8, COUNT, 8)


class Wall:
    """Every page is replaced; robots.txt is unchanged."""

    def __init__(self, inside: Any, answer: Any) -> None:
        self.inside, self.answer = inside, answer

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Respond with the replacement."""
        is_robots = scope["path"] == "/robots.txt"
        await (self.inside if is_robots else self.answer)(scope, receive, send)


LOGIN = HTMLResponse("<title>Sign in</title><form><input type=password name=p></form>")
REDESIGN = HTMLResponse("<title>Our new site</title><main><p>Welcome to the new look.</p></main>")
DOWN = PlainTextResponse("internal error", 500)


@pytest.mark.parametrize("answer", [LOGIN, REDESIGN, DOWN], ids=["login", "redesign", "down"])
def test_what_is_no_answer_is_no_deletion(
    kept: tuple[Changing, Path], answer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A login page, a redesign or an outage leaves the harvest and its documents unchanged."""
    changing, folder = kept
    before = {each.key for each in longline.open(folder).documents}
    changing.inside = Wall(changing.inside, answer)
    with pytest.raises(LonglineError):
        update(folder, retries=0, wait_seconds=0.01)
    assert {each.key for each in longline.open(folder).documents} == before
    assert not (folder / "history").exists()


@pytest.mark.slow
def test_a_smaller_index_is_no_deletion(kept: tuple[Changing, Path]) -> None:
    """If a third of the documents disappears at once, they are kept as unchecked."""
    changing, folder = kept
    changing.inside = site_of(BEFORE[: COUNT * 2 // 3])
    found = update(folder).certificate
    counts = found.update
    assert counts is not None
    lost = COUNT - COUNT * 2 // 3
    assert (counts.gone, counts.unchecked) == (0, lost)
    assert len(longline.open(folder).documents) == COUNT
    assert len(kinds(folder)["unchecked"]) == lost
    assert found.outcome == "partial"
    assert f"{lost} documents of the harvest before could not be checked" in found.stopped
    assert "--accept-gone" in found.stopped


@pytest.mark.slow
def test_many_are_gone_where_the_user_says_so(kept: tuple[Changing, Path]) -> None:
    """With `accept_gone` a third may be gone."""
    changing, folder = kept
    changing.inside = site_of(BEFORE[: COUNT * 2 // 3])
    counts = update(folder, accept_gone=True).certificate.update
    assert counts is not None
    assert counts.gone == COUNT - COUNT * 2 // 3


@pytest.mark.slow
def test_texts_that_most_became_teasers_are_kept(kept: tuple[Changing, Path]) -> None:
    """A site may ask readers to log in from now on; a user may know that texts are so short now."""
    changing, folder = kept
    before = {each.key: each.text for each in longline.open(folder).documents}
    short = [
        longline.Document(each.key, title=each.title, text=each.text[: len(each.text) // 3])
        for each in BEFORE
    ]
    changing.inside = site_of(short)
    found = update(folder, reread=1.0).certificate
    assert found.update is not None
    assert found.update.unchecked > 0.8 * COUNT
    assert found.outcome == "partial"
    assert "so the source may show only a part" in found.stopped
    kept_as = {each.key: each.text for each in longline.open(folder).documents}
    assert sum(kept_as[key] == before[key] for key in before) >= found.update.unchecked
    counts = update(folder, reread=1.0, accept_gone=True).certificate.update
    assert counts is not None
    assert (counts.unchecked, counts.changed > 0.8 * COUNT) == (0, True)


@pytest.mark.slow
def test_documents_that_only_fail_are_kept(kept: tuple[Changing, Path]) -> None:
    """A server error for pages that no search lists any more is no deletion."""
    changing, folder = kept
    inside = site_of(AFTER)

    async def broken(scope: Any, receive: Any, send: Any) -> None:
        is_gone = scope["path"].removeprefix("/documents/") in GONE
        await (PlainTextResponse("oops", 500) if is_gone else inside)(scope, receive, send)

    changing.inside = broken
    counts = update(folder, retries=0, wait_seconds=0.01).certificate.update
    assert counts is not None
    assert (counts.gone, counts.unchecked) == (0, 8)
    assert kinds(folder)["unchecked"] == GONE


@pytest.mark.slow
def test_a_page_that_says_removed_is_a_deletion(kept: tuple[Changing, Path]) -> None:
    """Status 200 is a deletion if a completely read search no longer lists the document."""
    changing, folder = kept
    inside = site_of(AFTER)
    removed = HTMLResponse("<title>Removed</title><p>This document is no longer available.</p>")

    async def soft(scope: Any, receive: Any, send: Any) -> None:
        is_gone = scope["path"].removeprefix("/documents/") in GONE
        await (removed if is_gone else inside)(scope, receive, send)

    changing.inside = soft
    counts = update(folder).certificate.update
    assert counts is not None
    assert counts.gone >= 4
    assert counts.gone + counts.unchecked == 8  # some were only in cut answers
    assert kinds(folder)["gone"] <= GONE


MOVED = {each.key: f"moved-{each.key}" for each in BEFORE[:3]}
AT_NEW = [
    *(msgspec.structs.replace(each, key=MOVED[each.key]) for each in BEFORE[:3]),
    *BEFORE[3:],
]


@pytest.mark.slow
@pytest.mark.parametrize("leads", [True, False], ids=["leads", "gone"])
def test_a_document_that_moved_is_kept_once(kept: tuple[Changing, Path], leads: bool) -> None:
    """Its old address leads to the new one, or is gone: it is neither new nor gone."""
    changing, folder = kept
    inside = site_of(AT_NEW)

    async def moving(scope: Any, receive: Any, send: Any) -> None:
        new = MOVED.get(scope["path"].removeprefix("/documents/")) if leads else None
        answer = inside if new is None else RedirectResponse(f"/documents/{new}", 301)
        await answer(scope, receive, send)

    changing.inside = moving
    found = update(folder).certificate
    counts = found.update
    assert counts is not None
    assert (counts.new, counts.changed, counts.moved, counts.gone) == (0, 0, 3, 0)
    assert (found.documents, found.size_low) == (COUNT, COUNT)
    assert kinds(folder) == {"moved": set(MOVED.values())}
    assert held(folder) == {each.key for each in AT_NEW}


@pytest.mark.slow
def test_an_address_that_leads_to_another_document_is_no_move(kept: tuple[Changing, Path]) -> None:
    """An archive that sends visitors of deleted pages to some other document has deleted them."""
    changing, folder = kept
    inside = site_of(BEFORE[3:])

    async def leading(scope: Any, receive: Any, send: Any) -> None:
        is_gone = scope["path"].removeprefix("/documents/") in MOVED
        other = RedirectResponse(f"/documents/{BEFORE[9].key}", 302)
        await (other if is_gone else inside)(scope, receive, send)

    changing.inside = leading
    counts = update(folder).certificate.update
    assert counts is not None
    assert (counts.new, counts.moved, counts.gone + counts.unchecked) == (0, 0, 3)
    assert counts.gone > 0


@pytest.mark.slow
def test_a_document_that_searches_still_show_is_not_gone(kept: tuple[Changing, Path]) -> None:
    """Its page may have another layout now, in which the spec finds no text."""
    changing, folder = kept
    inside = site_of(BEFORE)
    texts = {each.key: f"<html><title>{each.title}</title><p class=new>{each.text}" for each in ALL}

    async def redesigned(scope: Any, receive: Any, send: Any) -> None:
        text = texts.get(scope["path"].removeprefix("/documents/"))
        await (inside if text is None else HTMLResponse(text))(scope, receive, send)

    changing.inside = redesigned
    found = update(folder, reread=0.1).certificate
    assert found.update is not None
    assert (found.update.gone, found.update.changed) == (0, 0)
    assert len(longline.open(folder).documents) == COUNT


@pytest.mark.slow
def test_an_update_that_was_broken_off_goes_on(kept: tuple[Changing, Path]) -> None:
    """The folder keeps the earlier harvest; the next run completes the update."""
    changing, folder = kept
    changing.inside = site_of(AFTER)
    partial = update(folder, max_requests=30)
    assert partial.folder == folder / ".update"
    assert partial.certificate.outcome == "partial"
    assert len(longline.open(folder).documents) == COUNT
    whole = update(folder)
    assert whole.folder == folder
    assert kinds(folder) == {"new": NEW, "changed": CHANGED, "gone": GONE}


def test_an_update_goes_on_by_a_spec_that_was_mended(kept: tuple[Changing, Path]) -> None:
    """A changed page stops it; with a corrected spec in the folder, it continues."""
    changing, folder = kept
    path = folder / "source.toml"
    right = path.read_text()
    path.write_text(re.sub(r"(?m)^hit = .*", 'hit = "css:p.no-such"', right))
    with pytest.raises(longline.SourceError) as caught:
        update(folder)
    assert caught.value.ending.outcome == "changed"
    path.write_text(right)
    changing.inside = site_of(AFTER)
    assert update(folder).folder == folder
    assert kinds(folder) == {"new": NEW, "changed": CHANGED, "gone": GONE}


@pytest.mark.slow
def test_each_update_reads_others_again(kept: tuple[Changing, Path]) -> None:
    """Two updates reread different random documents."""
    changing, folder = kept
    read = []
    for _ in range(2):
        changing.paths.clear()
        update(folder, reread=0.2)
        read.append({path for path in changing.paths if path.startswith("/documents/")})
    assert len(read[0] & read[1]) < len(read[0]) * 0.6


@pytest.mark.slow
def test_an_update_can_be_ended_early(kept: tuple[Changing, Path]) -> None:
    """Unchecked documents stay as they were, and none is reported as gone."""
    changing, folder = kept
    before = held(folder)
    changing.inside = site_of(AFTER)
    counts = update(folder, max_requests=30, finish=True).certificate.update
    assert counts is not None
    assert counts.gone == 0
    assert counts.unchecked > COUNT / 4
    assert held(folder) >= before


@pytest.mark.slow
def test_runs_with_a_small_budget_come_to_an_end(kept: tuple[Changing, Path]) -> None:
    """Each run of an update may send as many requests: one of a schedule is never stuck."""
    changing, folder = kept
    changing.inside = site_of(AFTER)
    for _ in range(20):
        changing.paths.clear()
        done = update(folder, max_requests=30)
        assert 0 < len(changing.paths) <= 30
        if done.folder == folder:
            break
    assert done.certificate.update is not None
    assert done.certificate.update.new > 0


@pytest.mark.slow
def test_an_update_that_was_interrupted_is_ended_without_a_request(
    kept: tuple[Changing, Path],
) -> None:
    """What was not asked for stays as it was."""
    changing, folder = kept
    before = held(folder)
    changing.inside = site_of(AFTER)
    begun = update(folder, max_requests=30)
    assert begun.folder != folder
    changing.paths.clear()
    done = longline.update(folder, finish=True)  # as nothing is sent, no address is private
    counts = done.certificate.update
    assert not changing.paths
    assert done.certificate.forecast is None
    commands = [step.command for step in done.next_steps]
    assert commands[0] == f"longline update {folder} --allow-private"
    assert not any(command.startswith("longline harvest") for command in commands)
    assert counts is not None
    assert counts.unchecked > COUNT / 4
    assert held(folder) >= before


@pytest.mark.slow
def test_single_terms_ask_the_cheapest_queries_again(tmp_path: Path) -> None:
    """Without totals and NOT most new documents are found, for fewer result pages."""
    kind = {"counts": "none", "boolean": False}
    changing = Changing(site_of(BEFORE, **kind))
    with running_site(changing) as url:
        first = longline.harvest(url, tmp_path / "s", allow_private=True).certificate
        changing.inside = site_of(AFTER, **kind)
        found = update(tmp_path / "s").certificate
    assert found.update is not None
    assert found.update.new >= 0.85 * len(NEW)
    assert kinds(tmp_path / "s")["gone"] <= GONE
    assert found.result_pages < 0.6 * first.result_pages


def newest_spec(url: str) -> str:
    """Return the spec of a site that always lists the newest documents first."""
    return f"""
source = {{ name = "news", url = "{url}" }}
ask = {{ url = "{url}search?q={{query}}&page={{page}}", newest = {{}}, dialect = {{ all = "" }} }}
results = {{ hit = "css:li.hit", link = "css:a", title = "css:a" }}
document = {{ text = "css:article" }}
"""


def test_a_field_that_the_spec_did_not_name_changes_no_document(
    kept: tuple[Changing, Path],
) -> None:
    """After the spec was learnt again, only fields that both specs name are compared."""
    _, folder = kept
    spec = folder / "source.toml"
    spec.write_text(spec.read_text() + '\n[fields.heading]\nrow = "css:a"\n')
    found = update(folder, reread=1)
    assert next(iter(found.documents)).fields["heading"]
    counts = found.certificate.update
    assert counts is not None
    assert (counts.changed, counts.new, counts.gone) == (0, 0, 0)
    assert kinds(folder) == {}


def test_an_update_of_a_part_is_not_complete(tmp_path: Path) -> None:
    """An update that repeats the searches of a partial harvest misses what that one missed."""
    changing = Changing(site_of(BEFORE, counts="none", boolean=False, limit=COUNT))
    with running_site(changing) as url:
        (tmp_path / "news.toml").write_text(newest_spec(f"{url}/"))
        options = {"allow_private": True, "max_queries": 1, "estimate": False}
        first = longline.harvest(tmp_path / "news.toml", tmp_path / "s", **options).certificate
        found = update(tmp_path / "s", estimate=False).certificate
    assert (first.outcome, found.outcome) == ("partial", "partial")
    assert "the harvest before was not complete" in found.stopped
    assert standing_of(tmp_path / "s").update == found.update is not None


@pytest.mark.slow
def test_listings_alone_tell_what_is_gone(tmp_path: Path) -> None:
    """Documents missing from a completely read search are gone if it lists full texts."""
    changing = Changing(site_of(BEFORE))
    with running_site(changing) as url:
        options = {"allow_private": True, "listing_only": True}
        longline.harvest(url, tmp_path / "s", **options)
        changing.inside = site_of(AFTER)
        update(tmp_path / "s")
    found = kinds(tmp_path / "s")
    assert found["new"] == NEW
    assert found["gone"] == GONE


def test_what_a_repository_deletes_is_gone(tmp_path: Path) -> None:
    """The list of all names it as deleted, and counts it; the rest is complete as before."""
    repository = Repository(BEFORE[:120])
    with running_site(repository.site()) as url:
        first = longline.harvest(f"{url}/oai", tmp_path / "s", allow_private=True).certificate
        repository.deleted = {each.key for each in BEFORE[5:120:20]}
        found = update(tmp_path / "s").certificate
    assert (first.documents, first.size) == (120, 120)
    assert found.update is not None
    assert (found.update.gone, found.update.unchecked, found.update.unchanged) == (6, 0, 114)
    assert (found.outcome, found.documents, found.size) == ("complete", 114, 114)


def test_wrong_options_are_refused(kept: tuple[Changing, Path], tmp_path: Path) -> None:
    """A missing harvest, a share above 1, and an unknown list of the newest are refused."""
    _, folder = kept
    with pytest.raises(FolderError, match="there is no folder"):
        longline.update(tmp_path / "nothing")
    with pytest.raises(InputError, match="reread is 2"):
        update(folder, reread=2)
    with pytest.raises(InputError, match="newest"):
        update(folder, only_new=True)
    with pytest.raises(FolderError, match="harvest 7 of"):
        longline.diff(f"{folder}@7", folder)
    with pytest.raises(TypeError, match="only_new"):
        update(folder, only_news=True)
