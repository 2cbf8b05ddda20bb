"""Test when a harvest is complete: each reason against it, and its threshold."""

from collections.abc import Iterable
from typing import Any, Literal

import pytest

from longline.events import (
    Concluded,
    Discrepancy,
    DocumentFailed,
    DocumentReceived,
    PageDisbelieved,
    PageFailed,
    PageReceived,
    SizeEstimate,
)
from longline.ledger import Ledger, Namesakes, certificate_of
from longline.ledger.held import HeldTexts
from longline.ledger.verdict import TESTED, shortfall, verdict
from longline.model import Document, Finish, Hit, Page, Query, Request, Total
from longline.outcomes import Ending

NEXT = Request("https://x.example/?page=2")
DONE = Finish("all was asked")
CUT = Finish("the return limit hides some", target_met=False)


def ledger_of(documents: int, size: int | None = None, **options: int) -> Ledger:
    """Return a ledger with this many documents."""
    ledger = Ledger(size=size, **options)
    for number in range(documents):
        ledger.tell(DocumentReceived(Document(str(number))))
    return ledger


def estimated(documents: int, size: float, low: float, high: float | None) -> Ledger:
    """Return a ledger with this many documents and an estimated size."""
    ledger = ledger_of(documents)
    found = SizeEstimate(documents=size, low=low, high=high, method="probes", probes=200, hits=100)
    ledger.tell(Concluded(found))
    return ledger


def test_another_search_of_the_site_keeps_a_harvest_from_complete() -> None:
    """With no other reason, the other search is named by its address."""
    ledger = ledger_of(10, size=10)
    assert verdict(DONE, ledger).outcome == "complete"
    ledger.left_out = ("https://x.example/other",)
    stopped = verdict(DONE, ledger)
    assert (stopped.ending, stopped.target_met) == (Ending("partial", "missing"), False)
    assert "1 other search of the site was not harvested: https://x.example/o" in stopped.reason


def ending(finish: Finish, ledger: Ledger, target: float | None = None) -> Ending:
    """Return outcome and cause; without a target, only a complete harvest meets it."""
    stopped = verdict(finish, ledger, target)
    if target is None:
        assert stopped.target_met == (stopped.outcome == "complete")
    return stopped.ending


def missing(ledger: Ledger, finish: Finish = DONE) -> str:
    """Return why a harvest with a finished policy is partial; that is its only reason."""
    stopped = verdict(finish, ledger)
    assert stopped.ending in (Ending("partial", "missing"), Ending("partial", "cut"))
    reason, _, found = stopped.reason.partition("; ")
    assert reason == finish.reason
    assert found == shortfall(ledger)
    return found


def held_with(texts: list[str], /, requests: int = 0, **options: Any) -> Ledger:
    """Return a ledger that holds all documents, with these texts."""
    ledger = Ledger(size=len(texts), **options)
    for number, text in enumerate(texts):
        ledger.tell(DocumentReceived(Document(str(number), text=text), requests))
    return ledger


def test_pages_that_may_list_many_documents_and_did_not_come_are_missing() -> None:
    """Once they have come, or where they could list a few of many alone, it is complete."""
    for documents, outcome in (100, "partial"), (2000, "complete"):
        ledger, query = ledger_of(documents, size=documents), Query(("web",))
        first = Page(tuple(Hit(str(n)) for n in range(10)), next=NEXT)
        ledger.tell(PageReceived(query, 1, first))
        ledger.tell(PageFailed(query, 2, "status 500"))
        assert verdict(DONE, ledger).outcome == outcome
    small = ledger_of(100, size=100)
    small.tell(PageReceived(query, 1, first))
    small.tell(PageFailed(query, 2, "status 500"))
    assert "1 result page could not be loaded" in missing(small)
    small.tell(PageReceived(query, 2, Page((Hit("99"),))))
    assert verdict(DONE, small).outcome == "complete"


@pytest.mark.parametrize("texts", [["a part of …"] * 3, ["… of it"] * 3, ["a ...", "b...", "all"]])
def test_parts_of_texts_are_not_complete(texts: list[str]) -> None:
    """Most documents have only the text of their result pages, and more was wanted."""
    assert "only a part of their text (what result pages show" in missing(held_with(texts))
    assert ending(DONE, held_with(texts, requests=1)) == Ending("complete")
    asked_for_no_more = held_with(texts, texts="shown")
    assert ending(DONE, asked_for_no_more) == Ending("complete")
    assert certificate_of(asked_for_no_more).cut_texts > 1


