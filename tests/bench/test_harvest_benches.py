"""Test that the benchmarks of harvesting run, on small sources, and that their parts work."""

import doctest
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.bench.conftest import Import, write_corpus

from longline.model import Query
from longline.simulate import read_corpus


def rows_of(path: Path, title: str) -> list[dict[str, Any]]:
    """Read a table of a benchmark's JSON, rows as mappings."""
    tables = json.loads(path.read_text())["tables"]
    (table,) = (each for each in tables if title in each["title"])
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]


@pytest.mark.parametrize("name", ["papers.topics", "harvest.harvest_targets"])
def test_examples_are_true(bench: Import, name: str) -> None:
    """The doctests of each benchmark pass."""
    assert doctest.testmod(bench(name)).failed == 0


@pytest.mark.slow
def test_large_source_on_a_small_one(bench: Import, tmp_path: Path) -> None:
    """A partition holds more at x1 than at x0.5, within the budget, and its costs add up."""
    path = tmp_path / "found.json"
    settings = ["--documents", "1500", "--strategy", "partition", "--json", str(path)]
    bench("harvest.large_source").main(settings)
    (row,) = rows_of(path, "1,500")
    half, whole = (float(row[mark].rstrip("%")) for mark in ("x0.5", "x1"))
    assert 20 < half < whole <= 100
    assert row["x1.5"] is None
    assert row["planning ms"] == pytest.approx(row["choose"] + row["take in"])
    assert row["choose"] > 0
    assert 0 < row["GB before"] <= row["GB peak"]


def test_topic_box_answers_as_its_documents_say(bench: Import) -> None:
    """Every query returns exactly the documents whose texts match, in their order."""
    topics = bench("papers.topics")
    box = topics.TopicBox(topics.topic_matrix(300, seed=2), limit=300, page_size=40)
    texts = [set(box.document(str(place)).text.split()) for place in range(300)]
    one, two, three = (topics.word(term) for term in (0, 1, 3))
    queries = {
        Query((one,)): [one in text for text in texts],
        Query((one, two), excluded=(three,)): [
            one in text and two in text and three not in text for text in texts
        ],
        Query((), excluded=(one,), any_of=(two, three)): [
            one not in text and (two in text or three in text) for text in texts
        ],
        Query(("sea",)): [False] * 300,
    }
    for query, matching in queries.items():
        expected = [str(place) for place in np.flatnonzero(matching)]
        pages = [box.search(query, number) for number in range(1, 9)]
        assert [hit.key for page in pages for hit in page.hits] == expected
        assert pages[0].total.documents == len(expected)
        assert sum(page.next is not None for page in pages) == max(len(expected) - 1, 0) // 40


def test_full_knowledge_is_what_each_term_shows(bench: Import) -> None:
    """The reference's matrix has the rows that a search for each term returns."""
    topics = bench("papers.topics")
    box = topics.TopicBox(topics.topic_matrix(300, seed=2), limit=7, page_size=7)
    shown = box.shown()
    for term in (0, 1, 5, 400, shown.shape[1] - 1):
        page = box.search(Query((topics.word(term),)))
        rows = shown.indices[shown.indptr[term] : shown.indptr[term + 1]]
        assert [hit.key for hit in page.hits] == [str(row) for row in rows]


def test_every_term_of_half_a_million_documents_has_a_word_of_its_own(bench: Import) -> None:
    """All terms have different words, and too large numbers are refused."""
    topics = bench("papers.topics")
    last = 500_000 // 2 + topics.TOPICS * topics.TERMS_OF_A_TOPIC - 1
    for term in (0, 1, 26**4 - 1, 26**4, 26**4 + 1, last):
        assert topics.number(topics.word(term)) == term
    with pytest.raises(ValueError, match="no word"):
        topics.word(26**5)


