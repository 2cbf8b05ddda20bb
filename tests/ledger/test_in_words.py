"""Test the certificate in words: always true, and in words that are explained."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.events import DocumentFailed, UpdateCounts
from longline.ledger import (
    MEANINGS,
    BudgetLine,
    Certificate,
    Facts,
    Ledger,
    Odd,
    Truncation,
    certificate_of,
    headline,
    in_words,
    lines,
    next_steps,
    verdict_in_sentences,
)
from longline.ledger._size import LIST_OF_ALL
from longline.ledger.certificate import LinkedPages
from longline.ledger.words.in_sentences import ENDINGS
from longline.ledger.words.in_words import missing
from longline.outcomes import Ending

COUNTS = st.integers(0, 5000)
SIZES = st.one_of(st.none(), COUNTS)
ENDS = st.sampled_from(sorted(ENDINGS))


@st.composite
def certificates(draw: st.DrawFn) -> Certificate:
    """Generate certificates with any numbers, also ones that no harvest has."""
    outcome, cause = draw(ENDS)
    size, held = draw(SIZES), draw(COUNTS)
    low = draw(SIZES) if size is None else draw(st.integers(0, size))
    high = None if size is None else draw(st.one_of(st.none(), st.integers(size, 9999)))
    failed = draw(COUNTS)
    cut = draw(st.integers(0, 3))
    return msgspec.structs.replace(
        certificate_of(Ledger(), Facts(source="https://x.example/")),
        documents=held,
        cut_texts=draw(st.integers(0, held)),
        size=size,
        size_low=low,
        size_high=high,
        hit_rate=None if not size else min(1.0, held / size),
        documents_failed=failed,
        documents_gone=draw(st.integers(0, failed)),
        failed_documents=("one",) * min(failed, 3),
        files_left=draw(st.dictionaries(st.sampled_from(["image/tiff", "text/x"]), COUNTS)),
        placeholders=draw(st.dictionaries(st.text(max_size=3), COUNTS, max_size=2)),
        truncated_queries=cut,
        truncations=tuple(Truncation(f"q{each}", "capped", 9, 5) for each in range(cut)),
        cuts={"capped": cut} if cut else {},
        linked=draw(st.one_of(st.none(), st.builds(LinkedPages, COUNTS, COUNTS, COUNTS))),
        unfinished_queries=draw(COUNTS),
        budget={"requests": BudgetLine(5.0, 5.0)} if cause == "budget" else {},
        requests=draw(COUNTS),
        outcome=outcome,
        cause=cause,
        stopped=draw(st.sampled_from(["all was asked", "a run is going on", ""])),
    )


@given(certificates())
def test_nothing_missing_is_called_all(certificate: Certificate) -> None:
    """A headline says "all" only if the harvest is complete and a known total is reached."""
    said = headline(certificate)
    if said.startswith("All"):
        assert certificate.outcome == "complete"
        assert certificate.size is not None
        assert certificate.size == certificate.size_low == certificate.size_high
        assert certificate.documents >= certificate.size
    elif certificate.documents:
        assert f"{certificate.documents:,}" in said or certificate.documents == 1


@given(certificates())
def test_every_question_has_an_answer(certificate: Certificate) -> None:
    """Each statement has content, and an unfinished harvest names its next steps."""
    for question, answer in verdict_in_sentences(certificate):
        assert question.endswith("?")
        assert answer.strip(". ")
        assert "None" not in answer.replace("None seems to be missing", "")
    steps = next_steps(certificate, "DIR")
    if certificate.outcome != "complete":
        assert steps
    if certificate.documents_unread > 0:
        assert any("retry" in step.command for step in steps)


@given(certificates())
def test_lines_are_in_columns_and_their_words_are_explained(certificate: Certificate) -> None:
    """Each line starts with an explained word, in a column of eleven characters."""
    told = lines(certificate)
    assert not {line.word for line in told} - MEANINGS.keys()
    for line in in_words(certificate).splitlines()[: len(told)]:
        assert len(line) < 11 or line[10] == " "


def test_every_ending_has_a_sentence() -> None:
    """The report explains each outcome and cause that a harvest can have."""
    causes = ["", "budget", "cut", "missing", "unknown", "interrupted"]
    blocked = ["robots", "login", "captcha", "refused", "silence"]
    known = [Ending("partial", cause) for cause in causes]  # type: ignore[arg-type]
    known += [Ending("blocked", cause) for cause in blocked]  # type: ignore[arg-type]
    for outcome in ("complete", "unreachable", "changed", "empty", "failed"):
        known.append(Ending(outcome))  # type: ignore[arg-type]
    assert set(known) == set(ENDINGS)


@pytest.mark.parametrize(
    ("kind", "reported", "found", "said"),
    [
        ("count", 1, 0, "1 result reported, 0 received"),
        ("count", 2_000_000, 12, "2,000,000 results reported, 12 received"),
        ("parts", 1, 2, "its parts should have 1 document but have 2"),
        ("term", 0, 1, "1 result does not fit it by its text"),
        ("term", 3, 0, "no result, although 3 saved documents fit it"),
        ("hidden", 1, 0, "1 document matches, 0 were found"),
        ("hidden", 9, 1, "9 documents match, 1 was found"),
        ("stand-ins", 1, 0, "1 result was shown although nothing matched"),
        ("total changed", 1_234, 1_235, "the total was first 1,234, then 1,235"),
        ("a kind to come", 1.5, 2, "a kind to come: 1.5 reported, 2 found"),
    ],
)
def test_what_does_not_add_up_is_counted_as_people_count(
    kind: str, reported: float, found: float, said: str
) -> None:
    """Singular and plural are right, and a large number has all its digits."""
    empty = certificate_of(Ledger(), Facts(source="https://x.example/"))
    whole = msgspec.structs.replace(empty, discrepancies=(Odd("q", kind, reported, found),))
    assert f"'q': {said}\n" in f"{in_words(whole)}\n"


def test_a_page_that_did_not_come_contradicts_nothing() -> None:
    """It is listed with the failed searches; discrepancies are counted by kind."""
    empty = certificate_of(Ledger(), Facts(source="https://x.example/"))
    odd = [Odd("a", "page failed", 1, 0), Odd("b", "term", 3, 0), Odd("c", "term", 3, 1)]
    one, two = (msgspec.structs.replace(empty, discrepancies=tuple(odd[:n])) for n in (1, 3))
    assert "odd " not in in_words(one)
    said = "2 answers do not add up: 1 with no result where documents fit, 1 with results that"
    assert said in in_words(two)


def test_documents_that_are_gone_are_not_missing() -> None:
    """Documents that are still listed but deleted are no reason to continue."""
    empty = certificate_of(Ledger(), Facts(source="https://x.example/"))
    held = {"documents": 488, "documents_gone": 4, "size": 492, "size_low": 492, "size_high": 584}
    whole = msgspec.structs.replace(empty, **held)
    assert "saved      488 of about 492 documents: up to 92 may be missing" in in_words(whole)


def test_complete_is_qualified_where_much_may_be_missing() -> None:
    """If too few test searches exclude a missing third, the outcome says so."""
    empty = certificate_of(Ledger(), Facts(source="https://x.example/"))
    held = {"documents": 950, "size": 950, "size_low": 950, "hit_rate": 1.0, "hit_rate_high": 1.0}
    whole = msgspec.structs.replace(empty, **held, outcome="complete", cause="")
    unsure = msgspec.structs.replace(whole, size_high=1388, hit_rate_low=950 / 1388)
    assert "outcome    complete, but too few test searches to be sure\n" in in_words(unsure)
    sure = msgspec.structs.replace(whole, size_high=1000, hit_rate_low=0.95)
    assert "outcome    complete\n" in in_words(sure)


def test_few_pages_that_took_the_place_of_documents_are_named() -> None:
    """The list stays short, however many there are."""
    empty = certificate_of(Ledger(), Facts(source="https://x.example/"))
    many = msgspec.structs.replace(empty, placeholders={f"Error {n}": 2 for n in range(40)})
    said = in_words(many)
    assert "not saved  'Error 0' was shown in place of 2 documents\n" in said
    assert "and 35 more; the certificate names all" in said
    assert "Error 20" not in said


def test_what_a_source_lists_and_does_not_have_is_said() -> None:
    """What an update finds gone since the harvest before is counted apart."""
    empty = certificate_of(Ledger(), Facts(source="https://x.example/"))
    first = msgspec.structs.replace(empty, documents_gone=20)
    later = msgspec.structs.replace(first, update=UpdateCounts(since="2026-10-24", gone=3))
    assert "gone       20 listed documents do not exist\n" in in_words(first)
    assert "gone       20 listed documents do not exist\n" in in_words(later)


@pytest.mark.parametrize(
    ("high", "summary", "sentence"),
    [
        (9, "1 missing", "1 is missing."),
        (11, "1 to 3 missing", "1 to 3 are missing."),
    ],
)
def test_what_is_missing_is_counted(high: int, summary: str, sentence: str) -> None:
    """One number where both ends of the interval are the same."""
    empty = certificate_of(Ledger(), Facts(source="https://x.example/"))
    found = {"documents": 7, "documents_gone": 1, "size": 8, "size_low": 9, "size_high": high}
    found |= {"hit_rate": 7 / 8}
    told = msgspec.structs.replace(empty, **found)
    assert missing(told) == summary
    assert verdict_in_sentences(told)[0].answer.endswith(sentence)


def test_files_that_are_not_kept_are_to_be_saved_and_not_to_be_tried_again() -> None:
    """Each account of them names the option that saves them, and no document that failed."""
    ledger = Ledger()
    files = [DocumentFailed(key, "", "a file", media_type="image/tiff") for key in "abc"]
    for event in files:
        ledger.tell(event)
    assert ledger.failures.unread == 0
    found = certificate_of(ledger, Facts(source="https://x.example/"))
    assert "3 documents are files (3 image/tiff); --attachments saves them" in in_words(found)
    assert "retry" not in in_words(found)
    said = " ".join(each.answer for each in verdict_in_sentences(found))
    assert "3 documents are files, and not saved." in said
    assert "could not be read" not in said
    commands = [step.command for step in next_steps(found, "DIR")]
    assert "longline harvest DIR --attachments" in commands
    assert not any("retry" in command for command in commands)


def test_commands_name_the_folder() -> None:
    """The commands can be typed as they are printed."""
    certificate = certificate_of(Ledger(), Facts(source="https://x.example/"))
    found = msgspec.structs.replace(
        certificate, documents_failed=2, stopped="run `longline discover --relearn DIR`"
    )
    said = in_words(found, "my site")
    assert "2 listed documents could not be read; `longline retry 'my site'` tries them" in said
    assert "--relearn 'my site'`" in said
    assert "DIR" not in said
    assert any(
        "--relearn 'my site'`" in each.answer for each in verdict_in_sentences(found, "my site")
    )
    assert not any("DIR" in line.text for line in lines(found, "my site"))
    assert "`longline retry DIR`" in in_words(found)


def test_what_robots_txt_disallows_is_not_to_be_tried_again() -> None:
    """Neither the summary nor the next steps name a command that would be refused again."""
    certificate = certificate_of(Ledger(), Facts(source="https://x.example/"))
    found = msgspec.structs.replace(certificate, documents_failed=2, robots_forbidden=("a", "b"))
    said = in_words(found, "my site")
    assert "forbidden  2 listed documents, by robots.txt or as private addresses" in said
    assert "retry" not in said
    assert not any("retry" in step.command for step in next_steps(found, "my site"))


@given(certificates())
def test_searches_that_were_split_are_told_of(certificate: Certificate) -> None:
    """No summary says that the source cut nothing where parts took a search's place."""
    split = msgspec.structs.replace(certificate, split_queries=2)
    assert "2 searches were cut short by the source, and searches for their" in in_words(split)
    assert "no search was cut short" not in in_words(split)


