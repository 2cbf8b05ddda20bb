"""A certificate in words: the summary of a harvest for people."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from longline.ledger._size import Believed
from longline.ledger.certificate import LEFT_OUT, LINKED, Certificate, Forecast, Truncation
from longline.ledger.metrics import cut_texts_counted, many_in_part
from longline.ledger.words.commands import in_folder
from longline.ledger.words.oddities import example, linked_pages, oddities, other_layouts
from longline.ledger.words.of_cost import cost_in_words
from longline.ledger.words.of_update import update_in_words
from longline.outcomes import Ending
from longline.text.numbers import counted, percent, span

MOST_CUT = 5
"""Maximum number of queries in a summary; the certificate names all."""

MOST_FIELDS = 6
"""Maximum number of fields in a summary; the certificate names all."""

MOST_LANGUAGES = 8
"""Maximum number of languages in a summary; the certificate names all."""

LEAST_SHARE = 0.01
"""Minimum share of documents of a language in a summary."""

SURE = 0.8
"""If the surely held share is lower, the summary says that "complete" is not sure."""

NOTS_SHOWN = 2
"""Maximum number of excluded terms that a table shows for a query."""

WAYS = {
    "capped": "the source shows no more than its limit",
    "clamped": "the first page has fewer results than were asked for",
    "short": "a page in the middle has fewer results than the first",
    "empty": "a later page is empty",
    "repeated": "results appear twice",
    "torn": "a page breaks off in the middle",
    "partial": "the source says that its answer is incomplete, or that results are hidden",
    "failed": "a page did not come, or could not be read",
}
"""Explanations of the kinds of cut."""


class Line(NamedTuple):
    """One line of a summary.

    Attributes:
        word: Its topic, in at most ten letters; `MEANINGS` explains each.
        text: The statement.
        more: Further lines that belong to it.
    """

    word: str
    text: str
    more: tuple[str, ...] = ()


def in_words(certificate: Certificate, folder: object = "DIR") -> str:
    """Summarise in a few lines what was saved, what it cost, and what is missing.

    Lines begin with a word of at most ten letters in a column of eleven.

    Args:
        certificate: Of the harvest.
        folder: Used in the commands that are named.
    """
    return "\n".join(
        f"{word:<10} {text}"
        for line in lines(certificate, folder)
        for word, text in ((line.word, line.text), *(("", each) for each in line.more))
    )


def lines(certificate: Certificate, folder: object = "DIR") -> list[Line]:
    """Return the lines of `in_words`."""
    return [
        Line(
            line.word,
            in_folder(line.text, certificate, folder),
            tuple(in_folder(each, certificate, folder) for each in line.more),
        )
        for line in _lines(certificate)
    ]


def _lines(certificate: Certificate) -> Iterator[Line]:
    outcome = certificate.outcome
    ending = str(Ending(outcome, certificate.cause)) if outcome else "none yet: a run is going on"
    low = certificate.hit_rate_low
    if outcome == "complete" and low is not None and low < SURE:
        ending += ", but too few test searches to be sure"
    yield Line("outcome", ending)
    yield from _got(certificate)
    if certificate.update:
        yield Line("update", *update_in_words(certificate.update))
    yield from _cost(certificate)
    yield from _ahead(certificate)
    yield from _not_got(certificate)
    yield from _odd(certificate)
    if certificate.stopped:
        yield Line("stopped", certificate.stopped)


def _got(certificate: Certificate) -> Iterator[Line]:
    held, size = certificate.documents, certificate.size
    if size is None:
        least = certificate.size_low
        number = "an unknown number" if least is None else f"at least {least:,}"
        yield Line("saved", f"{counted(held, 'document')} of {number}")
        if certificate.size_source not in ("", "not known"):
            yield Line("total", certificate.size_source)
    elif certificate.size_low == certificate.size_high == size:
        yield Line(
            "saved",
            f"{held:,} of {counted(size, 'document')} ({certificate.size_source}): "
            f"{max(0, size - held):,} missing",
        )
        yield from _estimated(certificate)
    else:
        yield Line(
            "saved", f"{held:,} of about {counted(size, 'document')}: {missing(certificate)}"
        )
        yield Line("total", f"{_between(certificate)}, estimated from {certificate.size_source}")
    if same := certificate.duplicate_documents:
        have = "document has" if same == 1 else "documents have"
        yield Line("duplicates", f"{same:,} {have} the same text as another")
    if many_in_part(some := certificate.cut_texts, held):
        have = "has" if some == 1 else "have"
        yield Line(
            "texts",
            f"{cut_texts_counted(some, held)} {have} only a part of the text: what result pages "
            "show, the title, or a page that breaks off, asks to log in, or lacks the words that "
            "were searched for",
        )
    if certificate.other_layouts:
        yield Line("layouts", other_layouts(certificate.other_layouts))
    share = percent(certificate.hit_rate, "not known")
    low, high = certificate.hit_rate_low, certificate.hit_rate_high
    if low is not None and high is not None and low < high:
        share += f" ({percent(low)} to {percent(high)})"
    overlap = certificate.overlapping_rate
    times = "" if overlap is None else f"; each document came {overlap:.2f} times"
    yield Line("coverage", f"{share}{times}")
    languages = certificate.languages.items()
    common = [pair for pair in languages if pair[1] >= LEAST_SHARE * held][:MOST_LANGUAGES]
    if common:
        rest = sum(certificate.languages.values()) - sum(count for _, count in common)
        named = [f"{count:,} {name}" for name, count in common]
        named += [f"{rest:,} in others"] if rest else []
        yield Line("languages", ", ".join(named))
    yield from _fields(certificate)


def _fields(certificate: Certificate) -> Iterator[Line]:
    """Describe the other data of documents, and how many have each field."""
    filled = sorted(certificate.fields.items(), key=lambda pair: -pair[1].filled)
    unfit = {name: each.unfit for name, each in filled if each.unfit}
    said = ", ".join(f"{name} {count:,}" for name, count in unfit.items())
    not_typed = f"values that are not of their type, and kept as text: {said}"
    if filled:
        named = [f"{name} {each.filled / max(each.of, 1):.0%}" for name, each in filled]
        more = len(named) - MOST_FIELDS
        others = f" and {more} more" if more > 0 else ""
        text = f"{len(named)}: {', '.join(named[:MOST_FIELDS])}{others}"
        yield Line("fields", text, (not_typed,) if unfit else ())
    unread = tuple(
        f"{count:,} {reason}" for reason, count in certificate.attachments_unread.items()
    )
    if certificate.attachments or unread:
        size = certificate.attachment_bytes / 1e6
        yield Line("files", f"{certificate.attachments:,} attachments, {size:,.1f} MB", unread)


def _estimated(certificate: Certificate) -> Iterator[Line]:
    """Report the probes' estimate, if the size was given anyway."""
    for each in certificate.estimates:
        if each.name == "probes":
            end = "more" if each.high is None else f"{each.high:,}"
            interval = f"{each.low:,} to {end}, 95 % sure"
            yield Line("estimate", f"{each.documents:,} ({interval}), from test searches")


