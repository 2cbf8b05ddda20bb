"""A certificate in sentences, for someone new to longline, with next steps."""

from collections.abc import Iterator
from typing import NamedTuple

from longline.ledger._size import LIST_OF_ALL
from longline.ledger.budget import requests_left
from longline.ledger.certificate import LEFT_OUT, LINKED, Certificate
from longline.ledger.metrics import cut_texts_counted, many_in_part
from longline.ledger.words.commands import allowed, in_folder
from longline.ledger.words.in_words import WAYS, ahead, brought, missing, split
from longline.ledger.words.oddities import linked_pages, other_layouts
from longline.outcomes import SEARCHED, Outcome
from longline.text.numbers import counted, percent
from longline.text.safe import quoted

ENDINGS: dict[tuple[Outcome, str], str] = {
    ("complete", ""): "All was asked for, and nothing shows that anything is missing.",
    ("partial", ""): "It ended before everything was asked for.",
    ("partial", "budget"): "What it was allowed to use is used up.",
    ("partial", "cut"): "Its searches are done, but the site shows only a part of some results.",
    ("partial", "missing"): "Its searches are done, but some documents did not come.",
    ("partial", "interrupted"): "It was interrupted.",
    ("partial", "unknown"): "Its searches are done, and none of them shows what is missing.",
    ("blocked", "robots"): "The site's robots.txt asks programs to stay away.",
    ("blocked", "login"): "The site asks for a login.",
    ("blocked", "captcha"): "The site asks visitors to prove that they are human.",
    ("blocked", "refused"): "The site refused to answer.",
    ("blocked", "silence"): "The site says of every search that nothing was found.",
    ("unreachable", ""): "The site did not answer, or only with errors of its own.",
    ("changed", ""): "The site no longer answers as it did when it was learnt.",
    ("empty", ""): "Every answer was empty.",
    ("failed", ""): "Answers came that cannot be used.",
}
"""How a harvest ended, in a sentence."""

FEW = 5
"""If so many searches found nothing, or so many documents had no text, the spec is wrong."""

NO_TEXT = "the selector document.text"
"""In the reason why a document failed."""


class Statement(NamedTuple):
    """The answer to one question."""

    question: str
    answer: str


class Step(NamedTuple):
    """A next step, and its command; "" if there is none.

    >>> str(Step("Write the documents to one file", "longline export site -o site.jsonl"))
    'Write the documents to one file: longline export site -o site.jsonl'
    """

    words: str
    command: str = ""

    def __str__(self) -> str:
        return f"{self.words}: {self.command}" if self.command else f"{self.words}."


def headline(certificate: Certificate) -> str:
    """Say in one clause how many documents are held of how many.

    It says "all" only if the harvest is complete, and its total is given and reached.
    """
    held, size = certificate.documents, certificate.size
    if not held:
        return "No documents are saved"
    if size is None:
        least = certificate.size_low
        if least is None or least <= held:
            return f"{_documents(held)} saved; how many there are is not known"
        return f"{held:,} of at least {counted(least, 'document is', 'documents are')} saved"
    if certificate.size_low != certificate.size_high:
        return f"{held:,} of about {counted(size, 'document is', 'documents are')} saved"
    if held >= size and certificate.outcome == "complete":
        return f"All {counted(size, 'document is', 'documents are')} saved"
    return f"{held:,} of {counted(size, 'document is', 'documents are')} saved"


def verdict_in_sentences(certificate: Certificate, folder: str = "DIR") -> list[Statement]:
    """Answer the main questions of a reader, one by one.

    How much is saved and how sure that is, what was cut, what failed, why it ended, and what more
    requests would bring.

    Args:
        certificate: Of the harvest.
        folder: Used in the commands that are named.
    """
    return [
        Statement("How much is saved?", f"{headline(certificate)}. {_missing(certificate)}"),
        Statement("How sure is that?", _sure(certificate)),
        Statement("What was cut short?", _cut(certificate)),
        Statement("What did not come?", " ".join(_not_had(certificate)) or _nothing(certificate)),
        Statement("Why did it end?", in_folder(_ended(certificate), certificate, folder)),
        *_further(certificate),
    ]


def _documents(count: int) -> str:
    return counted(count, "document is", "documents are")


def _missing(certificate: Certificate) -> str:
    share, said = certificate.hit_rate, missing(certificate)
    if said.endswith(" missing") and not said.startswith(("none", "up to")):
        said = f"{said.removesuffix('missing')}{'is' if said == '1 missing' else 'are'} missing"
    if certificate.size is None:
        return "How many are missing is not known."
    covered = "" if share is None else f"That is {percent(share)} of them"
    low, high = certificate.hit_rate_low, certificate.hit_rate_high
    if low is not None and high is not None and low < high:
        covered += f" ({percent(low)} to {percent(high)})"
    return f"{covered}; {said}." if covered else f"{said[0].upper()}{said[1:]}."


