"""Whether a harvest whose thinker is done is complete: only where nothing speaks against it."""

from __future__ import annotations

from longline.account.books import Account
from longline.events import Stopped
from longline.model import Finish
from longline.outcomes import Ending

ENOUGH = 0.97
"""Share of the estimated size that is held at the least where a harvest is complete."""


def verdict(finish: Finish, account: Account, target: float | None = None) -> Stopped:
    """Say how a harvest ended whose thinker is done.

    It is complete where its thinker did what it set out to do, and neither the size's interval nor
    an answer that was cut, disbelieved or not had says that documents are missing. Documents that
    the source itself says are gone are not missing.

    Args:
        finish: What the thinker says.
        account: With the newest conclusion.
        target: Hit rate that the user asked for; None for all that there is.

    >>> verdict(Finish("all was asked"), Account(size=4)).outcome
    'partial'
    """
    missing = shortfall(account)
    is_whole = finish.target_met and not missing
    ending = Ending("complete") if is_whole else _unfinished(account)
    is_met, reason = is_whole, f"{finish.reason}; {missing}" if missing else finish.reason
    if target is not None and not is_whole:
        is_met, reason = _by_target(finish, account, target)
        ending = Ending("partial", "budget") if is_met else ending
    doubted = len(account.failures.to_ask_again)
    return Stopped(reason, is_met, ending.outcome, ending.cause, doubted)


def _unfinished(account: Account) -> Ending:
    forbidden = any(event.forbidden for event in account.failures.documents.values())
    is_kept_out = forbidden and not account.documents
    return Ending("blocked", "robots") if is_kept_out else Ending("partial", "cut")


def shortfall(account: Account) -> str:
    """Return what says that documents are missing, in one clause; "" where nothing does."""
    failures, found = account.failures, account.believed()
    had = account.documents + failures.gone
    if failures.to_ask_again:
        return (
            f"{len(failures.to_ask_again):,} empty answers are doubtful; run the same "
            "command again to ask for them once more"
        )
    if unread := len(failures.documents) - failures.gone:
        return (
            f"{unread:,} documents that the source lists could not be read; "
            "`longline retry DIR` tries them again"
        )
    if found.size is None:
        return _cut(account, had, found.low)
    if had < (found.low or 0) or had < ENOUGH * found.size:
        missing = found.size - had
        return f"about {missing:,} document{'s are' if missing != 1 else ' is'} missing"
    return ""


def _cut(account: Account, had: int, least: int | None) -> str:
    """Return what speaks against a harvest whose source nobody knows the size of."""
    if had < (least or 0):
        return f"at least {(least or 0) - had:,} documents are missing"
    cut = account.cut_queries
    if not cut:
        return ""
    return (
        f"{cut:,} searches showed only a part of their results; how many documents are missing "
        "is not known"
    )


def _by_target(finish: Finish, account: Account, target: float) -> tuple[bool, str]:
    """Say whether the interval shows that the share that was aimed at is held, and why not."""
    found, held = account.believed(), account.documents
    share, least = (held / most if most else None for most in (found.size, found.high))
    if least is not None and least >= target:
        return True, finish.reason
    if share is None:
        what = "the coverage is not known"
    else:
        sure = "" if least is None else f", at least {least:.1%} for sure"
        what = f"{min(1.0, share):.1%} of the documents are saved{sure}"
    return False, f"{what}; the target is {target:.1%}; {finish.reason}"
