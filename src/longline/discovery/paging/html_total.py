"""Find the total on result pages, and check how exact it is."""

from collections.abc import Iterable

from longline.discovery.answer import ParsedAnswer
from longline.discovery.answer_pages import PagingState
from longline.discovery.paging.json_total import learn_data_total, note_total
from longline.discovery.reading import find_total
from longline.discovery.session import DiscoverySession, change_results


def learn_total(pages: PagingState, more: Iterable[ParsedAnswer] = ()) -> None:
    """Find the total number of hits.

    Args:
        pages: What is known about the pages so far.
        more: First pages in addition to the probes: a total such as "100+" may be the same
            on all long answers.
    """
    session, first = pages.session, pages.first
    if session.kind == "json":
        learn_data_total(pages, more)
        return
    probes = list(dict.fromkeys([*session.probes, first, *more]))
    others = [*pages.later, *([pages.again] if pages.again else [])]
    same = [(first, other) for other in others]
    hits = {page: session.elements(page) for page in [*probes, *others]}
    probes = [page for page in probes if hits[page]]
    least = {page: min(len(found), len(set(session.keys(page)))) for page, found in hits.items()}
    found = find_total(probes, hits, same, least)
    shown = {page: least[page] for page in probes}
    if found is None:
        note_total(session, "", {}, shown)
        return
    change_results(session, total=found.selector)
    pairs = zip(probes, found.values, strict=True)
    totals = {page: total.documents for page, total in pairs if total}
    note_total(session, found.selector, totals, shown)


def judge_totals(session: DiscoverySession, pages: PagingState) -> None:
    """Compare totals with the answers that were read completely."""
    if session.results is not None and not session.results.total:
        learn_total(pages, session.asked.values())
    if session.results is None or not session.results.total:
        return
    right: list[str] = []
    wrong: list[str] = []
    several, relations = 0, set()
    for words, shown in session.asked.items():
        read = session.read(shown)
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
        change_results(session, total="", total_pattern="")
        seen = f"what looked like one was wrong for {len(wrong)} whole answers"
        session.find("results.total", "", "unknown", seen)
        return
    agrees, ending = pages.last_page or (False, "")
    if ending and not agrees:
        wrong.append(ending)
    compared = f"right for {len(right)} of {len(right) + len(wrong)} answers read to their end"
    if relations - {"exact"}:
        relation = "about" if "about" in relations else "at least"
        is_said = session.results.total_relation is None
        why = "the page itself says so" if is_said else "all are multiples of ten"
        said = f"{why}; {compared}"
        session.find("results.total_relation", relation, "likely", said)
    elif wrong:
        change_results(session, total_relation="about")
        said = f"{compared}; wrong for {', '.join(wrong[:3])}"
        session.find("results.total_relation", "about", "likely", said)
    elif len(right) >= 2 and (agrees or several):
        change_results(session, total_relation="exact")
        session.find(
            "results.total_relation", "exact", "sure", "; ".join(filter(None, [compared, ending]))
        )
    else:
        session.find("results.total_relation", "exact", "guess", compared, "it may be an estimate")