def missing(certificate: Certificate) -> str:
    """Say how many documents may be missing; gone ones do not count."""
    held = certificate.documents + certificate.documents_gone
    low, high = certificate.size_low, certificate.size_high
    if high is None:
        return "how many are missing is not known"
    least, most = max(0, (low or 0) - held), high - held
    if most <= 0:
        return "none seems to be missing"
    if least == 0:
        return f"up to {most:,} may be missing"
    return f"{least:,}{f' to {most:,}' if most > least else ''} missing"


def _between(certificate: Certificate) -> str:
    low, high = certificate.size_low, certificate.size_high
    return (
        f"at least {low:,}"
        if high is None
        else f"{low:,} to {counted(high, 'document')} that words can find (95 % sure)"
    )


def saved_of(held: int, size: Believed) -> str:
    """Say in a clause how many documents are held of how many, with the interval.

    >>> saved_of(812, Believed(3077, 2708, 3595)), saved_of(812, Believed(low=900))
    ('812 of about 3,077 documents (2,708 to 3,595)', '812 of at least 900 documents')
    """
    if size.size is None:
        least = size.low if size.low is not None and size.low > held else None
        return (
            f"{counted(held, 'document')}"
            if least is None
            else f"{held:,} of at least {counted(least, 'document')}"
        )
    if size.low == size.high:
        return f"{held:,} of {counted(size.size, 'document')}"
    end = "or more" if size.high is None else f"to {size.high:,}"
    return f"{held:,} of about {counted(size.size, 'document')} ({size.low or 0:,} {end})"


