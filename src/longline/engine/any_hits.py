"""End a run whose queries find nothing at all."""

from collections.abc import Callable

from longline.errors import PageError, SilentError, SourceError
from longline.events import PageDisbelieved
from longline.ledger import Ledger
from longline.outcomes import Ending
from longline.text.numbers import counted

QUERIES_WITHOUT_A_HIT = 100
"""After this many queries without any hit, the spec is probably wrong, not the words."""


def check_hits(
    ledger: Ledger, enter: Callable[..., object], least: int, failure: SourceError | None
) -> None:
    """Check that some query had real hits.

    Args:
        ledger: Has the queries of the harvest.
        enter: Adds new events to the ledger and the journal.
        least: With fewer queries than this, none needs to have any.
        failure: The error of the newest page that failed; None if none did.

    Raises:
        SourceError: None had any: the newest failure, or what is probably wrong.
    """
    ledgers = ledger.query_ledgers.values()
    if ledger.queries < least or any(each.documents for each in ledgers):
        return
    if failure is not None and not ledger.rows_received:
        raise failure
    searches = counted(ledger.queries, "search")
    if unproven := ledger.failures.unproven:
        enter(*(PageDisbelieved(*asked) for asked in unproven))
    if ledger.rows_received:
        raise SilentError(
            f"{searches} showed what the source shows where it finds nothing",
            advice="it may block visitors; run it again later to continue",
        )
    nothing = PageError(
        f"{searches} matched nothing",
        advice="the selector `hit` in source.toml may not fit this site, or the site may block "
        "visitors: run it again later, or harvest it by words of its texts (option `words`)",
    )
    nothing.ending = Ending("empty")
    raise nothing
