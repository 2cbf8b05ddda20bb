"""The total: where a page says it, and what it is worth."""

from __future__ import annotations

from collections.abc import Iterable

from longline.discover.answer import Shown
from longline.discover.answer_pages import Pages
from longline.discover.paging.json_total import learn_data_total, note_total
from longline.discover.reading import find_total
from longline.discover.session import Desk, change_results


def learn_total(pages: Pages, more: Iterable[Shown] = ()) -> None:
    """Find the number of all hits.

    Args:
        pages: What is known of the pages by now.
        more: First pages beside the probes: where there are many matches, a total that says
            "100+" shows only in the end that it changes.
    """
    desk, first = pages.desk, pages.first
    if desk.kind == "json":
        learn_data_total(pages, more)
        return
    probes = list(dict.fromkeys([*desk.probes, first, *more]))
    others = [*pages.later, *([pages.again] if pages.again else [])]
    same = [(first, other) for other in others]
    hits = {page: desk.elements(page) for page in [*probes, *others]}
    probes = [page for page in probes if hits[page]]
    least = {page: min(len(found), len(set(desk.keys(page)))) for page, found in hits.items()}
    found = find_total(probes, hits, same, least)
    shown = {page: least[page] for page in probes}
    if found is None:
        note_total(desk, "", {}, shown)
        return
    change_results(desk, total=found.selector, total_pattern=found.pattern)
    pairs = zip(probes, found.values, strict=True)
    totals = {page: total.documents for page, total in pairs if total}
    note_total(desk, found.selector, totals, shown)
    if found.pattern:
        seen = f"finds it in {found.example!r}"
        desk.find("results.total_pattern", found.pattern, "likely", seen)


def judge_totals(desk: Desk, pages: Pages) -> None:
    """Compare totals with answers that were listed in full."""
    if desk.results is not None and not desk.results.total:
        learn_total(pages, desk.asked.values())
    if desk.results is None or not desk.results.total:
        return
    right: list[str] = []
    wrong: list[str] = []
    several, relations = 0, set()
    for words, shown in desk.asked.items():
        read = desk.read(shown)
        if read is None or read.total is None or not read.hits:
            continue
        relations.add(read.total.relation)
        listed_all = pages.size is not None and len(read.hits) < pages.size and read.next is None
        if not listed_all:
            continue
        is_right = read.total.documents == len({hit.key for hit in read.hits})
        (right if is_right else wrong).append(words)
        several += is_right and " " in words
    if len(wrong) >= 2 and len(wrong) > 2 * len(right) and relations == {"exact"}:
        change_results(desk, total="", total_pattern="")
        seen = f"what looked like one was wrong for {len(wrong)} whole answers"
        desk.find("results.total", "", "unknown", seen)
        return
    agrees, ending = pages.last_page or (False, "")
    if ending and not agrees:
        wrong.append(ending)
    compared = f"right for {len(right)} of {len(right) + len(wrong)} answers read to their end"
    if relations - {"exact"}:
        relation = "about" if "about" in relations else "at least"
        change_results(desk, total_relation=None)
        said = f"the page itself says so; {compared}"
        desk.find("results.total_relation", relation, "likely", said)
    elif wrong:
        change_results(desk, total_relation="about")
        said = f"{compared}; wrong for {', '.join(wrong[:3])}"
        desk.find("results.total_relation", "about", "likely", said)
    elif len(right) >= 2 and (agrees or several):
        change_results(desk, total_relation="exact")
        desk.find(
            "results.total_relation", "exact", "sure", "; ".join(filter(None, [compared, ending]))
        )
    else:
        desk.find("results.total_relation", "exact", "guess", compared, "it may be an estimate")
