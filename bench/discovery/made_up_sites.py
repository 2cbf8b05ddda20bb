"""Measure how often `longline discover` is right on random made-up search sites, by field.

Each seed is another site: its markup, form, totals, paging, limit, dialect, encoding and language
are drawn independently. Each site knows the truth about itself; the learnt spec is compared with
it, and so is the certificate of a harvest that uses the spec.
"""

# ruff: noqa: E501  (markup reads better in one line)

import argparse
import asyncio
import json
import re
import shutil
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from bench.discovery.engine import UNSPACED
from bench.discovery.make import draw
from bench.discovery.pages import Site
from bench.frame import Report, run

from longline.discovery import Discoverer
from longline.engine.site_client import SiteClient
from longline.errors import LonglineError
from longline.fetch import Manners, WebFetcher
from longline.harvester import HarvestRun
from longline.harvester.settings import Limits
from longline.learn import Learner
from longline.model import Page, Query
from longline.simulate import running_site
from longline.source import Source, Spec, read_spec

MANNERS = Manners(allow_private=True, robots=False, retries=0)
FIELDS = (
    "found",
    "hit",
    "key",
    "title",
    "next",
    "total",
    "class",
    "size",
    "limit",
    "empty",
    "and",
    "not",
    "or",
    "document",
    "whole",
)
"""The graded facts: a search was found and no trap touched; the hits of first pages; one key per
document; titles; further hits within four pages; the total, and how reliable it is; the page size;
no return limit where none exists; no hits for nonsense; AND, NOT and OR, on pairs of words;
documents' texts; nearly all documents by a harvest."""

WARNED_BY = {
    "hit": ("results.hit",),
    "key": ("results.link", "results.hit", "results.key"),
    "title": ("results.title",),
    "next": ("results.next", "ask.url", "ask.body"),
    "total": ("results.total",),
    "class": ("results.total_relation", "results.total"),
    "size": ("ask.page_size",),
    "limit": ("ask.limit",),
    "empty": ("results.hit",),
    "and": ("dialect.default", "ask.dialect.and"),
    "not": ("ask.dialect.not",),
    "or": ("ask.dialect.or",),
    "document": ("document.text",),
}


def discover(url: str, post: bool) -> Discoverer:
    """Learn a site as the command does, without robots.txt."""
    discoverer = Discoverer(url, np.random.default_rng(0), allow_post=post)
    manners = Manners(allow_private=True, robots=False, retries=1)
    stopped = asyncio.run(Learner(url, manners).run(discoverer))
    discoverer.conclude(stopped.reason)
    return discoverer


def answers(spec: Spec, queries: Sequence[str], most: int) -> dict[str, list[Page]]:
    """Query a site with a spec, page after page; return the pages of each query."""

    async def ask() -> dict[str, list[Page]]:
        fetcher = WebFetcher(np.random.default_rng(0), MANNERS)
        client = SiteClient(Source(spec), fetcher)
        found: dict[str, list[Page]] = {}
        try:
            for words in queries:
                pages: list[Page] = []
                request = None
                for number in range(1, most + 1):
                    try:
                        page, _ = await client.search(Query((words,)), number, request)
                    except LonglineError:
                        break
                    pages.append(page)
                    request = page.next
                    if request is None or not page.hits:
                        break
                found[words] = pages
        finally:
            await client.close()
        return found

    return asyncio.run(ask())


def key_in(site: Any, url: str, by_title: dict[str, str], title: str, key: str = "") -> str:
    """Return the key of the document that a hit is: by its URL, or else by its title."""
    for piece in [key, *re.split(r"[/?&=#]", url)]:
        piece = piece.removesuffix(".html").removesuffix(".pdf")
        if piece in site.by_key:
            return piece
    return by_title.get(" ".join(title.split()), "?" + url)


