"""Decide whether a harvest whose policy is done is complete: only without contrary evidence."""

from longline.estimate import is_doubted
from longline.events import Stopped
from longline.ledger._queries import largest_unread, overstated, short_answers, shrunk
from longline.ledger._size import ENOUGH, Believed
from longline.ledger.ledger import BY_MEANING, Ledger
from longline.ledger.metrics import cut_texts_counted
from longline.model import Finish
from longline.outcomes import Ending
from longline.text.numbers import counted, percent

SHOWN = (
    "(what result pages show, the title, a text that ends with … or asks to log in, or a page "
    "without the words that were searched for); no whole text was found to read"
)
"""Explanation if texts are held in part."""


TESTED = 20
"""If so many test searches find nothing, they tell nothing about what is missing."""


def verdict(finish: Finish, ledger: Ledger, target: float | None = None) -> Stopped:
    """Decide how a harvest ended whose policy is done.

    It is complete if its policy reached its goal, and neither the size's interval nor a cut,
    distrusted or failed answer shows missing documents. Documents that the source says are gone are
    not missing, unless they are so many that their URLs may be wrong.

    Args:
        finish: The policy's result.
        ledger: With the newest conclusion.
        target: Hit rate that the user requested; None for everything.

    >>> verdict(Finish("all was asked"), Ledger(size=4)).outcome
    'partial'
    """
    missing = shortfall(ledger) or _unlooked(finish, ledger)
    is_whole = finish.target_met and not missing
    ending = Ending("complete") if is_whole else _unfinished(finish, ledger)
    is_met, reason = is_whole, f"{finish.reason}; {missing}" if missing else finish.reason
    if target is not None and not is_whole:
        is_met, reason = _by_target(finish, ledger, target)
        ending = Ending("partial", "budget") if is_met else ending
    doubted = len(ledger.failures.to_ask_again)
    return Stopped(reason, is_met, ending.outcome, ending.cause, doubted)


def _unfinished(finish: Finish, ledger: Ledger) -> Ending:
    forbidden = any(event.forbidden for event in ledger.failures.documents.values())
    if forbidden and not ledger.documents:
        return Ending("blocked", "robots")
    if ledger.is_cut:
        return Ending("partial", "cut")
    is_unknown = ledger.believed().size is None
    is_open = is_unknown and bool(
        ledger.by_meaning or _untested(ledger) or _unlooked(finish, ledger)
    )
    return Ending("partial", "unknown" if is_open else "missing")


def shortfall(ledger: Ledger) -> str:
    """Return the evidence of missing documents, in one clause, or "" if there is none."""
    said = _missing(ledger)
    if not said and ledger.left_out:
        nouns = "other search of the site was", "other searches of the site were"
        others = counted(len(ledger.left_out), *nouns)
        return f"{others} not harvested: {', '.join(ledger.left_out)}"
    return said


def _missing(ledger: Ledger) -> str:
    failures, found = ledger.failures, ledger.believed()
    if kept := not_checked(ledger):
        return kept
    met = ledger.documents + failures.gone
    had = met + failures.left
    if failures.to_ask_again:
        return (
            f"{len(failures.to_ask_again):,} answers are doubtful; run the same "
            "command again to ask for them once more"
        )
    if admitted := _admitted(ledger):
        return admitted
    forbidden = sum(event.forbidden for event in failures.documents.values())
    if unread := failures.unread:
        return (
            f"{counted(unread, 'document')} that the source lists could not be read; "
            "`longline retry DIR` tries them again"
        )
    if files := sum(failures.files().values()):
        listed = counted(files, "listed file is", "listed files are")
        return f"{listed} not saved; `--attachments` saves them"
    if forbidden:
        listed = counted(
            forbidden, "document that the source lists is", "documents that the source lists are"
        )
        return f"{listed} disallowed by robots.txt, or at private addresses"
    if ledger.documents < ENOUGH * met:
        return (
            f"{counted(failures.gone, 'document')} that the source lists did not exist when asked "
            "for (404 or 410): so many may be at other addresses"
        )
    if ledger.texts.wanted != "shown" and ledger.texts.are_many_in_part(ledger.documents):
        some, is_one = cut_texts_counted(ledger.cut_texts, ledger.documents), ledger.cut_texts == 1
        its = "has only a part of its" if is_one else "have only a part of their"
        return f"{some} {its} text {SHOWN}"
    if unseen := _unloaded(ledger) or _namesakes(ledger) or _linked(ledger):
        return unseen
    if found.size is None and ledger.by_meaning:
        return f"how many documents are missing is not known: {BY_MEANING}"
    if found.size is None:
        return _contradiction(ledger, had) or _cut(ledger, had, found.low) or _untested(ledger)
    if had < max(found.low or 0, found.size) and not _adds_up(ledger, had, found):
        missing = found.size - had
        return f"about {counted(missing, 'document is', 'documents are')} missing"
    return _contradiction(ledger, had)


def _adds_up(ledger: Ledger, had: int, found: Believed) -> bool:
    """Return whether the source's own totals add up to what is held, and no test shows more.

    Its estimate is then an extrapolation of words that the source may not search.
    """
    told = ledger.concluded is not None and ledger.concluded.at_least == had
    is_near = (found.low or 0) <= had and had >= ENOUGH * (found.size or 0)
    return told and is_near and not ledger.held.only_probed


def not_checked(ledger: Ledger) -> str:
    """Return how many documents an update could not check and why, if they are many; else ""."""
    reasons = ledger.failures.unchecked
    count = sum(reasons.values())
    if ledger.documents >= ENOUGH * (ledger.documents + count):
        return ""
    (reason, _), *_ = reasons.most_common(1)
    some = counted(count, "document of the harvest before", "documents of the harvest before")
    return f"{some} could not be checked, and {'is' if count == 1 else 'are'} kept: {reason}"


