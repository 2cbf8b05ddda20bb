"""Find out that answers have results that the spec does not read. No I/O."""

from longline.model import Query

ANSWERS = 10
"""So many searches without hits are compared. Fewer may all be words that the source lacks."""

DIFFERENT = 0.5
"""If more than this share of the answers has a length of its own, they show results."""

STEP_BYTES = 50
"""Lengths in the same step are equal: times and tokens in an answer differ by a few bytes."""


class Unread:
    """Compare answers without hits, as long as no search had any.

    A source that finds nothing gives each search the same answer, apart from its words. Answers of
    many lengths show results.

    >>> unread, said = Unread(), [f"<p>Nothing for {word}" for word in "abcdefghijkl"]
    >>> any(unread.suspects(Query((word[-1],)), word.encode()) for word in said)
    False
    >>> unread, said = Unread(), [b"<p>Result" * n for n in range(0, 300, 25)]
    >>> [unread.suspects(Query((str(n),)), body) for n, body in enumerate(said)].index(True)
    9
    """

    def __init__(self) -> None:
        self._lengths: dict[Query, int] = {}

    def suspects(self, query: Query, body: bytes) -> bool:
        """Record an answer without hits; return whether such answers must have results."""
        body = body.lower()
        for word in query.required:
            body = body.replace(word.lower().encode(), b"")
        self._lengths[query] = len(body) // STEP_BYTES
        answers, lengths = len(self._lengths), len(set(self._lengths.values()))
        return answers >= ANSWERS and lengths > DIFFERENT * answers
