"""Findings about a search interface: what is known, how sure it is, and the evidence."""

from typing import Literal, NamedTuple

import msgspec

from longline.source.spec import Ask

Sureness = Literal["sure", "likely", "guess", "unknown"]

DOUBTS = {
    "ask.dialect.and": "a search for several words also brings documents with only one of them",
    "ask.limit": "long answers may be cut; the certificate of a harvest will tell",
    "document.text": "only titles and snippets would be saved",
    "order": "pages of one answer may overlap, or leave hits out",
    "results.next": "only the first page of each search would be saved: see how pages go on",
}
"""Warning for each finding that is a guess or unknown: what a person should check."""


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One finding about a search interface.

    Attributes:
        name: Key path in the spec ("results.hit"), or a name of its own ("dialect.phrase").
        value: The value found; "" if none was.
        sure: "sure" was tested by its own requests, "likely" was seen on several pages,
            "guess" was seen on one or against some evidence, "unknown" is undecided.
        evidence: What was seen, and where.
        warning: What a person must check before a harvest; "" if nothing.
    """

    name: str
    value: str
    sure: Sureness
    evidence: str
    warning: str = ""

    def note(self) -> str:
        """Return the comment written above the line in a source.toml.

        >>> Finding("ask.limit", "100", "sure", "page 11 of 'web' was empty").note()
        "sure: page 11 of 'web' was empty"
        """
        note = f"{self.sure}: {self.evidence}"
        return f"{note}\nWARNING: {self.warning}" if self.warning else note


class Way(NamedTuple):
    """A way to query a source, as the source describes it.

    Attributes:
        ask: How to query it for words.
        documents: URL patterns of single documents, with names in braces.
        beside: What other examples of the same address send as well.
        settings: Parameters whose defaults leave something out, with values that do not.
    """

    ask: Ask
    documents: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