def words_for(site: Any) -> list[str]:
    """Return three words: one with few hits, one with some, and one with many."""
    index = site.engine.index
    if site.make.language in UNSPACED:
        pairs = Counter(
            p
            for held in site.engine.held
            for p in {held[i : i + 2] for i in range(len(held) - 1)}
            if p.isalpha()
        )
        index = {p: range(n) for p, n in pairs.items()}
    good = [
        (len(places), word)
        for word, places in index.items()
        if (len(word) >= 5 or site.make.language in UNSPACED)
        and word.isalpha()
        and word not in site.engine.small
    ]
    size = site.make.page_size
    return list(
        dict.fromkeys(
            min(good, key=lambda pair: (abs(pair[0] - wanted), pair[1]))[1]
            for wanted in (4, size + 3, 3 * size)
        )
    )


def grade(
    site: Any, base: str, learnt: Discoverer, spec: Spec
) -> tuple[dict[str, bool | None], dict[str, str]]:
    """Compare a spec with the truth: right, wrong, or None if it does not apply."""
    make = site.make
    grades: dict[str, bool | None] = dict.fromkeys(FIELDS)
    said: dict[str, str] = {}
    facts = {finding.name: finding for finding in learnt.findings}
    by_title = {" ".join(t.title.split()): t.key for t in site.texts}
    words = words_for(site)
    size = spec.ask.page_size or make.page_size
    uses_size = "{size}" in spec.ask.url + spec.ask.body
    named = getattr(make, "size_name", "pp") or "-"
    is_sized = uses_size or re.search(rf"[?&]{named}=", spec.ask.url)
    true_size = min(size, getattr(make, "clamp", 50)) if is_sized else make.page_size
    if make.pager == "none":
        true_size = max(true_size, 20)
    came = answers(spec, [*words, "zqxvjkwpy"], 4)
    checks: dict[str, list[bool]] = defaultdict(list)
    keys: dict[str, set[str]] = defaultdict(set)
    for word in words:
        pages = came[word]
        whole = site.typed_engine(word, {})
        truth = [site.page_of(whole, n, true_size) for n in range(1, 5)]
        got = [
            [key_in(site, hit.url, by_title, hit.title, hit.key) for hit in page.hits]
            for page in pages
        ]
        for page, row in zip(pages, got, strict=True):
            for hit, key in zip(page.hits, row, strict=True):
                keys[key].add(hit.key)
        first = list(dict.fromkeys(t.key for t in truth[0].rows))
        own = list(dict.fromkeys(got[0])) if got else []
        checks["hit"].append(own == first)
        if own != first:
            extra, lost = [k for k in own if k not in first], [k for k in first if k not in own]
            said["hit"] = (
                f"{word!r}: {len(first)} shown, {len(own)} read, extra {extra[:3]} lost {len(lost)}"
            )
        checks["title"].append(
            bool(pages)
            and all(
                " ".join(hit.title.split()) == " ".join(site.by_key[k].title.split())
                for hit, k in zip(pages[0].hits, got[0], strict=True)
                if k in site.by_key
            )
        )
        if pages and not checks["title"][-1]:
            said["title"] = f"{pages[0].hits[0].title[:50]!r}" if pages[0].hits else "no hits"
        wanted = {t.key for page in truth[: min(4, max(truth[0].pages, 1))] for t in page.rows}
        read = {k for row in got for k in row}
        checks["next"].append(wanted <= read)
        if not wanted <= read:
            said["next"] = f"{word!r}: {len(read & wanted)} of {len(wanted)}"
        total = pages[0].total if pages else None
        right = truth[0].reported if make.total not in ("none", "pages") else None
        checks["total"].append((total.documents if total else None) == right)
        if not checks["total"][-1]:
            said["total"] = f"{word!r}: {total} for {right}"
        expected = "exact"
        if make.counts == "about" and truth[0].total >= 30:
            expected = "about"
        elif make.counts == "floor" and truth[0].total > 40:
            expected = "at least"
        if total is not None:
            checks["class"].append(
                total.relation == expected
                or (expected == "exact" and total.relation != "exact" and make.counts != "exact")
            )
    nothing = came["zqxvjkwpy"]
    grades["empty"] = all(not page.hits for page in nothing)
    for name, results in checks.items():
        grades[name] = all(results)
    if make.total in ("none", "pages"):
        if grades["total"]:
            grades["total"] = None
        grades["class"] = None
    grades["key"] = not any(len(own) > 1 for own in keys.values())
    shared = Counter(k for own in keys.values() for k in own)
    if any(n > 1 for n in shared.values()):
        grades["key"] = False
    if not grades["key"]:
        said["key"] = str(next((list(own)[:2] for own in keys.values() if len(own) > 1), "shared"))
    if "{size}" not in spec.ask.url + spec.ask.body:
        grades["size"] = spec.ask.page_size in (None, true_size)
        said["size"] = f"{spec.ask.page_size} for {true_size}"
    else:
        grades["size"] = True
    wrong_limit = spec.ask.limit is not None and spec.ask.limit != make.limit
    if make.pager == "none":
        wrong_limit = spec.ask.limit is not None and spec.ask.limit != max(20, true_size)
    grades["limit"] = not wrong_limit
    said["limit"] = f"{spec.ask.limit} for {make.limit}"
    _grade_dialect(site, spec, facts, grades, said)
    _grade_document(site, base, spec, grades, said)
    if site.touched:
        said["found"] = f"touched {site.touched}"
    grades["found"] = not site.touched
    return grades, {name: text for name, text in said.items() if grades[name] is False}


