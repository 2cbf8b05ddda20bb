"""What an update finds, and at which share of a fresh harvest's requests.

A corpus changes between harvests: 5 % new, 3 % changed, 2 % gone. Each kind of source is harvested,
changed, and updated. Recall and precision compare the reported new, changed and gone documents with
the real changes; requests are those of the update divided by those of a fresh harvest of the
changed corpus.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from bench.frame import corpus_parser, report_of, run, shared_file

import longline
from longline.extend import MORE, Document, Hit, Page, Query, Searchable
from longline.simulate import Searcher, read_corpus

NAMES = ("corpora/reuters.jsonl.gz", "corpora/newsgroups.jsonl.gz")
NEW, CHANGED, GONE = 0.05, 0.03, 0.02


class Box(Searchable):
    """A search box in memory, as a class that answers queries; documents have their own pages."""

    name = "box"
    page_size = 10

    def __init__(self, documents: list[Document], limit: int | None = 100, **kind: Any) -> None:
        self.limit = limit
        self.searcher = Searcher(documents, limit=limit, page_size=self.page_size, **kind)
        self.newest_first = self.searcher.ranking == "newest"
        self.negation = self.disjunction = self.searcher.boolean
        self.lists_all = self.searcher.lists_all

    def search(self, query: Query, number: int) -> Page:
        """Return a result page."""
        page = self.searcher.search(query, number)
        return msgspec.structs.replace(page, next=None if page.next is None else MORE)

    def read(self, hit: Hit) -> Document:
        """Return a document."""
        found = self.searcher.document(hit.key)
        if found is None:
            raise KeyError(hit.key)
        return found


@dataclass(frozen=True)
class Turnover:
    """A corpus after some time, and its changes."""

    documents: list[Document]
    new: set[str]
    changed: set[str]
    gone: set[str]


def turn_over(
    documents: list[Document], more: Iterator[Document], rng: np.random.Generator
) -> Turnover:
    """Add, change and remove documents at random; new ones are last."""
    size = len(documents)
    order = rng.permutation(size).tolist()
    gone = {documents[place].key for place in order[: int(GONE * size)]}
    last = int((GONE + CHANGED) * size)
    changed = {documents[place].key for place in order[int(GONE * size) : last]}
    new = [next(more) for _ in range(int(NEW * size))]
    kept = [
        _amended(each, rng) if each.key in changed else each
        for each in documents
        if each.key not in gone
    ]
    return Turnover([*kept, *new], {each.key for each in new}, changed, gone)


def _amended(document: Document, rng: np.random.Generator) -> Document:
    """Return a document with a third of its words replaced, and often another title."""
    words = document.text.split()
    third = rng.permutation(len(words))[: max(1, len(words) // 3)]
    drawn = rng.permutation(words)
    for place in third:
        words[place] = str(drawn[place])
    title = f"{document.title} (amended)" if rng.random() < 0.5 else document.title
    return msgspec.structs.replace(document, title=title, text=" ".join([*words, "amended"]))


KINDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "exact totals": ({"counts": "exact"}, {}),
    "no totals, single terms": ({"counts": "none", "boolean": False}, {}),
    "the same, chosen anew": ({"counts": "none", "boolean": False}, {"anew": True}),
    "newest first": (
        {"counts": "exact", "ranking": "newest", "lists_all": True, "limit": None},
        {"only_new": True},
    ),
}
"""Kinds of source, and how each is updated."""

COLUMNS = ("corpus", "source", "new", "changed", "gone", "precision", "requests", "fresh", "share")


def found_by(folder: Path, truth: Turnover) -> dict[str, float]:
    """Return the recall of each kind of change, and the precision of all."""
    said: dict[str, set[str]] = {"new": set(), "changed": set(), "gone": set()}
    for change in longline.diff(f"{folder}@1", folder):
        if change.kind in said:
            said[change.kind].add(change.key)
    held_before = {each.key for each in longline.open(folder / "history" / "1").documents}
    true = {
        "new": truth.new,
        "changed": truth.changed & held_before,
        "gone": truth.gone & held_before,
    }
    right = {kind: len(said[kind] & true[kind]) for kind in said}
    every = sum(map(len, said.values()))
    # Documents that the first harvest missed are new to the folder, but not to the source.
    late = len(said["new"] - truth.new - held_before)
    recall = {kind: right[kind] / max(1, len(true[kind])) for kind in said}
    return recall | {"precision": (sum(right.values()) + late) / max(1, every)}


def measured(documents: list[Document], kind: str, size: int, seed: int) -> list[Any]:
    """Harvest, change, update, and harvest afresh; return a row without the corpus."""
    rng = np.random.default_rng(seed)
    drawn = [documents[place] for place in rng.permutation(len(documents)).tolist()]
    how, options = KINDS[kind]
    truth = turn_over(drawn[:size], iter(drawn[size:]), rng)
    with tempfile.TemporaryDirectory() as name:
        folder, fresh = Path(name) / "kept", Path(name) / "fresh"
        longline.harvest(Box(drawn[:size], **how), folder)
        later = Box(truth.documents, **how)
        updated = longline.update(folder, source=later, **options).certificate
        anew = longline.harvest(later, fresh).certificate
        recall = found_by(folder, truth)
    share = updated.requests / anew.requests
    names = ("new", "changed", "gone", "precision")
    return [*(recall[each] for each in names), updated.requests, anew.requests, share]


def main() -> None:
    """Print the table."""
    parser = corpus_parser(__doc__ or "")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--size", type=int, default=2000, help="documents drawn of each corpus")
    parser.add_argument("--seeds", type=int, default=1)
    parser.set_defaults(out=None)
    options = parser.parse_args()
    report = report_of("updates", options)
    rows = []
    for corpus in options.corpus or [shared_file(NAMES[0]), shared_file(NAMES[1]), "docstrings"]:
        documents = read_corpus(corpus)
        for kind in KINDS:
            seeds = range(options.seeds)
            runs = [measured(documents, kind, options.size, seed) for seed in seeds]
            rows.append([Path(corpus).stem, kind, *np.mean(runs, axis=0).round(3).tolist()])
            print(*rows[-1], sep="  ", flush=True)
    report.table("What an update finds", COLUMNS, rows)
    report.save()


if __name__ == "__main__":
    run(main)