def test_texts_that_are_their_titles_are_not_complete() -> None:
    """A text selector may find only the title on every document's page."""
    ledger = Ledger(size=3)
    for number in range(3):
        title = f"The {number}th letter"
        ledger.tell(DocumentReceived(Document(str(number), title=title, text=f" {title}\n"), 1))
    assert "no whole text was found to read" in missing(ledger)
    assert ending(DONE, ledger) == Ending("partial", "missing")
    assert certificate_of(ledger).cut_texts == 3


def found_by(words: str, texts: list[str], **options: Any) -> Ledger:
    """Return a ledger of documents with these texts, all found by a search for these words."""
    ledger = Ledger(size=len(texts), **options)
    keys = [str(number) for number in range(len(texts))]
    query = Query(tuple(words.split(" AND ")))
    ledger.tell(PageReceived(query, 1, Page(tuple(map(Hit, keys)))))
    for key, text in zip(keys, texts, strict=True):
        ledger.tell(DocumentReceived(Document(key, title=f"Record {key}", text=text), 1))
    return ledger


def test_texts_without_the_words_that_found_them_are_not_complete() -> None:
    """The source searches more than was saved, such as a text in a frame of the page."""
    ledger = found_by("tides", ["Shelf 1", "Shelf 2", "Of the tide and the moon"])
    assert "or a page without the words that were searched for" in missing(ledger)
    assert certificate_of(ledger).cut_texts == 2


def test_texts_that_say_they_go_on_are_not_complete() -> None:
    """Documents' own pages, too, may give only the beginning of a text."""
    ledger = found_by("tides", ["Of tides\n…", "The tides of\n…", "Of tides and the moon"])
    assert "2 documents have only a part of their text" in missing(ledger)
    assert certificate_of(found_by("tides", ["tides\n…", "tides", "tides"])).cut_texts == 1


def test_what_lists_a_document_that_is_held_says_nothing_of_its_text() -> None:
    """It may be reread, as by an update, and lack the words of another search."""
    texts, document = HeldTexts("whole"), Document("a", "", "", "Of tides.")
    for words, held in ("tides", ()), ("moon", ("a",)):
        texts.see(Query((words,)), Page((Hit("a"),)), held)
        texts.enter(document, is_listed=False)
    assert texts.in_part(1) == 0


def test_a_quarter_of_texts_that_are_cut_is_not_complete() -> None:
    """The start of a text has common words, so only some lack the words that found them."""
    ledger = found_by("tides", [f"Of tides and {n}" for n in range(28)] + ["Subscribe now"] * 12)
    assert "12 documents have only a part of their text" in missing(ledger)
    assert certificate_of(ledger).cut_texts == 12


def test_later_searches_show_which_texts_are_cut() -> None:
    """The first search found them by a word of their beginning; two others, by what follows."""
    ledger = found_by(
        "tides", [f"Of tides, moonlight, harbours and {n}" for n in range(32)] + ["Tides"] * 8
    )
    assert ending(DONE, ledger) == Ending("complete")
    rows = tuple(Hit(str(number)) for number in range(40))
    ledger.tell(PageReceived(Query(("moonlight",)), 1, Page(rows)))
    assert ending(DONE, ledger) == Ending("complete")
    ledger.tell(PageReceived(Query(("tiding",)), 1, Page(rows)))  # perhaps found by its stem
    assert ending(DONE, ledger) == Ending("complete")
    ledger.tell(PageReceived(Query(("harbour",)), 1, Page(rows)))
    assert "8 documents have only a part of their text" in missing(ledger)


@pytest.mark.parametrize(
    ("words", "texts"),
    [
        ("tides", ["Shelf 1", "Of the TIDE", "The tidal river", "Tide tables"]),
        ("cafés", ["the Café", "two cafes"]),
        ("deep web AND record", ["a deep web of lies"]),
        ("author:lu", ["Query selection", "Set covering"]),
    ],
)
def test_texts_with_the_words_that_found_them_are_whole(words: str, texts: list[str]) -> None:
    """Words count in any form, with or without accents, in title or text."""
    assert ending(DONE, found_by(words, texts)) == Ending("complete")
    assert certificate_of(found_by(words, texts)).cut_texts == 0


SNIPPET = (
    "... The herring fleet returned without fish after storms near Iceland damaged twenty boats"
)