def _cost(certificate: Certificate) -> Iterator[Line]:
    yield Line("cost", cost_in_words(certificate))
    if certificate.probes:
        yield Line(
            "tests",
            f"{counted(certificate.probes, 'test search')} to estimate the total brought "
            f"{counted(certificate.probe_documents, 'more document')}",
        )
    for name, line in certificate.budget.items():
        said = f"{line.allowed:,.10g} {name.replace('_', ' ')}"
        if line.used is not None:
            is_over = line.used > line.allowed
            said = (
                f"{line.used:,.10g} used, {said} allowed"
                if is_over
                else f"{line.used:,.10g} of {said}"
            )
        yield Line("budget", said)


def _ahead(certificate: Certificate) -> Iterator[Line]:
    found = certificate.forecast
    if found is not None:
        yield Line("forecast", f"{ahead(found)} (90 % sure): {brought(certificate, found)}")


def ahead(forecast: Forecast) -> str:
    """Say how far a forecast looks ahead.

    >>> ahead(
    ...     Forecast(
    ...         requests=1200, is_to_the_end=True, documents=3560, low=3410, high=3720, seconds=7300
    ...     )
    ... )
    'after 1,200 more requests, about 2.0 h, at the end of the budget'
    """
    takes = "" if forecast.seconds is None else f", about {span(forecast.seconds)}"
    end = ", at the end of the budget" if forecast.is_to_the_end else ""
    return f"after {counted(forecast.requests, 'more request')}{takes}{end}"


def brought(certificate: Certificate, forecast: Forecast) -> str:
    """Say how many documents will be saved then, of how many."""
    if forecast.low >= forecast.high:
        return f"no more than the {counted(forecast.documents, 'document')}"
    known = certificate.size is not None
    total = f" of about {certificate.size:,}" if known else "; how many there are is not known"
    return f"{forecast.low:,} to {counted(forecast.high, 'document')} saved{total}"


def _not_got(certificate: Certificate) -> Iterator[Line]:
    if left := sum(certificate.files_left.values()):
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in certificate.files_left.items())
        files = counted(left, "document is a file", "documents are files")
        yield Line("not saved", f"{files} ({kinds}); --attachments saves them")
    if (failed := certificate.documents_unread) > 0:
        yield Line(
            "failed",
            f"{counted(failed, 'listed document')} could not be read; `longline retry DIR` tries "
            f"{'it' if failed == 1 else 'them'} again",
            tuple(f"such as {each}" for each in example(certificate.failed_documents)),
        )
    if certificate.documents_gone:
        nouns = "listed document does", "listed documents do"
        yield Line("gone", f"{counted(certificate.documents_gone, *nouns)} not exist")
    placed = [
        f"{title!r} was shown in place of {counted(documents, 'document')}"
        for title, documents in certificate.placeholders.items()
    ]
    if len(placed) > MOST_CUT:
        placed[MOST_CUT:] = [f"and {len(placed) - MOST_CUT:,} more; the certificate names all"]
    if placed:
        yield Line("not saved", placed[0], tuple(placed[1:]))
    if certificate.disbelieved_pages:
        pages = certificate.disbelieved_pages
        yield Line("doubtful", f"{pages:,} answers; the next run asks for them again")
    if forbidden := len(certificate.robots_forbidden):
        listed = counted(forbidden, "listed document")
        yield Line("forbidden", f"{listed}, by robots.txt or as private addresses")
    if others := certificate.left_out:
        many = counted(len(others), "other search", "other searches")
        named = [*others[:MOST_CUT], f"and {len(others) - MOST_CUT:,} more"][: len(others)]
        said = f"{many} of the site; {LEFT_OUT} in the folder is a list of them to harvest"
        yield Line("left out", said, tuple(named))
    if (linked := certificate.linked) and linked.documents:
        listed = f"; {LINKED} in the folder lists them" if linked.left else ""
        yield Line("linked", linked_pages(linked) + listed)
    if certificate.unfinished_queries:
        left = certificate.unfinished_queries
        why = ", as little new was expected there" if certificate.outcome == "complete" else ""
        yield Line(
            "unfinished",
            f"{counted(left, 'search has', 'searches have')} further pages that were not asked "
            f"for{why}",
        )
    if not certificate.truncated_queries:
        yield Line("cut", split(certificate) or "no search was cut short by the source")
        return
    cut = counted(
        certificate.truncated_queries,
        "search shows only a part of its results",
        "searches show only a part of their results",
    )
    yield Line("cut", cut, tuple(_cuts(certificate)))