def test_trails_are_read_where_the_goals_are(bench: Import) -> None:
    """HR, pages and OR at the targets equal those of a harvest calculated by hand."""
    trail = bench("harvest.harvest_targets").Trail([10, 50, 60, 98], [10, 50, 100, 150], 100, 50)
    assert (trail.percent_at(1), trail.percent_at(1.5), trail.percent_at(9)) == (50, 60, 98)
    assert trail.percent_while(1.6) == 98
    assert trail.percent_while(1.5) == 50
    assert trail.pages() == pytest.approx(4 * 50 / 98)
    assert trail.rate() == pytest.approx(150 / 98)
    short = bench("harvest.harvest_targets").Trail([10, 50], [10, 60], 100, 50)
    assert short.pages() is short.rate() is None


@pytest.mark.slow
def test_harvest_targets_on_docstrings(bench: Import, tmp_path: Path) -> None:
    """Every target of a part has a row, judged by its bound; snippets find less."""
    corpus, path = tmp_path / "some.jsonl", tmp_path / "found.json"
    write_corpus(corpus, read_corpus("docstrings"))
    settings = ["--corpus", str(corpus), "--documents", "250", "--json", str(path)]
    bench("harvest.harvest_targets").main([*settings, "--part", "cells", "--part", "snippets"])
    rows = rows_of(path, "Goals")
    assert len(rows) == 2 * 9 + 8
    assert {row["corpus"] for row in rows} == {"some"}
    for row in rows:
        if row["measured"] != "not reached":
            is_floor, bound = row["bound"].startswith("at least"), float(row["bound"].split()[-1])
            value = float(row["measured"])
            if abs(value - bound) > 0.05:
                assert (row["reached"] == "yes") == ((value >= bound) == is_floor)


@pytest.mark.slow
def test_intervals_are_held_against_the_truth(bench: Import, tmp_path: Path) -> None:
    """Estimates of complete harvests are grouped by the share held when they were made."""
    module = bench("harvest.harvest_intervals")
    path = tmp_path / "found.json"
    small = ["--corpus", "docstrings", "--documents", "300", "--seeds", "1"]
    module.main([*small, "--json", str(path)])
    rows = rows_of(path, "all")
    assert sum(int(row["checkpoints"]) for row in rows) >= len(module.WAYS)
    assert all(0 <= float(row["covered %"]) <= 100 for row in rows)


def test_corpora_of_a_system_are_texts_without_markup_or_copies(
    bench: Import, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Manual pages lose their macros; copies, links and short pages are left out."""
    system = bench("papers.system_corpora")
    section = tmp_path / "man1"
    section.mkdir()
    page = ".TH LS 1\n.SH NAME\nls \\- list directory contents, one after another\n" + "word " * 20
    for name, text in (("ls.1", page), ("dir.1", page), ("short.1", "ls")):
        (section / name).write_text(text)
    (section / "link.1").symlink_to(section / "ls.1")
    monkeypatch.setattr(system, "MANUAL", tmp_path)
    found = system.drawn(system.manual(is_english=True), 10, np.random.default_rng(0))
    assert len(found) == 1
    assert "TH" not in found[0][1]
    assert "list directory contents" in found[0][1]
    assert not list(system.manual(is_english=False))


def test_descriptions_of_packages_are_read_from_lists(
    bench: Import, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each language is a corpus of names, summaries and texts, from the larger list."""
    system = bench("papers.system_corpora")
    stanza = (
        "Package: {}\nDescription-md5: 0\nDescription-de: ein {}\n Zeile eins\n .\n Zeile zwei\n"
    )
    words = ("Spiel", "Buch", "Netz")
    whole = "\n".join(stanza.format(word.lower(), word) for word in words)
    (tmp_path / "a_Translation-de.lz4").write_text(whole)
    (tmp_path / "b_Translation-de.lz4").write_text(stanza.format("x", "x"))
    monkeypatch.setattr(system, "unpacked", Path.read_text)
    found = {name: list(texts()) for name, texts in system.lists(tmp_path).items()}
    assert found.keys() == {"package-descriptions-de"}
    assert found["package-descriptions-de"][0] == ("spiel: ein Spiel", "Zeile eins\n\nZeile zwei")
    assert len(found["package-descriptions-de"]) == len(words)