@pytest.mark.parametrize(
    ("text", "is_whole"),
    [
        ("Read in the viewer. Download. Terms of use.", False),
        ("After the storms near Iceland the herring fleet returned; boats were damaged.", True),
    ],
)
def test_texts_without_what_lists_show_of_them_are_not_complete(text: str, is_whole: bool) -> None:
    """If everything is listed without words, the texts must contain their snippets."""
    ledger = Ledger(size=3)
    hits = tuple(Hit(str(number), snippet=SNIPPET) for number in range(3))
    ledger.tell(PageReceived(Query(()), 1, Page(hits)))
    for hit in hits:
        ledger.tell(DocumentReceived(Document(hit.key, title="News", text=text), 1))
    assert certificate_of(ledger).cut_texts == (0 if is_whole else 3)
    assert (shortfall(ledger) == "") == is_whole


@pytest.mark.parametrize(
    ("texts", "cut"),
    [
        (["The vote was\nSubscribe to continue reading."] * 4 + ["All of it."] * 60, 4),
        (["The vote was\nSubscribe to continue reading."] * 3 + ["All of it."] * 60, 0),
        (["The vote.\nLog in to post comments."] * 30 + ["All of it."] * 30, 0),
        (["The vote.\nSubscribe to read the full paper."] * 60 + ["All of it."] * 2, 0),
    ],
)
def test_texts_that_end_in_a_request_to_log_in_are_cut(texts: list[str], cut: int) -> None:
    """It must be to read on, and some other texts must not have it."""
    ledger = found_by("", texts)
    assert certificate_of(ledger).cut_texts == cut


def test_a_few_texts_that_lack_what_is_shown_of_them_are_not_those_of_their_documents() -> None:
    """An error, an embargo or another document's page may stand in their place."""
    ledger = Ledger(size=100)
    hits = tuple(Hit(str(number), snippet=SNIPPET) for number in range(100))
    ledger.tell(PageReceived(Query(()), 1, Page(hits)))
    for number, hit in enumerate(hits):
        text = f"An error occurred ({number})." if number < 5 else SNIPPET
        ledger.tell(DocumentReceived(Document(hit.key, title="News", text=text), 1))
    assert "5 documents have only a part of their text" in shortfall(ledger)


def with_answers(
    rows: list[int], reported: list[int], relation: Literal["exact", "about"] = "about"
) -> Ledger:
    """Return a ledger with answers on one page, all of whose documents are held."""
    ledger = estimated(sum(rows), sum(rows), sum(rows), sum(rows))
    keys = iter(range(sum(rows)))
    for place, (came, said) in enumerate(zip(rows, reported, strict=True)):
        hits = tuple(Hit(str(next(keys))) for _ in range(came))
        ledger.tell(PageReceived(Query((f"w{place}",)), 1, Page(hits, Total(said, relation))))
    return ledger


@pytest.mark.parametrize(
    ("rows", "reported", "is_short"),
    [
        ([3, 7, 2, 6, 4, 5], [5, 9, 3, 8, 5, 5], True),
        ([3, 7, 2, 6, 4, 5], [5, 9, 3, 8, 4, 5], False),  # four are no proof
        ([3, 7, 2, 6, 4, 9], [5, 9, 3, 8, 5, 7], False),  # counts are wrong either way
        ([30, 70, 20, 60, 40, 50], [33, 77, 22, 66, 44, 50], False),  # totals may be estimates
        ([9, 9, 9, 9, 9, 5], [31, 71, 21, 61, 41, 5], False),  # a limit, which is a cut
    ],
)
def test_answers_on_one_page_that_lack_results_are_not_complete(
    rows: list[int], reported: list[int], *, is_short: bool
) -> None:
    """Some rows of each page may not be read as hits."""
    said = shortfall(with_answers(rows, reported))
    assert ("a part of each page is not read" in said) == is_short


@pytest.mark.parametrize(("firsts", "is_short"), [([17, 19, 20] * 4, True), ([20] * 12, False)])
def test_first_pages_of_different_length_show_that_rows_are_not_read(
    firsts: list[int], *, is_short: bool
) -> None:
    """If each page has as many rows, rows may be lost between pages: others may bring them."""
    ledger = estimated(40, 40, 40, 42)
    for at, first in enumerate(firsts):
        query = Query((f"w{at}",))
        rows = [Hit(str(number)) for number in range(first + 10)]
        ledger.tell(PageReceived(query, 1, Page(tuple(rows[:first]), Total(36), NEXT)))
        ledger.tell(PageReceived(query, 2, Page(tuple(rows[first:]), Total(36))))
    assert ("a part of each page is not read" in shortfall(ledger)) == is_short