def _admitted(ledger: Ledger) -> str:
    """Return how many answers say that they are incomplete, if that may hide documents; else "".

    Searches that brought a part of their results do no harm if the test searches brought all.
    """
    tests = ledger.probe_pages
    few = (1 - ENOUGH) * (tests or ledger.result_pages)
    hidden = [most for most, is_test in ledger.failures.withheld.values() if is_test or not tests]
    if len(hidden) > few:
        return (
            f"the source says of {counted(len(hidden), 'answer')} that results are hidden from "
            f"this visitor, up to {max(hidden):,} of them: they may need a login or a key"
        )
    partial = ledger.failures.partial
    pages = sum(partial.values()) if tests else len(partial)
    if pages <= few:
        return ""
    return (
        f"the source says of {counted(pages, 'answer')} that a part of it did not answer, or not "
        "in time; run the same command again later to ask for them once more"
    )


def _unloaded(ledger: Ledger) -> str:
    """Return how many result pages failed, if they may list many more documents; otherwise ""."""
    pages = len(ledger.failures.searches())
    if not pages:
        return ""
    rows = max((sums.page_rows for sums in ledger.query_ledgers.values()), default=0)
    if ledger.documents >= ENOUGH * (ledger.documents + pages * rows):
        return ""
    return (
        f"{counted(pages, 'result page')} could not be loaded, and may list more documents; "
        "`longline retry DIR` tries again"
    )


def _namesakes(ledger: Ledger) -> str:
    """Return how many documents were lost to a shared title, if they are many; otherwise ""."""
    alike = len(ledger.namesakes or ())
    if ledger.documents >= ENOUGH * (ledger.documents + alike):
        return ""
    return (
        f"at least {counted(alike, 'document has', 'documents have')} the title of another, and "
        "nothing else tells them apart: one of each title is saved"
    )


def _linked(ledger: Ledger) -> str:
    """Return that saved pages link to more documents, if these are many; otherwise ""."""
    likely = round(ledger.linked.likely)
    if ledger.documents >= ENOUGH * (ledger.documents + likely):
        return ""
    return (
        f"saved pages link to about {counted(likely, 'more document')} that no search showed and "
        "that were not read"
    )


def _contradiction(ledger: Ledger, had: int) -> str:
    """Return the search whose total exceeds the saved documents; "" if none, or size is given."""
    if ledger.size is not None or ledger.by_meaning:
        return ""
    query, most = largest_unread(ledger.query_ledgers)
    if not most:
        query, most = overstated(ledger.query_ledgers, had)
    concluded = ledger.concluded
    is_wrong = concluded is not None and is_doubted(concluded.discrepancies)
    if had >= (ENOUGH * most if is_wrong else most):  # where totals are wrong, a few more are noise
        return _shrunk(ledger, had) or _short(ledger)
    return (
        f"for {str(query)!r} the source reports {most:,} results, which is more than the "
        f"{counted(had, 'document')} that came; either its count is wrong or the rest is not shown"
    )


def _shrunk(ledger: Ledger, had: int) -> str:
    """Return that a search had more results before than documents came, by exact totals; or ""."""
    query, most = shrunk(ledger.query_ledgers)
    if had >= ENOUGH * most:
        return ""
    return (
        f"for {str(query)!r} the source reported {most:,} results, and later fewer; that is more "
        f"than the {counted(had, 'document')} that came: a part of it may be away"
    )


def _short(ledger: Ledger) -> str:
    """Return that answers have fewer results than the source reports, if many have."""
    limit = ledger.limit or ledger.inferred_limit()
    short, reported, rows = short_answers(ledger.query_ledgers, limit)
    if not short:
        return ""
    return (
        f"{short:,} searches brought fewer results than the source reports, {rows:,} for "
        f"{reported:,} in all: its counts are wrong, it groups results, or a part of each page is "
        "not read"
    )


def _cut(ledger: Ledger, had: int, least: int | None) -> str:
    """Return the evidence against a complete harvest if the size is unknown, or ""."""
    if had < (least or 0):
        return f"at least {counted((least or 0) - had, 'document is', 'documents are')} missing"
    cut = ledger.cut_queries
    if not cut:
        return ""
    return (
        f"{counted(cut, 'search')} showed only a part of {'its' if cut == 1 else 'their'} results; "
        "how many documents are missing is not known"
    )


def _untested(ledger: Ledger) -> str:
    """Return that no test search found anything, if there were many: they had the wrong words."""
    if ledger.probe_rows or len(ledger.probe_queries) < TESTED:
        return ""
    tests = counted(len(ledger.probe_queries), "test search", "test searches")
    return (
        f"none of {tests} found anything, so how many documents are missing is not known; "
        "words of its documents, given by the option `words`, make better ones"
    )


def _unlooked(finish: Finish, ledger: Ledger) -> str:
    """Return that only a person's own queries were sent, if nothing else shows what is missing."""
    if not finish.is_selection or ledger.believed().size is not None:
        return ""
    return "how many documents no query of the list finds is not known"


def _by_target(finish: Finish, ledger: Ledger, target: float) -> tuple[bool, str]:
    """Return whether the requested share is surely held, and the reason to report."""
    found, held = ledger.believed(), ledger.documents
    share, least = (held / most if most else None for most in (found.size, found.high))
    if least is not None and least >= target:
        return True, finish.reason
    if share is None:
        what = "the coverage is not known"
    else:
        sure = "" if least is None else f", at least {percent(least)} for sure"
        what = f"{percent(min(1.0, share))} of the documents are saved{sure}"
    return False, f"{what}; the target is {target:.1%}; {finish.reason}"