def _grade_dialect(site, spec, facts, grades, said):  # type: ignore[no-untyped-def]
    """Test the learnt operators directly on the site's engine."""
    engine, dialect = site.engine, spec.ask.dialect
    pairs = [
        (a, b)
        for a in words_for(site)[1:]
        for b in sorted(engine.index, key=lambda w: -len(engine.index[w]))[30:60]
        if a != b and len(b) > 3
    ]
    if site.make.language in UNSPACED:
        return
    known = facts.get("dialect.default")
    known_default = known is not None and known.sure != "unknown"
    outcomes: dict[str, list[bool]] = defaultdict(list)
    places = {t.key: p for p, t in enumerate(site.texts)}

    def find(typed: str) -> set[int]:
        return {places[t.key] for t in engine.search(typed)}

    for a, b in pairs:
        both = engine.index.get(a, set()) & engine.index.get(b, set())
        if len(engine.index.get(a, ())) == len(both) or not both:
            continue
        quoted = (
            (lambda w: dialect.quote.replace("{term}", w))
            if dialect.quote_all and dialect.quote
            else (lambda w: w)
        )
        if known_default and dialect.max_terms != 1:
            outcomes["and"].append(find(f"{quoted(a)}{dialect.and_}{quoted(b)}") == both)
        if dialect.not_:
            outcomes["not"].append(
                find(f"{quoted(a)}{dialect.and_}{dialect.not_.replace('{term}', b)}")
                == engine.index[a] - both
            )
        if dialect.or_:
            either = engine.index.get(a, set()) | engine.index.get(b, set())
            outcomes["or"].append(find(f"{a}{dialect.or_}{b}") == either)
    rules = site.make.rules
    for name, results in outcomes.items():
        if results:
            grades[name] = sum(results) >= 0.8 * len(results)
            if not grades[name]:
                said[name] = f"{sum(results)} of {len(results)}: {dialect}; truth {rules}"
    if "and" not in outcomes and rules.default != "string":
        grades["and"] = False
        said["and"] = "not known"
    if not dialect.not_ and rules.nots and rules.default != "string":
        grades["not"] = False
        said["not"] = f"none, for {rules.nots}"