@pytest.mark.parametrize(("most", "limit"), [(40, 40), (37, None), (10, None)])
def test_totals_that_end_at_the_same_round_number_show_a_limit(
    most: int, limit: int | None
) -> None:
    """Some sources say only how many they show."""
    ledger = estimated(200, 200, 200, 205)
    for at in range(6):
        rows = tuple(Hit(str(at + number)) for number in range(most))
        ledger.tell(PageReceived(Query((f"w{at}",)), 1, Page(rows, Total(most))))
    assert ledger.inferred_limit() == limit


def test_a_total_that_was_larger_before_counts() -> None:
    """A part of the index may have gone in the middle of a harvest."""
    ledger = with_answers([5, 4], [5, 4], "exact")
    ledger.tell(PageReceived(Query(("w0",)), 2, Page((), Total(20))))
    ledger.tell(PageReceived(Query(("w0",)), 3, Page((), Total(5))))
    assert "reported 20 results, and later fewer" in missing(ledger)


def test_nearest_documents_need_not_hold_the_words() -> None:
    """A search by meaning returns similar documents."""
    assert ending(DONE, found_by("tides", ["the moon"], by_meaning=True)) == Ending("complete")


def test_some_texts_that_end_so_are_whole() -> None:
    """Half of the texts is too few to conclude anything."""
    assert ending(DONE, held_with(["so it went on ...", "all"])) == Ending("complete")
    assert certificate_of(held_with(["", "all"])).cut_texts == 1


def test_all_that_there_is_is_complete() -> None:
    """If every document of a given size is held, with no discrepancy, nothing is missing."""
    ledger = ledger_of(4, size=4)
    assert verdict(DONE, ledger).reason == "all was asked"
    assert ending(DONE, ledger) == Ending("complete")


def test_a_policy_that_was_thwarted_is_never_complete() -> None:
    """This holds whatever the ledger says, and the policy's reason is kept."""
    ledger = ledger_of(4, size=4)
    assert ending(CUT, ledger) == Ending("partial", "missing")
    assert verdict(CUT, ledger).reason == CUT.reason


def test_the_end_of_a_persons_own_queries_shows_nothing_about_other_documents() -> None:
    """Without a size, what no query of the list finds is not known; a reached size is enough."""
    own = Finish("every query of the list was sent", is_selection=True)
    stopped = verdict(own, ledger_of(4))
    assert stopped.ending == Ending("partial", "unknown")
    assert "no query of the list finds is not known" in stopped.reason
    assert ending(own, ledger_of(4, size=4)) == Ending("complete")
    assert ending(own, ledger_of(3, size=4)) == Ending("partial", "missing")


def test_a_size_that_is_given_is_to_be_held_to_the_last_document() -> None:
    """A share is not enough: the interval of a given size is a point."""
    assert missing(ledger_of(99, size=100)) == "about 1 document is missing"
    assert ending(DONE, ledger_of(100, size=100)) == Ending("complete")


def test_all_of_an_estimated_size_is_to_be_held() -> None:
    """If one document less is held than estimated, one is missing."""
    assert ending(DONE, estimated(1000, 1000, 990, 1100)) == Ending("complete")
    assert ending(DONE, estimated(1000, 1000, 990, None)) == Ending("complete")
    assert missing(estimated(999, 1000, 990, 1100)) == "about 1 document is missing"


def test_what_the_source_counts_and_every_test_holds_is_all() -> None:
    """An estimate of a document more is an extrapolation, unless a test brought one, too."""
    found = SizeEstimate(documents=1001, low=990, high=1100, method="probes", probes=200, hits=100)
    ledger = ledger_of(1000)
    ledger.tell(Concluded(found, at_least=1000))
    assert ending(DONE, ledger) == Ending("complete")
    ledger.tell(Concluded(found, at_least=1001))
    assert missing(ledger) == "about 1 document is missing"


def test_files_that_are_not_kept_are_missing() -> None:
    """They were received, so that no retry can bring them."""
    ledger = ledger_of(100)
    ledger.tell(DocumentFailed("x", "", "a file", media_type="application/pdf"))
    assert missing(ledger) == "1 listed file is not saved; `--attachments` saves them"


