"""Turn texts into a matrix: tokens, the sample (SampleDB), the pool of queries (QueryPool)."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from longline.covering import Matches
from longline.errors import CorpusError, InputError
from longline.text.letters import cut_up, run_of_letters, unspaced

Item = TypeVar("Item")

STOP_WORDS = frozenset(
    (
        *("a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is"),
        *("it", "no", "not", "of", "on", "or", "such", "that", "the", "their", "then", "there"),
        *("these", "they", "this", "to", "was", "will", "with"),
    )
)
"""Lucene's 33 English stop words."""

# fmt: off
DROPPED_WORDS = STOP_WORDS | frozenset({
    "about", "above", "after", "again", "against", "all", "am", "any", "because", "been",
    "before", "being", "below", "between", "both", "cannot", "could", "did", "do", "does", "doing",
    "down", "during", "each", "few", "from", "further", "had", "has", "have", "having", "he", "her",
    "here", "hers", "herself", "him", "himself", "his", "how", "i", "its", "itself", "me", "more",
    "most", "my", "myself", "nor", "off", "once", "only", "other", "ought", "our", "ours",
    "ourselves", "out", "over", "own", "same", "she", "should", "so", "some", "than", "theirs",
    "them", "themselves", "those", "through", "too", "under", "until", "up", "very", "we", "were",
    "what", "when", "where", "which", "while", "who", "whom", "why", "would", "you", "your",
    "yours", "yourself", "yourselves",
})
# fmt: on
"""English words that a source may drop from a query: Lucene's, and those of Snowball's list.

Source: snowballstem.org, algorithms/english/stop.txt, without its contractions.
"""


_ASCII = re.compile("[A-Za-z]+")


@dataclass(frozen=True)
class Analyzer:
    """Split a text into terms as the source's own index may do.

    The default matches the papers' figures best: runs of letters, lowercase, without Lucene's stop
    words, not stemmed. Accents and compounds are kept. Scripts without spaces between words
    (Chinese, Japanese, Thai) are split into overlapping pairs of characters, as search engines do;
    see `pairs`.

    Attributes:
        pattern: A regular expression for one token, which is not split any further; "" uses
            `letters()`.
        stop_words: Tokens (lowercase if `lower` is set) that are not terms.
        min_length: Minimum length of a term, in characters.
        lower: Treat "Deep" and "deep" as the same term.

    >>> Analyzer().terms("The Deep Web, and the deep sea.")
    {'deep': None, 'web': None, 'sea': None}
    >>> list(Analyzer(pattern="[a-z0-9]+", stop_words=frozenset(), min_length=2).terms("a b2 c34"))
    ['b2', 'c34']
    >>> list(Analyzer().terms("Café 深層ウェブ検索 by Google検索"))
    ['café', '深層', '層ウ', 'ウェ', 'ェブ', 'ブ検', '検索', 'google']
    """

    pattern: str = ""
    stop_words: frozenset[str] = field(default=STOP_WORDS, repr=False)
    min_length: int = 1
    lower: bool = True

    def __post_init__(self) -> None:
        try:
            found = re.compile(self.pattern)
        except re.error as error:
            raise InputError(
                f"the token pattern {self.pattern!r} cannot be read: {error}",
                advice="give a regular expression for one token",
            ) from None
        if found.groups:
            raise InputError(
                f"the token pattern {self.pattern!r} has a group", advice="write (?:...) instead"
            )

    def tokens(self, text: str) -> list[str]:
        """Return all tokens of a text in order, including stop words and short ones.

        >>> Analyzer().tokens("The sea, the sea")
        ['the', 'sea', 'the', 'sea']
        """
        return list(_tokens(text, self.pattern, lower=self.lower))

    def terms(self, text: str) -> dict[str, None]:
        """Return the different terms of a text, in the order of their first appearance."""
        found = dict.fromkeys(_tokens(text, self.pattern, lower=self.lower))
        for word in self.stop_words & found.keys():
            del found[word]
        if self.min_length > 1:
            found = {term: None for term in found if len(term) >= self.min_length}
        return found


@lru_cache(maxsize=4)
def _tokens(text: str, pattern: str, *, lower: bool) -> tuple[str, ...]:
    """Tokenise a text; cached, as several callers need the tokens of one document."""
    text = text.lower() if lower else text
    token = re.compile(pattern) if pattern else _ASCII if text.isascii() else run_of_letters()
    if text.isascii():
        return tuple(token.findall(text))
    found = token.findall(unicodedata.normalize("NFC", text))
    return tuple(found if pattern or not unspaced().search(text) else cut_up(found))