def _grade_document(site, base, spec, grades, said):  # type: ignore[no-untyped-def]
    if spec.document is None:
        if "whole" not in (getattr(site.make, "snippet", ""), getattr(site.make, "body", "")):
            grades["document"] = False
            said["document"] = "no document page"
        return

    async def read() -> list[tuple[str, str]]:
        fetcher = WebFetcher(np.random.default_rng(0), MANNERS)
        client = SiteClient(Source(spec), fetcher)
        out = []
        try:
            page, _ = await client.search(Query((words_for(site)[1],)), 1, None)
            by_title = {" ".join(t.title.split()): t.key for t in site.texts}
            for hit in page.hits[:4]:
                key = key_in(site, hit.url, by_title, hit.title, hit.key)
                if key in site.by_key:
                    document, _ = await client.read(hit)
                    out.append((key, document.text))
        except LonglineError as error:
            said["document"] = str(error)
        finally:
            await client.close()
        return out

    got = asyncio.run(read())
    if not got:
        grades["document"] = False
        return
    results = []
    for key, text in got:
        wanted = re.findall(r"\w+", site.by_key[key].body)
        have = Counter(re.findall(r"\w+", text))
        kept = sum((Counter(wanted) & have).values()) / max(len(wanted), 1)
        extra = (sum(have.values()) - len(wanted)) / max(len(wanted), 1)
        results.append(kept >= 0.97)
        if kept < 0.97:
            said["document"] = f"{kept:.0%} of the text of {key}"
        elif sum(have.values()) - len(wanted) > 40 and extra > 0.5:
            said.setdefault("document", f"+{extra:.0%} boilerplate")
            results[-1] = False
    grades["document"] = all(results)


def harvest(site: Any, spec: Spec) -> dict[str, Any]:
    """Harvest a site with a spec, and compare the certificate with the truth."""
    folder = Path(tempfile.mkdtemp(prefix="made-up-"))
    shutil.rmtree(folder)
    try:
        begun = time.monotonic()
        one = HarvestRun(
            folder,
            spec,
            None,
            Limits(
                allow_private=True,
                robots=False,
                max_requests=4 * len(site.texts) + 400,
                max_time=90,
            ),
        )
        certificate = asyncio.run(one.run())
        import sqlite3

        with closing(sqlite3.connect(folder / "harvest.db")) as base, base:
            rows = base.execute("select key, url, title from documents").fetchall()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    by_title = {" ".join(t.title.split()): t.key for t in site.texts}
    held = {key_in(site, row[1] or row[0], by_title, row[2] or "", row[0]) for row in rows}
    real = held & set(site.by_key)
    there = len(site.texts)
    low, high = certificate.size_low, certificate.size_high
    inside = low is None or (low <= there and (high is None or there <= high))
    return {
        "documents": len(rows),
        "real": len(real),
        "there": there,
        "share": len(real) / there,
        "low": low,
        "high": high,
        "inside": inside,
        "stopped": certificate.stopped,
        "met": certificate.target_met,
        "cut": certificate.truncated_queries,
        "requests": certificate.requests,
        "seconds": round(time.monotonic() - begun, 1),
        "or": certificate.overlapping_rate,
        "odd": len(certificate.discrepancies),
        "unfinished": certificate.unfinished_queries,
        "copies": len(rows) - len(held),
        "strange": len(held) - len(real),
    }


def is_warned(name: str, learnt: Discoverer) -> bool:
    """Return whether a wrong field has a warning, or is marked as unknown or missing."""
    facts = {finding.name: finding for finding in learnt.findings}
    if name == "empty" and "stand_ins" in facts:
        return True
    own = [facts[key] for key in WARNED_BY.get(name, ()) if key in facts]
    return not own or any(f.warning or f.sure == "unknown" for f in own)