def test_documents_that_are_gone_are_not_missing() -> None:
    """They count as held, since the source itself says that they do not exist."""
    ledger = ledger_of(98, size=100)
    for key, status in (("x", 404), ("y", 410)):
        ledger.tell(DocumentFailed(key, "", "", status=status))
    assert ending(DONE, ledger) == Ending("complete")
    assert ledger.documents == 98


def test_many_documents_that_are_gone_may_be_elsewhere() -> None:
    """A source lists few deleted documents: many mean that their addresses are wrong."""
    ledger = ledger_of(3, size=5)
    for key in "xy":
        ledger.tell(DocumentFailed(key, "", "", status=404))
    assert ending(DONE, ledger) == Ending("partial", "missing")
    assert missing(ledger).startswith("2 documents that the source lists did not exist")


def test_results_that_the_source_says_it_hides_are_missing() -> None:
    """A total without them is reached; the source itself says that there are more."""
    ledger = ledger_of(40, size=40)
    rows = tuple(Hit(str(number)) for number in range(40))
    ledger.tell(PageReceived(Query(("tides",)), 1, Page(rows, Total(40))))
    assert ending(DONE, ledger) == Ending("complete")
    ledger.tell(PageReceived(Query(("moon",)), 1, Page(rows, Total(40), withheld=12)))
    assert "results are hidden from this visitor, up to 12 of them" in missing(ledger)


@pytest.mark.parametrize("status", [None, 403, 500])
def test_documents_that_could_not_be_read_are_missing(status: int | None) -> None:
    """Even one, of any size, makes it partial, and the retry command is named."""
    ledger = ledger_of(1000, size=1000)
    ledger.tell(DocumentFailed("x", "", "", status=status))
    ledger.tell(DocumentFailed("gone", "", "", status=404))
    found = missing(ledger)
    assert found.startswith("1 document that the source lists could not be read")
    assert "longline retry DIR" in found
    ledger.tell(DocumentReceived(Document("x")))
    assert ending(DONE, ledger) == Ending("complete")


def test_empty_answers_that_are_not_believed_may_hide_documents() -> None:
    """This holds until each page is received again."""
    ledger, query = ledger_of(4, size=4), Query(("web",))
    ledger.tell(PageDisbelieved(query, 1))
    ledger.tell(PageDisbelieved(Query(("sea",)), 1))
    assert missing(ledger).startswith("2 answers are doubtful")
    for word in ("web", "sea"):
        ledger.tell(PageReceived(Query((word,)), 1, Page()))
    assert ending(DONE, ledger) == Ending("complete")


def asked(ledger: Ledger, rows: Iterable[int], *, limit_hit: bool) -> None:
    """Record one query per number of rows, with a total that says whether it was cut."""
    for number, count in enumerate(rows):
        hits = tuple(Hit(f"{number}.{row}") for row in range(count))
        page = Page(hits, Total(count + limit_hit))
        ledger.tell(PageReceived(Query((f"q{number}",)), 1, page))


def test_without_a_size_a_cut_answer_hides_nobody_knows_how_much() -> None:
    """One cut answer is enough; complete answers leave nothing to report."""
    ledger = ledger_of(4)
    asked(ledger, [2, 2], limit_hit=False)
    assert ending(DONE, ledger) == Ending("complete")
    asked(ledger, [3], limit_hit=True)
    assert ending(DONE, ledger) == Ending("partial", "cut")
    assert missing(ledger).startswith("1 search showed only a part of its results")


def test_without_a_size_exact_totals_say_how_many_at_least() -> None:
    """Holding fewer than disjoint queries claim is too few."""
    ledger = ledger_of(4)
    ledger.tell(Concluded(at_least=5))
    assert missing(ledger) == "at least 1 document is missing"
    ledger.tell(DocumentReceived(Document("last")))
    assert ending(DONE, ledger) == Ending("complete")


def test_a_cut_answer_hides_nothing_where_the_size_says_that_all_is_held() -> None:
    """Other queries returned the rows that were cut."""
    ledger = ledger_of(4, size=4)
    asked(ledger, [3], limit_hit=True)
    assert ending(DONE, ledger) == Ending("complete")


