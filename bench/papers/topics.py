"""A made-up source of any size: documents of common and topical terms, in one fixed order.

It uses little memory, so that half a million documents leave room for the harvester: texts are
generated on request.
"""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy import sparse

from longline.model import Document, Facet, Hit, Page, Query, Request, Total
from longline.simulate.search.searcher import Counts

TOPICS = 200

TERMS_OF_A_TOPIC = 2000

TOKENS = 88
"""Mean number of a document's tokens; about 73 of them are different."""

SIGMA = 0.5
"""Standard deviation of the logarithm of the documents' lengths."""

COMMON = 10
"""Zipf-Mandelbrot offset of the common terms: the most common is in a third of the documents."""

TOPICAL = 5
"""The same offset for a topic's terms."""

LETTERS = 5
"""Letters of a word after its first; with 4, terms of a large source would share words."""

CHUNK = 25_000
"""Number of documents that are drawn at a time."""

Numbers = npt.NDArray[np.int32]


def topic_matrix(documents: int, seed: int) -> sparse.csr_array:
    """Draw documents: half of a document's tokens from all terms, half from its topic's.

    Returns:
        (documents, terms), CSR, bool. The order of the rows is random.
    """
    rng = np.random.default_rng(seed)
    common = max(TERMS_OF_A_TOPIC, documents // 2)
    shared, own = _zipf(common, COMMON), _zipf(TERMS_OF_A_TOPIC, TOPICAL)
    terms = common + TOPICS * TERMS_OF_A_TOPIC
    lengths, columns = [], []
    for begin in range(0, documents, CHUNK):
        size = min(CHUNK, documents - begin)
        mean = np.log(TOKENS) - SIGMA**2 / 2
        tokens = np.maximum(rng.lognormal(mean, SIGMA, size).astype(np.int64), 5)
        rows = np.repeat(np.arange(size), tokens)
        topic = common + TERMS_OF_A_TOPIC * rng.integers(TOPICS, size=size)[rows]
        draws = rng.random(len(rows))
        drawn = np.where(
            rng.random(len(rows)) < 0.5,
            np.searchsorted(shared, draws),
            topic + np.searchsorted(own, draws),
        )
        row, column = np.divmod(np.unique(rows * terms + drawn), terms)
        lengths.append(np.bincount(row, minlength=size))
        columns.append(column.astype(np.int32))
    starts = np.concatenate([[0], *lengths]).cumsum().astype(np.int32)  # int32, as in `found`
    found = np.concatenate(columns)
    return sparse.csr_array(
        (np.ones(len(found), dtype=np.bool_), found, starts), shape=(documents, terms)
    )


def _zipf(terms: int, offset: int) -> npt.NDArray[np.float64]:
    """Return the cumulative distribution of terms with chances of 1 / (rank + offset)."""
    chances = 1 / (np.arange(terms) + offset)
    ends: npt.NDArray[np.float64] = np.cumsum(chances)
    return ends / ends[-1]


def word(term: int) -> str:
    """Return a term's number as a word of letters that cannot be a stop word.

    Raises:
        ValueError: The number is 26^5 or more.

    >>> word(0), word(27)
    ('xaaaaa', 'xaaabb')
    """
    letters, left = [], term
    for _ in range(LETTERS):
        left, rest = divmod(left, 26)
        letters.append(chr(97 + rest))
    if left:
        raise ValueError(f"there is no word of {LETTERS} letters for the term {term}")
    return "x" + "".join(reversed(letters))


def number(name: str) -> int | None:
    """Return the number of a word made by `word`; None for any other word.

    >>> number("xaaabb"), number("sea")
    (27, None)
    """
    is_long = len(name) == 1 + LETTERS
    if not (is_long and name.startswith("x") and name.isascii() and name.islower()):
        return None
    term = 0
    for letter in name[1:]:
        term = 26 * term + ord(letter) - 97
    return term


class TopicBox:
    """A search box over these documents, with AND, OR and NOT; the same order for every query.

    Implements `longline.simulate.search.searcher.Box`.

    Args:
        matrix: (documents, terms), CSR.
        limit: Maximum number of rows that a query's pages show.
        page_size: Rows of a full page.

    >>> box = TopicBox(topic_matrix(100, seed=0), limit=10, page_size=10)
    >>> page = box.search(Query((word(0),)))
    >>> len(page.hits), page.next, page.total.documents > 10
    (10, None, True)
    """

    counts: Counts = "exact"
    boolean = True
    facets: tuple[Facet, ...] = ()
    lists_all = False

    def __init__(self, matrix: sparse.csr_array, limit: int, page_size: int) -> None:
        self.limit = limit
        self.page_size = page_size
        self._documents = matrix
        self._postings = matrix.tocsc()
        self._postings.data = matrix.data  # both contain only True
        self._size, self._terms = matrix.shape
        self._answer = lru_cache(maxsize=4)(self._answered)

    def search(self, query: Query, number: int = 1) -> Page:
        """Return result page `number` (from 1) of a query."""
        total, shown = self._answer(query)
        end = number * self.page_size
        hits = (Hit(str(key)) for key in shown[end - self.page_size : end].tolist())
        more = Request(f"memory:{number + 1}") if end < len(shown) else None
        return Page(tuple(hits), Total(total), more)

    def shown(self) -> sparse.csc_array:
        """Return which documents the answer to each term shows; (documents, terms), CSC."""
        starts = self._postings.indptr
        lengths = np.minimum(np.diff(starts), self.limit)
        ends = np.cumsum(lengths)
        places = np.repeat(starts[:-1] - (ends - lengths), lengths) + np.arange(ends[-1])
        rows = self._postings.indices[places]
        parts = np.ones(len(rows), dtype=np.bool_), rows, np.concatenate([[0], ends])
        return sparse.csc_array(parts, shape=self._documents.shape)

    def document(self, key: str) -> Document:
        """Generate a document."""
        starts = self._documents.indptr
        place = int(key)
        terms = self._documents.indices[starts[place] : starts[place + 1]]
        return Document(key, text=" ".join(map(word, terms.tolist())))

    def _answered(self, query: Query) -> tuple[int, Numbers]:
        found = self._holders(query)
        return len(found), found[: self.limit].copy()

    def _holders(self, query: Query) -> Numbers:
        """Return the documents that match, in order."""
        required = sorted(map(self._posting, query.required), key=len)
        found = required[0] if required else None
        for posting in required[1:]:
            found = found[self._mask([posting])[found]]
        if query.any_of:
            either = self._mask(map(self._posting, query.any_of))
            found = np.flatnonzero(either) if found is None else found[either[found]]
        if found is None:
            return np.empty(0, dtype=np.int32)
        if query.excluded:
            found = found[~self._mask(map(self._posting, query.excluded))[found]]
        return found

    def _posting(self, name: str) -> Numbers:
        term = number(name)
        if term is None or term >= self._terms:
            return np.empty(0, dtype=np.int32)
        starts = self._postings.indptr
        return self._postings.indices[starts[term] : starts[term + 1]]

    def _mask(self, postings: Iterable[Numbers]) -> npt.NDArray[np.bool_]:
        mask = np.zeros(self._size, dtype=np.bool_)
        for posting in postings:
            mask[posting] = True
        return mask
