"""A certificate in words: what a person reads of a harvest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from longline.account.certificate import Certificate
from longline.outcomes import Ending

MOST_CUT = 5
"""Queries named in a summary; the certificate names all."""

MOST_FIELDS = 6
"""Fields named in a summary; the certificate names all."""

MOST_LANGUAGES = 8
"""Languages named in a summary; the certificate names all."""

LEAST_SHARE = 0.01
"""Languages of fewer documents are left out of a summary."""

LOSS = ("lost", "repaired")

WAYS = {
    "capped": "the source shows no more than its limit",
    "clamped": "the first page has fewer results than were asked for",
    "short": "a page in the middle has fewer results than the first",
    "empty": "a later page is empty",
    "repeated": "results appear twice",
    "torn": "a page breaks off in the middle",
    "failed": "a page could not be loaded",
}
"""How an answer can fall short, in words."""

ODDITIES = {
    "count": "{claimed} results reported, {found} received",
    "parts": "its parts should have {claimed} documents but have {found}",
    "term": "of {claimed} results, {found} contain the words that were searched for",
    "hidden": "{claimed} documents match, {found} were found",
    "stand-ins": "{claimed} results were shown although nothing matched",
    "total changed": "the total was first {claimed}, then {found}",
}
"""What does not add up, in words; others are named by their kind."""


def in_words(certificate: Certificate) -> str:
    """Say in a few lines what was got, what it cost, and what was not got.

    Lines begin with a word of at most ten letters in a column of eleven.
    """
    return "\n".join(
        [
            f"outcome    {Ending(certificate.outcome, certificate.cause)}",
            *_got(certificate),
            *_updated(certificate),
            *_cost(certificate),
            *_not_got(certificate),
            *_odd(certificate),
            f"stopped    {certificate.stopped}",
        ]
    )


def _got(certificate: Certificate) -> Iterator[str]:
    held, size = certificate.documents, certificate.size
    if size is None:
        least = certificate.size_low
        number = "an unknown number" if least is None else f"at least {least:,}"
        yield f"saved      {held:,} documents of {number}"
        if certificate.size_source.startswith("not known:"):
            yield f"total      {certificate.size_source}"
    elif certificate.size_low == certificate.size_high == size:
        missing = max(0, size - held)
        yield (
            f"saved      {held:,} of {size:,} documents ({certificate.size_source}): "
            f"{missing:,} missing"
        )
        yield from _estimated(certificate)
    else:
        yield f"saved      {held:,} of about {size:,} documents: {_missing(certificate)}"
        yield f"total      {_between(certificate)}, estimated from {certificate.size_source}"
    share = "not known" if certificate.hit_rate is None else f"{certificate.hit_rate:.1%}"
    low, high = certificate.hit_rate_low, certificate.hit_rate_high
    if low is not None and high is not None and low < high:
        share += f" ({low:.1%} to {high:.1%})"
    overlap = certificate.overlapping_rate
    times = "" if overlap is None else f"; each document came {overlap:.2f} times"
    yield f"coverage   {share}{times}"
    common = [
        f"{count:,} {name}"
        for name, count in certificate.languages.items()
        if count >= LEAST_SHARE * held
    ]
    if common:
        named = common
        others = f" and {len(named) - MOST_LANGUAGES} more" if len(named) > MOST_LANGUAGES else ""
        yield f"languages  {', '.join(named[:MOST_LANGUAGES])}{others}"
    yield from _fields(certificate)


def _fields(certificate: Certificate) -> Iterator[str]:
    """Say what documents have besides their texts, and how full each field is."""
    filled = sorted(certificate.fields.items(), key=lambda pair: -pair[1].filled)
    if filled:
        named = [f"{name} {each.filled / max(each.of, 1):.0%}" for name, each in filled]
        more = len(named) - MOST_FIELDS
        others = f" and {more} more" if more > 0 else ""
        yield f"fields     {len(named)}: {', '.join(named[:MOST_FIELDS])}{others}"
    unfit = {name: each.unfit for name, each in filled if each.unfit}
    if unfit:
        said = ", ".join(f"{name} {count:,}" for name, count in unfit.items())
        yield f"           values that are not of their type, and kept as text: {said}"
    if certificate.attachments:
        size = certificate.attachment_bytes / 1e6
        yield f"files      {certificate.attachments:,} attachments, {size:,.1f} MB"
    for reason, count in certificate.attachments_unread.items():
        yield f"           {count:,} {reason}"


def _updated(certificate: Certificate) -> Iterator[str]:
    """Say how an update's documents stand to those of the harvest before."""
    counts = certificate.update
    if counts is None:
        return
    yield (
        f"update     since {counts.since[:10]}: {counts.new:,} new, {counts.changed:,} changed, "
        f"{counts.unchanged:,} unchanged, {counts.gone:,} gone"
    )
    if counts.unchecked:
        yield f"           {counts.unchecked:,} could not be checked; they are kept as they were"
    if counts.reread:
        yield (
            f"           {counts.reread:,} were read again although their rows looked the same: "
            f"{counts.reread_changed:,} had changed"
        )


