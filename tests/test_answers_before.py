"""Test what a resumed run knows about a site's answers from earlier runs."""

from longline.events import AnyEvent, PageDisbelieved, PageReceived, SourceChecked
from longline.harvester.journal import Site
from longline.model import Hit, Page, Query
from longline.source.trust.silence import Silence

NOTHING = Page()


def asked(word: str, page: Page = NOTHING, requests: int = 1) -> PageReceived:
    """Make the event of a received first page."""
    return PageReceived(Query((word,)), 1, page, requests)


def silence_after(*events: AnyEvent) -> Silence:
    """Return the state of empty answers after these events."""
    site = Site()
    for event in events:
        site.tell(event)
    return site.seen.silence


def words(silence: Silence) -> list[str]:
    """Return the queries whose empty answers are trusted."""
    return [query.required[0] for query, _ in silence.empty]


def test_answers_without_hits_are_known_still() -> None:
    """Empty answers of earlier runs lose their trust once the source gave a false one."""
    hits = asked("web", Page((Hit("1"), Hit("2"))))
    silence = silence_after(asked("a"), hits, asked("b"), asked("b", requests=0))
    assert words(silence) == ["a", "b"]
    assert silence.wants_second_look()
    silence.suspects(Query(("c",)), 1, NOTHING)
    assert [query.required[0] for query, _ in silence.had_hits()] == ["a", "b"]


def test_what_is_believed_no_more_is_forgotten() -> None:
    """An answer that is requested again is listed once, when it is received again."""
    assert words(silence_after(asked("a"), asked("b"), PageDisbelieved(Query(("b",)), 1))) == ["a"]
    again = asked("b"), PageDisbelieved(Query(("b",)), 1), asked("b")
    assert words(silence_after(*again)) == ["b"]


def test_no_run_of_empty_answers_goes_on() -> None:
    """Empty answers that a check confirmed are proven."""
    checked = SourceChecked(answers=True)
    assert silence_after(asked("web", Page((Hit("1"),))), asked("a"), checked).unproven == []