def test_next_steps_lead_on() -> None:
    """A plan of a list, or of a folder with queries of its own, knows no other way."""
    partial = msgspec.structs.replace(
        certificate_of(Ledger(), Facts(source="http://localhost:8000/")),
        documents=9,
        outcome="partial",
        cause="missing",
        queries=1,
    )
    (listed, _) = next_steps(partial, "DIR")
    assert (listed.command, 'lists = "all"' in listed.words) == ("", True)
    (export,) = next_steps(msgspec.structs.replace(partial, size_source=LIST_OF_ALL), "DIR")
    assert export.command.startswith("longline export")  # lists = "all" stands there already
    many = msgspec.structs.replace(partial, queries=2)
    assert next_steps(many, "DIR")[0].command == "longline plan DIR --allow-private"
    own = msgspec.structs.replace(partial, strategy="list")
    command = "longline harvest DIR/source.toml --allow-private -o DIR-more"
    assert next_steps(own, "DIR")[0].command == command
    shut = msgspec.structs.replace(partial, outcome="blocked", cause="login")
    command = "longline harvest DIR --allow-private --header 'NAME: VALUE'"
    assert next_steps(shut, "DIR")[0].command == command
    failed = msgspec.structs.replace(partial, documents_failed=2)
    assert "`longline retry DIR --allow-private`" in in_words(failed)