def split(certificate: Certificate) -> str:
    """Say how many searches were cut and split; "" if none."""
    if not certificate.split_queries:
        return ""
    cut = counted(certificate.split_queries, "search was", "searches were")
    own = "its" if certificate.split_queries == 1 else "their"
    return f"{cut} cut short by the source, and searches for {own} parts took {own} place"


def _cuts(certificate: Certificate) -> Iterator[str]:
    if certificate.split_queries:
        yield f"besides these, {split(certificate)}"
    for cut, count in sorted(certificate.cuts.items()):
        yield f"{count:,} {cut}: {WAYS[cut]}"
    if certificate.limit_source.startswith("inferred"):
        yield f"a limit of {certificate.limit:,} results ({certificate.limit_source})"
    worst = worst_cut(certificate.truncations)
    for each in worst[:MOST_CUT]:
        if each.cut == "capped" and not each.received:
            yield f"{each.query!r}: too many results, none received ({each.cut})"
        elif each.reported is None:
            yield f"{each.query!r}: {counted(each.received, 'result')} received ({each.cut})"
        else:
            yield (
                f"{each.query!r}: the source reports {counted(each.reported, 'result')}, "
                f"{each.received:,} received ({each.cut})"
            )
    if len(worst) > MOST_CUT:
        yield f"and {len(worst) - MOST_CUT:,} more; the certificate names all"


def worst_cut(truncations: Iterable[Truncation]) -> list[Truncation]:
    """Return cuts sorted by how much they hide, as far as known, most first."""
    return sorted(truncations, key=lambda each: (each.reported or 0) - each.received, reverse=True)


def _odd(certificate: Certificate) -> Iterator[Line]:
    """Say how the source treats words, and which answers are inconsistent."""
    if certificate.forms:
        yield Line("word forms", f"the source takes these for the same word: {certificate.forms}")
    losses = certificate.paging_losses
    if losses:
        lost = sum(each.lost for each in losses)
        repaired = sum(each.repaired for each in losses)
        yield Line(
            "lost",
            f"{counted(lost, 'result')} between the pages of {counted(len(losses), 'search')}; "
            f"narrower searches brought {repaired:,} documents that these had not",
        )
    if odd := oddities(certificate.discrepancies):
        yield Line("odd", odd[0], odd[1 : MOST_CUT + 1])


def short(query: str) -> str:
    """Shorten a query with many excluded terms, for a line of a table.

    >>> short("deep web NOT a NOT the NOT of NOT to"), short("deep NOT web")
    ('deep web NOT a NOT the and 2 more', 'deep NOT web')
    """
    wanted, *excluded = query.split(" NOT ")
    if len(excluded) <= NOTS_SHOWN + 1:
        return query
    shown = " NOT ".join([wanted, *excluded[:NOTS_SHOWN]])
    return f"{shown} and {len(excluded) - NOTS_SHOWN} more"