def _sure(certificate: Certificate) -> str:
    size, low, high = certificate.size, certificate.size_low, certificate.size_high
    if size is None:
        if low is None:
            _, _, why = certificate.size_source.partition("not known: ")
            because = f", because {why}" if why else ""
            return f"Nobody told the total, and there is no estimate of it{because}."
        return f"There are at least {counted(low, 'document')}; nothing tells how many more."
    if low == high:
        return f"The total of {size:,} was {certificate.size_source}; it is not an estimate."
    between = f"at least {low:,}" if high is None else f"between {low:,} and {high:,}"
    return (
        f"The total is an estimate: {between}, which holds in 95 of 100 such cases. It comes from "
        f"{certificate.size_source}. A test search asks for a random word: the part of its results "
        "that is already saved shows what part of all documents is saved. Documents that no word "
        "can find are not in this estimate."
    )


def _cut(certificate: Certificate) -> str:
    others = split(certificate)
    if not certificate.truncated_queries:
        return f"{others or 'No search was cut short by the source'}."
    ways = "; ".join(f"{count:,}: {WAYS[cut]}" for cut, count in sorted(certificate.cuts.items()))
    limit = "" if certificate.limit is None else f" It shows {certificate.limit:,} at most."
    many = certificate.truncated_queries
    return (
        f"{many:,} of {_searches(certificate.queries)} {'show' if many != 1 else 'shows'} only a "
        f"part of {'their' if many != 1 else 'its'} results ({ways}).{limit} Documents that only "
        f"such a search finds may be missing; other searches may have brought them."
        + (f" Besides these, {others}." if others else "")
    )


def _not_had(certificate: Certificate) -> Iterator[str]:
    if (failed := certificate.documents_unread) > 0:
        yield f"{_listed(failed)} could not be read."
    if files := sum(certificate.files_left.values()):
        yield f"{counted(files, 'document is a file', 'documents are files')}, and not saved."
    if certificate.documents_gone:
        gone = _listed(certificate.documents_gone)
        yield f"The source says of {gone} that there is no such document."
    if forbidden := len(certificate.robots_forbidden):
        yield f"robots.txt, or a private address, keeps {_listed(forbidden)} out."
    if certificate.left_out:
        others = ", ".join(certificate.left_out)
        yield f"Other searches of the site have other documents, and were not harvested: {others}."
    if (linked := certificate.linked) and linked.documents:
        listed = f" Their addresses are in {LINKED}." if linked.left else ""
        yield f"{linked_pages(linked)}.{listed}"
    if placed := sum(certificate.placeholders.values()):
        yield f"In the place of {counted(placed, 'document')} the same page was shown."
    if many_in_part(some := certificate.cut_texts, certificate.documents):
        yield (
            f"Of {cut_texts_counted(some, certificate.documents)} only a part of the text is "
            "saved: what result pages show, the title, or a page that breaks off, asks to log in, "
            "or lacks the words that were searched for."
        )
    if certificate.other_layouts:
        yield f"{other_layouts(certificate.other_layouts)}."
    if failed_pages := certificate.cuts.get("failed"):
        yield f"Result pages of {_searches(failed_pages)} could not be loaded."
    if certificate.disbelieved_pages:
        yield (
            f"{certificate.disbelieved_pages:,} answers are doubtful: they came empty, or "
            "incomplete, while others did, too."
        )
    if certificate.unfinished_queries:
        yield f"Further pages of {_searches(certificate.unfinished_queries)} were not asked for."


def _listed(count: int) -> str:
    return counted(count, "listed document")


def _searches(count: int) -> str:
    return counted(count, "search")


def _nothing(certificate: Certificate) -> str:
    if certificate.documents:
        return "Nothing: every document that was listed came."
    return "No document was listed."


def _further(certificate: Certificate) -> Iterator[Statement]:
    found = certificate.forecast
    if found is not None:
        answer = (
            f"{ahead(found).capitalize()}: {brought(certificate, found)}. That holds in 90 of 100 "
            "such cases; it supposes that the harvest goes on as it did."
        )
        yield Statement("What would more requests bring?", answer)


def _ended(certificate: Certificate) -> str:
    outcome, reason = certificate.outcome, certificate.stopped
    if not outcome:
        return "It did not: a run is going on."
    why = ENDINGS.get((outcome, certificate.cause), "")
    told = f"{reason[:1].upper()}{reason[1:]}."
    return told if reason.startswith("the last run was") else f"{why} {told}".strip()


def next_steps(certificate: Certificate, folder: str) -> list[Step]:
    """Return the next steps, the best first.

    Args:
        certificate: Of the harvest.
        folder: Its path.
    """
    steps = list(_to_go_on(certificate, folder))
    if certificate.documents:
        export = f"longline export {quoted(folder)} -o {quoted(f'{folder}.jsonl')}"
        steps.append(Step("Write the documents to one file", export))
    return steps


