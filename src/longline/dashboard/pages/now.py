"""Describe what a harvest does now, and when it will end."""

import time

from longline.dashboard.harvests import Row
from longline.dashboard.pages.layout import clock, count, far, moment
from longline.dashboard.pages.overview import total
from longline.events import UpdateCounts
from longline.harvester import Standing
from longline.ledger import most_missed
from longline.text.numbers import counted, percent


def doing_of(row: Row) -> str:
    """Say what a harvest does now, or why it does nothing."""
    now = row.standing
    if now.state == "waiting":
        return now.in_words(time.time())
    if now.state == "running" and now.asks:
        reads = f" · reads {now.reads}" if now.reads else ""
        return f"asks {now.asks}{reads}"
    return now.stopped or ("all was asked for" if now.outcome == "complete" else now.state)


def end_of(now: Standing) -> tuple[str, str]:
    """Say in how much time a harvest is expected to end, and when."""
    if not now.is_going:
        return "-", f"last seen {moment(now.updated_at)}"
    return ("?", "not known") if now.ends_at is None else (far(now.ends_at), clock(now.ends_at))


def forecast_of(now: Standing) -> tuple[str, str]:
    """Say what will be saved when the budget ends, or else after as many requests again."""
    found = now.forecast
    if found is None:
        return "?", "not known"
    end = (
        "at the budget's end" if found.is_to_the_end else f"{counted(found.requests, 'request')} on"
    )
    return f"{found.low:,} to {found.high:,}", f"documents saved {end}, 90 % sure"


def more_needed(expected: int | None) -> str:
    """Say how many more requests are expected."""
    return (
        "how many more it takes is not known"
        if expected is None
        else f"about {expected:,} more needed"
    )


def facts_of(now: Standing) -> dict[str, tuple[str, str]]:
    """Return the facts about a harvest: a value and a note, by name."""
    return {
        "saved": (count(now.saved), _not_saved(now)),
        "total": total(now),
        "coverage": (
            percent(now.hit_rate),
            "not known" if now.hit_rate is None else "of all documents are saved",
        ),
        "requests": (
            count(now.requests),
            f"{counted(now.searches, 'search')}, {now.truncated_queries:,} cut",
        ),
        "requests left": (count(now.requests_left, "no limit"), more_needed(now.expected)),
        "rate": (f"{now.rate:.1f}/s" if now.is_going else "-", "requests, in the last minute"),
        "predicted end": end_of(now),
        "forecast": forecast_of(now),
        "last update": _found_by(now.update),
    }


def _found_by(update: UpdateCounts | None) -> tuple[str, str]:
    """Say what an update found, and what it may have missed.

    >>> _found_by(UpdateCounts(since="", new=3, changed=2, unchanged=877, reread=17))
    ('3 new', '2 changed, 0 gone; up to 138 more may have changed')
    """
    if update is None:
        return "-", "none yet"
    missed = most_missed(update)
    more = f"; up to {missed:,} more may have changed" if missed else ""
    return f"{update.new:,} new", f"{update.changed:,} changed, {update.gone:,} gone{more}"


def _not_saved(now: Standing) -> str:
    """Say how many documents an unfinished update has, or how many that were found are missing."""
    if now.is_update and now.update is None:
        return f"the update has {now.documents:,} so far"
    gone = f", {now.documents_gone:,} gone" if now.documents_gone else ""
    return f"{now.documents_failed - now.documents_gone:,} found but not saved{gone}"
