"""What a run that goes on knows of a site's answers from the runs before it."""

from longline.events import AnyEvent, PageDisbelieved, PageReceived, SourceChecked
from longline.harvester.journal import Site
from longline.model import Hit, Page, Query
from longline.source.trust.silence import Silence

NOTHING = Page()


def asked(word: str, page: Page = NOTHING, requests: int = 1) -> PageReceived:
    """Make a first page that came."""
    return PageReceived(Query((word,)), 1, page, requests)


def silence_after(*events: AnyEvent) -> Silence:
    """Return what a journal tells of answers without hits."""
    site = Site()
    for event in events:
        site.tell(event)
    return site.seen.silence


def words(silence: Silence) -> list[str]:
    """Return the queries whose answers without hits are believed."""
    return [query.required[0] for query, _ in silence.empty]


def test_answers_without_hits_are_known_still() -> None:
    """Those of earlier runs count no more either, once the source is caught in a lie."""
    hits = asked("web", Page((Hit("1"), Hit("2"))))
    silence = silence_after(asked("a"), hits, asked("b"), asked("b", requests=0))
    assert words(silence) == ["a", "b"]
    assert silence.wants_second_look()
    silence.suspects(Query(("c",)), 1, NOTHING)
    assert [query.required[0] for query, _ in silence.had_hits()] == ["a", "b"]


def test_what_is_believed_no_more_is_forgotten() -> None:
    """An answer that is asked for again is told once, when it comes again."""
    assert words(silence_after(asked("a"), asked("b"), PageDisbelieved(Query(("b",)), 1))) == ["a"]
    again = asked("b"), PageDisbelieved(Query(("b",)), 1), asked("b")
    assert words(silence_after(*again)) == ["b"]


def test_no_run_of_empty_answers_goes_on() -> None:
    """What was checked is proven."""
    checked = SourceChecked(answers=True)
    assert silence_after(asked("web", Page((Hit("1"),))), asked("a"), checked).unproven == []