def test_a_spec_that_finds_nothing_is_to_be_corrected_first() -> None:
    """The first step names the selector, and a stopped run keeps its limits."""
    stopped = msgspec.structs.replace(
        certificate_of(Ledger(), Facts(source="https://x.example/")),
        outcome="partial",
        cause="budget",
        queries=9,
    )
    assert next_steps(stopped, "DIR")[0].words.startswith("Correct `hit` in source.toml")
    untold = "the selector document.text 'css:div' finds no text on https://x.example/"
    failed = msgspec.structs.replace(
        stopped,
        rows_received=9,
        documents_failed=6,
        failed_documents=tuple(f"{number}: {untold}{number}" for number in range(6)),
    )
    assert next_steps(failed, "DIR")[0].words.startswith("Correct document.text in source.toml")
    limits = {"requests": BudgetLine(1500, 20), "seconds": BudgetLine(60.0, 9.0)}
    interrupted = msgspec.structs.replace(
        stopped, cause="interrupted", documents=3, rows_received=3, budget=limits
    )
    command = "longline harvest DIR --max-requests 1500 --max-time 60"
    assert next_steps(interrupted, "DIR")[0].command == command


def test_a_target_is_kept_until_it_is_reached() -> None:
    """The next command repeats a target that was missed, and says that it reads all after one."""
    missed = msgspec.structs.replace(
        certificate_of(Ledger(), Facts(source="https://x.example/")),
        outcome="partial",
        cause="budget",
        documents=3,
        target_coverage=0.95,
        budget={"requests": BudgetLine(50, 50)},
        requests=50,
    )
    assert next_steps(missed, "DIR")[0].command == (
        "longline harvest DIR --target-coverage 0.95 --max-requests 100"
    )
    met = msgspec.structs.replace(missed, target_met=True, budget={})
    words = "Read on to the end, as a target holds for one run alone: longline harvest DIR"
    assert str(next_steps(met, "DIR")[0]) == words