@pytest.mark.parametrize(
    ("held", "met"),
    [(880, True), (879, False)],
)
def test_a_target_is_met_where_the_interval_shows_it(held: int, met: bool) -> None:
    """The share of the interval's upper end counts, not the share of the estimate."""
    stopped = verdict(DONE, estimated(held, 1000, 850, 1100), target=0.8)
    assert stopped.target_met is met
    assert stopped.ending == Ending("partial", "budget" if met else "missing")


def test_a_target_that_is_met_by_all_there_is_is_complete() -> None:
    """It is complete only if nothing else is missing and the policy reached its end."""
    assert ending(DONE, ledger_of(4, size=4), 0.9) == Ending("complete")
    assert ending(CUT, ledger_of(4, size=4), 0.9) == Ending("partial", "budget")
    ledger = ledger_of(4, size=4)
    ledger.tell(PageDisbelieved(Query(("web",)), 1))
    stopped = verdict(DONE, ledger, 0.9)
    assert (stopped.ending, stopped.target_met) == (Ending("partial", "budget"), True)


def test_a_target_that_is_not_met_says_what_is_held_and_what_of_it_is_sure() -> None:
    """Both shares are of the size; an unknown upper end or size makes a share unknown."""
    found = verdict(DONE, estimated(500, 1000, 850, 2000), target=0.8)
    assert found.reason == (
        "50.0% of the documents are saved, at least 25.0% for sure; the target is 80.0%; "
        "all was asked"
    )
    found = verdict(DONE, estimated(500, 1000, 850, None), target=0.4)
    assert found.reason == "50.0% of the documents are saved; the target is 40.0%; all was asked"
    assert not found.target_met
    found = verdict(CUT, ledger_of(5), target=0.1)
    assert found.reason.startswith("the coverage is not known; the target is 10.0%")
    assert (found.ending, found.target_met) == (Ending("partial", "missing"), False)
    assert verdict(DONE, ledger_of(5), target=0.1).ending == Ending("complete")


def test_what_robots_txt_keeps_out_altogether_is_blocked() -> None:
    """It is blocked if every document is forbidden; if some are held, the forbidden are missing."""
    ledger = ledger_of(0, size=2)
    for key in "xy":
        ledger.tell(DocumentFailed(key, "", "robots.txt disallows it", forbidden=True))
    assert ending(DONE, ledger) == Ending("blocked", "robots")
    ledger.tell(DocumentReceived(Document("x")))
    assert ending(DONE, ledger) == Ending("partial", "missing")
    said = verdict(DONE, ledger).reason
    assert "1 document that the source lists is disallowed by robots.txt" in said
    assert "retry" not in said


def test_a_search_by_meaning_is_never_complete_without_a_size() -> None:
    """Without a size it is partial with cause "unknown"; with a reached size it is complete."""
    page = Page(tuple(Hit(str(number)) for number in range(5)), Total(5))
    for size, ending in ((None, ("partial", "unknown")), (5, ("complete", ""))):
        ledger = Ledger(size=size, limit=5, by_meaning=True)
        for word in "abcdef":
            assert ledger.tell(PageReceived(query=Query((word,)), number=1, page=page)) == []
        for hit in page.hits:
            ledger.tell(DocumentReceived(document=Document(hit.key, text=hit.key)))
        stopped = verdict(Finish("all was asked"), ledger)
        assert (stopped.outcome, stopped.cause) == ending
        assert ledger.cut_queries == 0
        assert certificate_of(ledger).cuts == {}


@pytest.mark.parametrize(
    ("searches", "rows", "is_told"), [(5, 3, True), (4, 3, False), (5, 400, False)]
)
def test_many_rough_totals_above_all_that_is_saved_are_not_complete(
    searches: int, rows: int, is_told: bool
) -> None:
    """Unless they are few, or the source reports too little for other searches."""
    ledger = estimated(100, size=100, low=99, high=101)
    for number in range(searches):
        page = Page((Hit("1"), Hit("2")), Total(150 + number, "about"))
        ledger.tell(PageReceived(Query((f"w{number}",)), 1, page))
    hits = tuple(Hit(str(number % 100)) for number in range(rows))
    ledger.tell(PageReceived(Query(("sea",)), 1, Page(hits, Total(90, "about"))))
    told = verdict(DONE, ledger).reason
    assert ("the source reports 154 results, which is more than the 100" in told) == is_told


