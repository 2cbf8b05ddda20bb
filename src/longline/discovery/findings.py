"""What was found out, how sure it is, and which requests say so."""

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
"""What to look at where a finding of this name is a guess, or not known."""


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing found out about a search interface.

    Attributes:
        name: Key path in the spec ("results.hit"), or a name of its own ("dialect.phrase").
        value: As it was found; "" where nothing was.
        sure: "sure" was tested by requests of its own, "likely" was seen on several pages,
            "guess" on one or against some evidence; "unknown" where nothing can be said.
        evidence: What was seen, and where.
        warning: What a person has to look at before a harvest; "" where nothing.
    """

    name: str
    value: str
    sure: Sureness
    evidence: str
    warning: str = ""

    def note(self) -> str:
        """Return the comment that stands above the line in a source.toml.

        >>> Finding("ask.limit", "100", "sure", "page 11 of 'web' was empty").note()
        "sure: page 11 of 'web' was empty"
        """
        note = f"{self.sure}: {self.evidence}"
        return f"{note}\nWARNING: {self.warning}" if self.warning else note


class Way(NamedTuple):
    """How a source says that it is asked.

    Attributes:
        ask: For words.
        documents: Where it says that single documents are: addresses with names in braces.
    """

    ask: Ask
    documents: tuple[str, ...] = ()
