"""Find the total in JSON answers, or in their headers."""

import re
from collections.abc import Iterable

from longline.discovery.answer import ParsedAnswer
from longline.discovery.answer_pages import PagingState
from longline.discovery.findings import Sureness
from longline.discovery.reading import last_name, numbers_outside
from longline.discovery.session import DiscoverySession, change_results

_TOTAL = re.compile(
    r"total|count|found|hits|matches|results|^num|numfound|size$|anzahl|treffer", re.I
)
_OTHER = re.compile(
    r"page|limit|offset|start|from|per_?page|took|time|^ms$|status|version|shard", re.I
)
_HEADER = re.compile(r"total|count", re.I)


FULL = 5
"""If the two longest answers have the same number of rows, and at least this, they look full."""

ENOUGH, ROUND = 3, 10
"""How many totals are taken as rounded if all are multiples of ten."""


def learn_data_total(
    pages: PagingState, more: Iterable[ParsedAnswer] = (), *, must_exceed: bool = False
) -> None:
    """Find the total: it is never below the number of hits listed, and changes with the query.

    A number that is never more than its page's rows may be just their count.

    Args:
        pages: What is known about the pages so far.
        more: Answers in addition to the probes.
        must_exceed: It must exceed a page's rows once; otherwise `may_count_rows` is set.
    """
    session = pages.session
    answers = list(dict.fromkeys([*session.probes, pages.first, *more]))
    hits = {answer: len(session.keys(answer)) for answer in answers}
    answers = [answer for answer in answers if hits[answer]]
    same = [(pages.first, other) for other in (*pages.later, pages.again) if other is not None]
    listed = len({key for page in (pages.first, *pages.later) for key in session.keys(page)})
    is_full = look_full(hits.values())
    best, rank = "", 0.0
    others = (page for pair in same for page in pair)
    numbers = {answer: _numbers(answer, session) for answer in (*answers, *session.empty, *others)}
    named = {selector for answer in answers for selector in numbers[answer]}
    for selector in sorted(named, key=lambda each: (each.startswith("header:"), each)):
        values = {answer: numbers[answer].get(selector) for answer in (*answers, *session.empty)}
        said = {answer: value for answer in answers if (value := values[answer]) is not None}
        if len(said) * 2 < len(answers) or any(said[a] < hits[a] for a in said):
            continue
        if said.get(pages.first, listed) < listed:
            continue
        if any(
            _differ(numbers[one].get(selector), numbers[two].get(selector)) for one, two in same
        ):
            continue
        if session.empty and len(said) > 1 and len({*values.values()}) == 1:
            continue  # may be a constant maximum
        nothing = {values[answer] for answer in session.empty} <= {0, None}
        exceeds = any(said[answer] > hits[answer] for answer in said)
        points = (
            _points(selector) + 2.0 * exceeds + 1.5 * nothing + 1.0 * (len(set(said.values())) > 1)
        )
        if points <= max(rank, 3.0) or not (exceeds or nothing):
            continue
        if exceeds or not (must_exceed or is_full):
            best, rank = selector, points
        else:
            pages.may_count_rows = True
    change_results(session, total=best)
    totals = {answer: numbers[answer].get(best, 0) for answer in answers} if best else {}
    if len(totals) >= ENOUGH and not any(total % ROUND for total in totals.values()):
        change_results(session, total_relation="about")
    note_total(session, best, totals, {answer: hits[answer] for answer in answers})


def look_full(sizes: Iterable[int]) -> bool:
    """Return whether the two longest answers are equally long, as full pages are.

    >>> look_full([3, 20, 20]), look_full([3, 19, 20])
    (True, False)
    """
    longest = sorted(sizes)[-2:]
    return len(longest) > 1 and longest[0] == longest[1] >= FULL


def note_total(
    session: DiscoverySession,
    selector: str,
    totals: dict[ParsedAnswer, int],
    hits: dict[ParsedAnswer, int],
) -> None:
    """Record the total's selector, its values, and a doubt if it never exceeds the hits shown."""
    if not selector:
        seen = f"no number on {len(hits)} answers behaves like one"
        session.find("results.total", "", "likely", seen)
        return
    said = ", ".join(f"{total:,} for {answer.words!r}" for answer, total in totals.items())
    exceeds = any(total > hits[answer] for answer, total in totals.items())
    warning = "" if exceeds else "it was never more than the hits on the page"
    sure: Sureness = "likely" if exceeds and len(hits) >= 3 else "guess"
    session.find("results.total", selector, sure, f"{said}; the same when asked again", warning)


def _numbers(answer: ParsedAnswer, session: DiscoverySession) -> dict[str, int]:
    """Return the numbers outside the hits, and those in headers, by selector."""
    assert session.data_hits is not None
    outside = numbers_outside(answer.data, session.data_hits.path)
    names = {name for name, _ in answer.response.headers if _HEADER.search(name)}
    headers = {name: answer.response.header(name) for name in names}
    return {f"jmes:{path}": number for path, number in outside.items()} | {
        f"header:{name}": int(value) for name, value in headers.items() if value.isdigit()
    }


def _differ(one: int | None, other: int | None) -> bool:
    return one is not None and other is not None and one != other


def _points(selector: str) -> float:
    path = selector.partition(":")[2]
    name = last_name(path)
    is_named = bool(_TOTAL.search(name)) or ("total" in path.lower())
    points = 2.0 * is_named + 0.5 * ("total" in name.lower()) - 3.0 * bool(_OTHER.search(name))
    return points - 0.2 * path.count(".") - 0.5 * selector.startswith("header:")