def judge(seed: int, folder: Path | None, *, data: bool, harvests: bool) -> dict[str, Any]:
    """Make up one site, learn it, and return how right the result is."""
    if data:
        from bench.discovery.data import DataSite, draw_data

        site: Any = DataSite(draw_data(seed), folder)
        start, post = site.start, False
    else:
        site = Site(draw(seed), folder)
        start, post = "/", site.make.method == "POST"
    row: dict[str, Any] = {
        "seed": seed,
        "grades": {},
        "said": {},
        "silent": [],
        "review": [],
        "requests": 0,
    }
    with running_site(site.app) as base:
        site.origin = base
        learnt = discover(base + start, post)
        row["requests"] = learnt.requests
        row["findings"] = [
            f"{f.name} = {f.value} [{f.sure}] {f.evidence}{' WARNING ' + f.warning if f.warning else ''}"
            for f in learnt.findings
        ]
        if learnt.spec is None:
            row["grades"] = dict.fromkeys(FIELDS, None) | {"found": False}
            row["said"] = {"found": learnt.problem}
            return row
        spec = read_spec(learnt.toml())
        row["review"] = learnt.review
        row["grades"], row["said"] = grade(site, base, learnt, spec)
        row["silent"] = [
            n for n, right in row["grades"].items() if right is False and not is_warned(n, learnt)
        ]
        if harvests and not learnt.review:
            try:
                got = harvest(site, spec)
            except LonglineError as error:
                row["said"]["whole"] = str(error)
                row["grades"]["whole"] = False
                return row
            row["harvest"] = got
            row["grades"]["whole"] = got["share"] >= 0.97
            if (
                got["share"] < 0.97 and got["inside"] is False and (got["high"] or 0) < got["there"]
            ) or (got["share"] < 0.97 and got["low"] is None):
                row["silent"].append("whole")
    return row


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table of success rates by field, and what was wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", default="0-19", help="first and last seed (0-19)")
    parser.add_argument(
        "--texts",
        type=Path,
        metavar="DIR",
        help="corpora in other languages, as bench.papers.system_corpora --lists writes them; else docstrings alone",
    )
    parser.add_argument("--data", action="store_true", help="JSON interfaces instead of pages")
    parser.add_argument("--no-harvest", action="store_true", help="learn only")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every site's grades")
    parser.add_argument("--out", type=Path, default=None, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    first, _, last = options.seeds.partition("-")
    rows = []
    for seed in range(int(first), int(last or first) + 1):
        try:
            row = judge(seed, options.texts, data=options.data, harvests=not options.no_harvest)
        except Exception:
            row = {
                "seed": seed,
                "grades": {},
                "said": {"crash": traceback.format_exc()},
                "silent": ["crash"],
                "review": [],
                "requests": 0,
            }
        rows.append(row)
        marks = "".join(
            {True: "+", False: "-", None: "."}[row["grades"].get(name)] for name in FIELDS
        )
        got = row.get("harvest")
        share = (
            f"{got['real']}/{got['there']} [{got['low']}-{got['high']}] req {got['requests']} cut {got['cut']} copies {got['copies']} strange {got['strange']} {got['seconds']}s {got['stopped'][:60]}"
            if got
            else ""
        )
        print(
            f"{seed:5} {marks} {row['requests']:3} {'REVIEW ' if row['review'] else ''}{'SILENT ' + ','.join(row['silent']) if row['silent'] else ''} {share}",
            flush=True,
        )
        for name, text in row["said"].items():
            print(f"        {name}: {text[:2000] if name == 'crash' else text[:260]}", flush=True)
        if options.json:
            options.json.write_text(json.dumps(rows, indent=1, default=str))
    report = Report(options, "made-up-sites")
    table = []
    for name in FIELDS:
        known = [row for row in rows if row["grades"].get(name) is not None]
        right = sum(bool(row["grades"][name]) for row in known)
        silent = sum(name in row["silent"] for row in rows)
        table.append(
            [name, len(known), right, f"{100 * right / len(known):.1f}" if known else None, silent]
        )
    report.table("sites made up", ("field", "asked", "right", "percent", "silent"), table)
    gated = sum(bool(row["review"]) for row in rows)
    report.say(
        f"{len(rows)} sites; {gated} wait for a person's eye; {sum('crash' in row['silent'] for row in rows)} crashes; {np.mean([row['requests'] for row in rows]):.1f} requests"
    )


if __name__ == "__main__":
    run(main)
