"""Test how many failures are tolerated: for each event, a check or the end of patience."""

import asyncio

import pytest

from longline.engine.patience import CHECKED_AFTER, KEPT_OUT, Patience
from longline.errors import (
    ChangedError,
    PageError,
    RefusedError,
    SilentError,
    SourceError,
    StrangerError,
    UnreachableError,
)
from longline.model import Document
from longline.outcomes import Ending
from longline.simulate import Searcher
from longline.simulate.search.memory import MemoryClient

ODD = PageError("no hits on it")
GONE = UnreachableError("nobody listens")


class Checked(MemoryClient):
    """A source with a fixed answer to the check of earlier results.

    Args:
        answer: True if they are confirmed, False if nothing is known, or the error to raise.
    """

    def __init__(self, answer: bool | SourceError) -> None:
        super().__init__(Searcher([Document("a")], limit=1, page_size=1))
        self.answer = answer
        self.checks: list[bool] = []

    async def check(self, *, documents: bool = False) -> bool:
        self.checks.append(documents)
        if isinstance(self.answer, SourceError):
            raise self.answer
        return self.answer


def patience(client: Checked, most: int = 5) -> Patience:
    """Make a patience for result pages."""
    return Patience(client, documents=False, most=most)


def bear(by: Patience, error: SourceError, times: int = 1) -> None:
    """Report an error this many times in a row."""
    for _ in range(times):
        asyncio.run(by.bear(error))


@pytest.mark.parametrize("documents", [False, True])
def test_a_few_failures_are_forgiven_before_anything_is_asked_again(documents: bool) -> None:
    """The third failure triggers a check, with a document if documents fail."""
    client = Checked(True)
    by = Patience(client, documents=documents, most=5)
    bear(by, ODD, CHECKED_AFTER - 1)
    assert client.checks == []
    bear(by, ODD)
    assert client.checks == [documents]


def test_while_all_is_right_it_is_asked_less_and_less_often() -> None:
    """Checks follow after 3 failures, 6 more, 12 more: single broken pages end no harvest."""
    client, at = Checked(True), []
    by = patience(client)
    for number in range(1, 50):
        bear(by, ODD)
        if len(client.checks) > len(at):
            at.append(number)
    assert at == [3, 9, 21, 45]


def test_what_comes_as_it_should_ends_a_row() -> None:
    """The count starts again, and the next check comes as early as the first."""
    client = Checked(True)
    by = patience(client)
    bear(by, ODD, 4)
    assert len(client.checks) == 1
    for _ in range(9):
        by.succeed()
        bear(by, ODD, 2)
    assert len(client.checks) == 1
    bear(by, ODD)
    assert len(client.checks) == 2


def test_where_nothing_is_known_to_be_right_there_is_an_end() -> None:
    """It ends after this many failures in a row; the error names the number and the last."""
    by = patience(Checked(False), most=5)
    bear(by, ODD, 4)
    with pytest.raises(SourceError, match="5 requests in a row failed, the last with: no hits"):
        bear(by, ODD)


def test_a_host_that_does_not_answer_is_soon_asked_again() -> None:
    """The second failure in a row triggers a check; with nothing to check, it ends the harvest."""
    client = Checked(True)
    by = patience(client)
    bear(by, GONE, 4)
    assert len(client.checks) == 2
    by = patience(Checked(False), most=99)
    bear(by, GONE)
    with pytest.raises(SourceError, match="2 requests in a row failed") as caught:
        bear(by, GONE)
    assert caught.value.ending == Ending("unreachable")
    assert "discover --relearn" not in caught.value.advice


@pytest.mark.parametrize("documents", [False, True])
def test_a_search_that_is_no_longer_there_has_changed(documents: bool) -> None:
    """To learn it again is the step that helps; documents that are not there are gone."""
    by = Patience(Checked(False), documents=documents, most=3)
    missing = RefusedError("404 Not Found", advice="check the URL", status=404)
    bear(by, missing, 2)
    with pytest.raises(SourceError, match="3 requests in a row failed") as caught:
        bear(by, missing)
    assert (caught.value.ending.outcome == "changed") is not documents
    assert ("discover --relearn" in caught.value.advice) is not documents


def test_one_time_out_among_other_failures_is_none_of_two() -> None:
    """A check follows at once, since two requests in a row failed."""
    client = Checked(True)
    by = patience(client)
    bear(by, ODD)
    bear(by, GONE)
    assert len(client.checks) == 1


def test_a_query_that_is_refused_for_itself_counts_for_nothing() -> None:
    """Other queries still have hits, so the failures before say nothing about the source either."""
    client, of_query = Checked(SilentError("gone")), RefusedError("status 400", status=400)
    of_query.is_of_query = True
    by = patience(client)
    for _ in range(9):
        bear(by, ODD, 2)
        bear(by, of_query)
    assert client.checks == []