def _to_go_on(certificate: Certificate, folder: str) -> Iterator[Step]:
    option = allowed(certificate)
    others, to = quoted(f"{folder}/{LEFT_OUT}"), quoted(f"{folder}-left-out")
    spec, anew = quoted(f"{folder}/source.toml"), quoted(f"{folder}-more")
    folder = quoted(folder) + option
    again = f"longline harvest {folder}"
    update = f"longline update {folder}"
    if fault := _fault_of_spec(certificate):
        if certificate.rows_received:  # what was listed is asked for again
            yield Step(f"{fault}; then continue", again)
        else:
            command = f"longline harvest {spec}{option} -o {anew}"
            yield Step(f"{fault}; then harvest into a new folder", command)
    if certificate.left_out:
        words = "Harvest the other searches of the site, each into a folder of its own"
        yield Step(words, f"longline harvest {others}{option} -o {to}")
    is_searched = certificate.outcome == "complete" or certificate.cause in SEARCHED - {""}
    match certificate.outcome, certificate.cause:
        case "complete" | "", _:
            pass
        case _, "budget" | "interrupted" if certificate.update is not None:
            yield Step("Check what this update did not come to", update)
        case "partial", "budget":
            yield _more(certificate, again)
        case "partial", "cut" | "missing" | "unknown":
            if many_in_part(certificate.cut_texts, certificate.documents):
                words = (
                    "Write in source.toml where whole texts are (document.text), or give "
                    "the cookies of your own session (--cookies FILE) that shows them, and read "
                    "all again"
                )
                yield Step(words, f"{update} --reread 1")
            if certificate.strategy == "list":
                words = "Search for more than the queries of the list, into another folder"
                yield Step(words, f"longline harvest {spec}{option} -o {anew}")
            elif certificate.queries > 1 or certificate.cuts.keys() - {"failed"}:
                words = "See which other ways lead to the documents that this one did not reach"
                yield Step(words, f"longline plan {folder}")
            elif not certificate.cuts and certificate.size_source != LIST_OF_ALL:
                # it read one list, and plan knows no other way
                yield Step('If the list names every document, write lists = "all" in source.toml')
        case "blocked", "robots" | "login" | "captcha":
            if certificate.cause == "login":
                words = "Give the key or the cookies that the site wants; they are never saved"
                yield Step(words, f"{again} --header 'NAME: VALUE'")
            yield Step("Ask the owner of the site for permission, or for a copy of the documents")
        case "changed" | "empty" | "failed", _:
            words = "Learn the site again (what is saved stays)"
            yield Step(words, f"longline discover --relearn {folder}")
        case "blocked" | "unreachable", _:
            again += _limits(certificate)
            yield Step("Try again later (it continues where it stopped)", again)
        case _:
            again += _limits(certificate)
            yield Step("Run it again (it continues where it stopped)", again)
    if certificate.update is not None and certificate.update.unchecked and is_searched:
        yield Step("Check again what could not be checked", update)
    if certificate.files_left:
        yield Step("Save the documents that are files, too", f"{again} --attachments")
    is_open = certificate.outcome != "complete" and "failed" in certificate.cuts
    if certificate.documents_unread > 0 or is_open:
        yield Step("Request again what could not be loaded", f"longline retry {folder}")


def _limits(certificate: Certificate) -> str:
    """Return the options for the limits of the last run, which the next one does not know."""
    return "".join(
        f" --max-{name.replace('seconds', 'time').replace('_', '-')} {each.allowed:.10g}"
        for name, each in certificate.budget.items()
    )


def _fault_of_spec(certificate: Certificate) -> str:
    """Return what is probably wrong in a spec by which no document came; "" for nothing."""
    if certificate.documents:
        return ""
    if certificate.queries >= FEW and not certificate.rows_received:
        return "Correct `hit` in source.toml: it found nothing in the answer to any search"
    failed = certificate.failed_documents
    if len(failed) >= FEW and all(NO_TEXT in each for each in failed):
        return "Correct document.text in source.toml: it finds no text on any page"
    return ""


def _more(certificate: Certificate, again: str) -> Step:
    """Return the step to the rest, with how many more requests it needs, if known."""
    if certificate.target_met:
        return Step("Read on to the end, as a target holds for one run alone", again)
    if certificate.target_coverage is not None:
        again += f" --target-coverage {certificate.target_coverage:g}"
    allowed = certificate.budget.get("requests")
    left = requests_left(certificate.documents, certificate.size, certificate.requests)
    is_spent = allowed is not None and certificate.requests >= allowed.allowed
    if allowed is None or not is_spent:
        return Step("Allow more, and run it again (it continues where it stopped)", again)
    if left is None:
        words = "Allow twice as many requests (it continues where it stopped)"
        return Step(words, f"{again} --max-requests {2 * allowed.allowed:.0f}")
    words = f"Allow about {left:,} more requests, if each brings what they brought so far"
    return Step(words, f"{again} --max-requests {certificate.requests + left}")