def _estimated(certificate: Certificate) -> Iterator[str]:
    """Say what probes believed, where the size was given all the same."""
    for each in certificate.estimates:
        if each.name == "probes":
            end = "more" if each.high is None else f"{each.high:,}"
            between = f"{each.low:,} to {end}, 95 % sure"
            yield f"estimate   {each.documents:,} ({between}), from test searches"


def _missing(certificate: Certificate) -> str:
    """Say in plain words how many documents may not be held."""
    held, low, high = certificate.documents, certificate.size_low, certificate.size_high
    if high is None:
        return "how many are missing is not known"
    least, most = max(0, (low or 0) - held), high - held
    if most <= 0:
        return "none seems to be missing"
    return f"up to {most:,} missing" if least == 0 else f"{least:,} to {most:,} missing"


def _between(certificate: Certificate) -> str:
    low, high = certificate.size_low, certificate.size_high
    return f"at least {low:,}" if high is None else f"{low:,} to {high:,} documents (95 % sure)"


def _cost(certificate: Certificate) -> Iterator[str]:
    yield (
        f"cost       {certificate.queries:,} searches: {certificate.result_pages:,} result pages, "
        f"{certificate.document_pages:,} document pages, {certificate.other_requests:,} other "
        f"requests"
    )
    if certificate.probes:
        yield (
            f"probes     {certificate.probes:,} test searches to estimate the total: "
            f"{certificate.probe_pages:,} result pages; "
            f"they brought {certificate.probe_documents:,} more documents"
        )
    for name, line in certificate.budget.items():
        used = "" if line.used is None else f"{line.used:,.10g} of "
        yield f"budget     {used}{line.allowed:,.10g} {name.replace('_', ' ')}"


def _not_got(certificate: Certificate) -> Iterator[str]:
    left = sum(certificate.files_left.values())
    if left:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in certificate.files_left.items())
        yield f"not saved  {left:,} documents are files ({kinds}); --attachments saves them"
    if failed := certificate.documents_failed - certificate.documents_gone - left:
        yield f"failed     {failed:,} listed documents could not be read; try: longline retry"
    if certificate.documents_gone:
        yield f"gone       {certificate.documents_gone:,} listed documents do not exist"
    for title, documents in certificate.placeholders.items():
        yield f"not saved  {title!r} was shown in place of {documents:,} documents"
    if certificate.disbelieved_pages:
        pages = certificate.disbelieved_pages
        yield f"doubtful   {pages:,} empty answers; the next run asks for them again"
    if certificate.robots_forbidden:
        forbidden = len(certificate.robots_forbidden)
        yield f"forbidden  {forbidden:,} of them by robots.txt, or as private addresses"
    if certificate.unfinished_queries:
        left = certificate.unfinished_queries
        yield f"unfinished {left:,} searches have further pages that were not asked for"
    if not certificate.truncated_queries:
        yield "cut        no search was cut short by the source"
        return
    yield f"cut        {certificate.truncated_queries:,} searches show only a part of their results"
    for cut, count in sorted(certificate.cuts.items()):
        yield f"           {count:,} {cut}: {WAYS[cut]}"
    if certificate.limit_source.startswith("inferred"):
        yield f"           a limit of {certificate.limit:,} results ({certificate.limit_source})"
    worst = sorted(
        certificate.truncations, key=lambda each: (each.claimed or 0) - each.received, reverse=True
    )
    for each in worst[:MOST_CUT]:
        if each.claimed is None:
            yield f"           {each.query!r}: {each.received:,} results received ({each.cut})"
        else:
            yield (
                f"           {each.query!r}: the source reports {each.claimed:,} results, "
                f"{each.received:,} received ({each.cut})"
            )
    if len(worst) > MOST_CUT:
        yield f"           and {len(worst) - MOST_CUT:,} more; the certificate names all"


def _odd(certificate: Certificate) -> Iterator[str]:
    """Say how the source reads words, and what did not add up."""
    if certificate.forms:
        yield f"word forms the source takes these for the same word: {certificate.forms}"
    losses = certificate.paging_losses
    if losses:
        lost, repaired = (sum(getattr(each, name) for each in losses) for name in LOSS)
        yield (
            f"lost       {lost:,} results between the pages of {len(losses):,} searches; "
            f"other searches brought {repaired:,} of their documents"
        )
    odd = certificate.discrepancies
    if not odd:
        return
    kinds = Counter(each.kind for each in odd).most_common()
    yield f"odd        {len(odd):,} answers contradict themselves: " + ", ".join(
        f"{count:,} {kind}" for kind, count in kinds
    )
    for each in odd[:MOST_CUT]:
        words = ODDITIES.get(each.kind, f"{each.kind}: {{claimed}} reported, {{found}} found")
        said = words.format(claimed=f"{each.claimed:,g}", found=f"{each.found:,g}")
        yield f"           {each.query!r}: {said}"