@pytest.mark.parametrize("error", [ChangedError("other"), SilentError("nothing found")])
def test_what_was_asked_again_already_is_raised_as_it_is(error: ChangedError) -> None:
    """The error is raised at once, without another check."""
    client = Checked(True)
    with pytest.raises(ChangedError) as caught:
        bear(patience(client), error)
    assert caught.value is error
    assert client.checks == []


@pytest.mark.parametrize(
    ("failed", "ending"),
    [
        (RefusedError("status 429", status=429), Ending("blocked", "refused")),
        (UnreachableError("no answer"), Ending("unreachable")),
        (SilentError("nothing found"), Ending("blocked", "silence")),
        (StrangerError("login", ending=Ending("blocked", "login")), Ending("blocked", "login")),
        (ChangedError("other"), Ending("changed")),
    ],
)
def test_how_it_ends_is_what_the_check_saw(failed: SourceError, ending: Ending) -> None:
    """The result of the check decides the ending, as it says more than one unusable page."""
    by = patience(Checked(failed))
    bear(by, ODD, 2)
    with pytest.raises(SourceError, match="3 requests in a row failed") as caught:
        bear(by, ODD)
    assert caught.value.ending == ending
    assert caught.value.__cause__ is failed
    assert "discover --relearn" in caught.value.advice


def test_refusals_that_no_check_explains_end_as_their_status_says() -> None:
    """A source that looks changed because it refuses is blocked; relearning is not advised."""
    by = patience(Checked(ChangedError("other")))
    refused = RefusedError("status 403", status=403)
    bear(by, refused, 2)
    with pytest.raises(SourceError) as caught:
        bear(by, refused)
    assert caught.value.ending == Ending("blocked", "refused")
    assert "discover --relearn" not in caught.value.advice


@pytest.mark.parametrize(
    ("error", "most"),
    [
        (RefusedError("status 403", status=403), KEPT_OUT),
        (StrangerError("a login", ending=Ending("blocked", "login")), KEPT_OUT),
        (ODD, 9),
        (RefusedError("status 500", status=500), 9),
    ],
)
def test_a_source_that_keeps_visitors_out_is_soon_left_alone(error: SourceError, most: int) -> None:
    """With nothing to check it ends sooner than a source with broken pages."""
    by = patience(Checked(False), most=9)
    bear(by, error, most - 1)
    with pytest.raises(SourceError, match=f"{most} requests in a row failed"):
        bear(by, error)


@pytest.mark.parametrize(
    ("advice", "said"),
    [
        ("", "run it again later to continue"),
        ("try again later", "run it again later to continue"),
        ("check the key", "check the key; then run it again to continue"),
    ],
)
def test_what_to_do_is_said_once(advice: str, said: str) -> None:
    """The last failure's advice comes before the advice on resuming, and is not repeated."""
    error = RefusedError("status 500", advice=advice)
    with pytest.raises(SourceError, match="the last with: status 500;") as caught:
        bear(patience(Checked(False)), error, 5)
    assert caught.value.advice == said


@pytest.mark.parametrize(
    ("failed", "has_come", "waits"),
    [
        (GONE, True, 3),
        (RefusedError("status 503", status=503), True, 3),
        (GONE, False, 0),
        (RefusedError("status 403", status=403), True, 0),
        (ChangedError("other"), True, 0),
    ],
)
def test_only_a_source_that_came_before_is_waited_for(
    failed: SourceError, has_come: bool, waits: int
) -> None:
    """Only a source that answered before and does not answer now is waited for."""
    turns: list[int] = []

    async def outlast(error: SourceError, turn: int) -> bool:
        turns.append(turn)
        return turn < 2

    by = Patience(Checked(failed), documents=False, most=5, outlast=outlast)
    if has_come:
        by.succeed()
    bear(by, ODD, CHECKED_AFTER - 1)
    with pytest.raises(SourceError, match="in a row failed"):
        bear(by, ODD)
    assert turns == list(range(waits))


def test_many_that_fail_wait_together() -> None:
    """One task checks whether the source is back; the others continue or end with it."""

    async def outlast(error: SourceError, turn: int) -> bool:
        await asyncio.sleep(0)
        client.answer = True
        return True

    async def fail(by: Patience) -> None:
        await asyncio.gather(*(by.bear(GONE) for _ in range(9)))

    client = Checked(GONE)
    by = Patience(client, documents=True, most=5, outlast=outlast)
    by.succeed()
    asyncio.run(fail(by))
    assert client.checks == [True, True]
    client.answer, by = GONE, Patience(client, documents=True, most=5)
    with pytest.raises(SourceError, match="in a row failed"):
        asyncio.run(fail(by))
    assert len(client.checks) == 3