def test_a_total_above_all_that_is_saved_is_not_complete() -> None:
    """The source reports more for one search than all searches together returned."""
    for total, rows, is_told in (200, 1, True), (101, 1, True), (100, 1, False), (200, 200, False):
        ledger = estimated(100, size=100, low=99, high=101)
        page = Page(tuple(Hit(str(number)) for number in range(rows)), Total(total))
        ledger.tell(PageReceived(Query(("the",)), 1, page))
        ledger.tell(PageReceived(Query(("of",)), 1, Page((Hit("1"),), Total(40))))
        if is_told:
            said = f"for 'the' the source reports {total} results, which is more than the 100"
            assert f"{said} documents that came" in missing(ledger), "an update keeps others, too"
            assert ending(DONE, ledger) == Ending("partial", "cut")
        else:
            assert ending(DONE, ledger) == Ending("complete")


def test_an_estimate_below_what_one_search_reports_is_not_shown() -> None:
    """Test searches only know what searches show; nothing above that is sure."""
    ledger = estimated(741, size=741, low=741, high=749)
    ledger.tell(PageReceived(Query(("die",)), 1, Page((Hit("1"),), Total(1_252))))
    found = certificate_of(ledger)
    assert (found.size, found.size_low, found.size_high) == (None, 1_252, None)
    assert found.size_source == "not known; the source reports 1,252 for one search alone"
    odd = (Discrepancy(Query(("der",)), "count", 5, 4),)
    assert ledger.concluded is not None
    ledger.tell(Concluded(ledger.concluded.size, discrepancies=odd))
    assert certificate_of(ledger).size == 741  # the source's totals are wrong


def test_a_total_that_came_row_by_row_contradicts_nothing() -> None:
    """One search returned all 200 posts in 100 threads, another did not."""
    ledger = estimated(100, size=100, low=99, high=101)
    posts = tuple(Hit(str(number // 2)) for number in range(200))
    ledger.tell(PageReceived(Query(("the",)), 1, Page(posts, Total(200))))
    ledger.tell(PageReceived(Query(("of",)), 1, Page(posts[:50], Total(200))))
    assert shortfall(ledger) == ""


@pytest.mark.parametrize("given", [{"size": 100}, {"by_meaning": True}])
def test_a_size_that_is_given_goes_before_a_total(given: dict[str, Any]) -> None:
    """A given size, and a search by meaning, whose totals mean nothing, override it."""
    ledger = ledger_of(100, **given)
    ledger.tell(PageReceived(Query(("the",)), 1, Page((Hit("1"),), Total(200))))
    assert "200" not in shortfall(ledger)


def test_documents_of_one_title_are_not_complete_where_titles_tell_them_apart() -> None:
    """Only one document of each title is saved; a few are tolerated."""
    minutes = Page((Hit("Minutes"),) * 5)
    for held, is_told in (20, True), (200, False):
        ledger = ledger_of(held, size=held)
        ledger.namesakes = Namesakes()
        ledger.tell(PageReceived(Query(("the",)), 1, minutes))
        ledger.tell(PageReceived(Query(("of",)), 1, minutes))
        if is_told:
            assert missing(ledger).startswith("at least 4 documents have the title of another")
        else:
            assert ending(DONE, ledger) == Ending("complete")
    by_address = ledger_of(20, size=20)
    by_address.tell(PageReceived(Query(("the",)), 1, minutes))
    assert ending(DONE, by_address) == Ending("complete")


def test_a_limit_that_answers_exceed_cuts_nothing() -> None:
    """Three longer answers disprove the limit; one or two may list everything."""
    ledger = Ledger(limit=2)
    for number, rows in enumerate((2, 3, 3, 2, 3), start=1):
        hits = tuple(Hit(f"{number}-{row}") for row in range(rows))
        ledger.tell(PageReceived(Query((f"q{number}",)), 1, Page(hits)))
        assert ledger.cut_queries == (number if number < 5 else 0)


def test_a_harvest_whose_test_searches_find_nothing_is_not_complete() -> None:
    """Where all of many were empty, nothing was measured; one that finds something is enough."""
    ledger = ledger_of(10)
    for number in range(TESTED):
        assert ending(DONE, ledger) == Ending("complete")
        ledger.tell(PageReceived(Query((f"w{number}",)), 1, Page(), probe=True))
    assert ending(DONE, ledger) == Ending("partial", "unknown")
    assert "none of 20 test searches found anything" in verdict(DONE, ledger).reason
    ledger.tell(PageReceived(Query(("sea",)), 1, Page((Hit("1"),)), probe=True))
    assert ending(DONE, ledger) == Ending("complete")