@dataclass(frozen=True, eq=False)
class TermMatrix:
    """Which term occurs in which document.

    Attributes:
        matrix: (documents, terms), ready for `cover`.
        terms: One per column.
    """

    matrix: Matches
    terms: list[str]

    @property
    def documents(self) -> int:
        """Number of documents."""
        return self.matrix.documents

    @cached_property
    def df(self) -> npt.NDArray[np.int64]:
        """(terms,). How many documents each term occurs in."""
        return self.matrix.df

    def pick(self, columns: npt.ArrayLike) -> TermMatrix:
        """Return the same documents with only these columns, in this order."""
        places = np.asarray(columns, dtype=np.int64)
        return TermMatrix(self.matrix.pick(places), [self.terms[place] for place in places])

    def left_out(self) -> list[int]:
        """Return the documents without any term: `cover` cannot reach them."""
        reached = np.zeros(self.documents, dtype=bool)
        reached[self.matrix.rows] = True
        return [int(document) for document in np.flatnonzero(~reached)]


def document_term_matrix(
    texts: Iterable[str], analyzer: Analyzer | None = None, *, df_ceiling: float = 1.0
) -> TermMatrix:
    """Convert texts to a matrix of documents and terms.

    Args:
        texts: One per document.
        analyzer: Splits texts into terms; the default is `Analyzer()`.
        df_ceiling: Leave out terms in more than this share of the documents (0 to 1). The papers'
            largest df of 3722 in 10,000 documents is a ceiling of 0.37.

    Returns:
        The matrix, with terms in alphabetical order, independent of the order of the texts.

    Raises:
        CorpusError: There is no text.
        InputError: A ceiling outside of 0 to 1.

    >>> found = document_term_matrix(["deep web", "deep sea"])
    >>> found.terms, found.df.tolist()
    (['deep', 'sea', 'web'], [2, 1, 1])
    """
    _check_share(df_ceiling)
    terms_of = (analyzer or Analyzer()).terms
    number_of: defaultdict[str, int] = defaultdict()
    number_of.default_factory = number_of.__len__
    numbers, starts = array("i"), array("q", [0])
    for text in texts:
        numbers.extend([number_of[term] for term in terms_of(text)])
        starts.append(len(numbers))
    if len(starts) == 1:
        raise CorpusError("there is no text", advice="give at least one document")
    terms = sorted(number_of)
    column_of = np.empty(len(terms), dtype=np.int32)
    column_of[[number_of[term] for term in terms]] = np.arange(len(terms), dtype=np.int32)
    columns = column_of[np.frombuffer(numbers, dtype=np.int32)]
    by_document = Matches(np.array(starts, dtype=np.int64), columns, len(terms))
    found = TermMatrix(by_document.turned(), terms)
    return found if df_ceiling == 1 else df_between(found, most=df_ceiling * found.documents)


def _check_share(share: float) -> None:
    if not 0 <= share <= 1:
        raise InputError(
            f"the df ceiling {share} is not a share", advice="give a number from 0 to 1"
        )


def df_between(matrix: TermMatrix, least: float = 1, most: float = float("inf")) -> TermMatrix:
    """Keep the terms that occur in `least` to `most` documents, both included.

    >>> df_between(document_term_matrix(["deep web", "deep sea"]), least=2).terms
    ['deep']
    """
    return matrix.pick(np.flatnonzero((matrix.df >= least) & (matrix.df <= most)))


def sample_db(documents: Sequence[Item], size: int, rng: np.random.Generator) -> list[Item]:
    """Draw a sample (SampleDB): every document has the same probability, none is drawn twice.

    Raises:
        InputError: A size below 1, or above the number of documents.

    Source: Wang, Lu & Chen 2009, the first step of their framework.

    >>> len(sample_db(["a", "b", "c"], 2, np.random.default_rng(0)))
    2
    """
    if not 1 <= size <= len(documents):
        raise InputError(
            f"cannot draw a sample of {size} from {len(documents)} documents",
            advice=f"give 1 to {len(documents)}",
        )
    drawn = rng.choice(len(documents), size=size, replace=False)
    return [documents[place] for place in drawn]


def query_pool(
    matrix: TermMatrix,
    relative_size: float,
    rng: np.random.Generator,
) -> TermMatrix:
    """Draw terms at random until together they match every document `relative_size` times.

    That is an average, so a pool may miss documents; `TermMatrix.left_out` returns these, and
    `cover(..., allow_uncovered=True)` ignores them.

    Args:
        matrix: The sample and all its terms.
        relative_size: Sum of the drawn terms' df / documents to reach; > 0. The papers use 20.
        rng: Draws the terms.

    Returns:
        The drawn terms, in the matrix's order; all terms if they are not enough.

    Raises:
        InputError: A relative size that is not above 0.

    Source: Wang, Lu & Chen 2009, section 1, the second step; section 4 for the relative size.

    >>> found = document_term_matrix(["deep web", "deep sea", "sea"])
    >>> query_pool(found, 1, np.random.default_rng(1)).df.sum() >= 3
    np.True_
    """
    if not relative_size > 0:
        raise InputError(
            f"the pool's relative size is {relative_size}", advice="give a number above 0"
        )
    drawn = rng.permutation(np.flatnonzero(matrix.df >= 1))
    reached = np.cumsum(matrix.df[drawn]) >= relative_size * matrix.documents
    enough = int(np.argmax(reached)) + 1 if reached.any() else len(drawn)
    return matrix.pick(np.sort(drawn[:enough]))
