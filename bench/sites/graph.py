"""Generated sites: directed graphs with labels, as in the paper's experiments.

The links follow the copy model: a page copies some of an earlier page's links and draws the others.
Texts are sets of words; labels are drawn from the text of the linked page.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from longline.errors import InputError, PageError
from longline.events import AnyEvent, RequestFailed, ResponseReceived
from longline.known_item.explorer import Answer, Explorer, Link, SitePage
from longline.model import Finish, Request, Response

Integers = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


@dataclass(frozen=True)
class GraphSettings:
    """Parameters of a generated site.

    The paper gives alpha and the sizes; the others are inferred.

    Attributes:
        pages: Number of pages, N.
        copied: Probability that a link is copied from the page's prototype.
        exponent: Exponent of the Zipf law of out-degrees.
        least_links: Smallest out-degree.
        most_links: Largest out-degree; None for all other pages. The law has no mean, so that this
            decides how dense large sites are.
        longest_text: Texts have 1 to this many different words, all lengths equally likely.
        query_draws: Number of words drawn for the query, with repeats.
        label_words: Number of words of each label.
        alpha: Probability that a word of a label or of the query is one of its page.
    """

    pages: int = 1000
    copied: float = 0.7
    exponent: float = 1.5
    least_links: int = 3
    most_links: int | None = None
    longest_text: int = 75
    query_draws: int = 40
    label_words: int = 3
    alpha: float = 0.75


class LabelledGraph(Mapping[str, SitePage]):
    """A generated site with one target, and a query for the target.

    Pages are built, and their labels drawn, on request; their keys are their numbers.

    Attributes:
        start: Key of page 0.
        target: Key of the page to find: any page that the start leads to, or the start.
        query: Words drawn from the target's text, and some from elsewhere.
    """

    def __init__(
        self,
        vocabulary: Sequence[str],
        texts: tuple[Integers, Integers],
        links: tuple[Integers, Integers],
        settings: GraphSettings,
        seed: int,
    ) -> None:
        self.vocabulary = vocabulary
        self._settings = settings
        self._seed = seed
        self._text_ends, self._text_words = texts
        self._link_ends, self._targets = links
        self._holds = np.zeros((len(texts[0]) - 1, len(vocabulary)), dtype=bool)
        self._holds[np.repeat(np.arange(len(texts[0]) - 1), np.diff(texts[0])), texts[1]] = True
        self._read: dict[str, SitePage] = {}
        self.start = "0"
        self.target = "0"
        self.query: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self._text_ends) - 1

    def __iter__(self) -> Iterator[str]:
        return map(str, range(len(self)))

    def __getitem__(self, key: str) -> SitePage:
        if key not in self._read:
            if not (key.isdecimal() and int(key) < len(self)):
                raise KeyError(key)
            self._read[key] = self._page(int(key))
        return self._read[key]

    def _page(self, number: int) -> SitePage:
        words = tuple(self.vocabulary[word] for word in self.text(number).tolist())
        targets = self._targets[self._link_ends[number] : self._link_ends[number + 1]]
        rng = np.random.default_rng([self._seed, number])
        labels = self.draw(np.repeat(targets[:, None], self._settings.label_words, axis=1), rng)
        links = tuple(
            Link(str(target), tuple([self.vocabulary[word] for word in label]))
            for target, label in zip(targets.tolist(), labels.tolist(), strict=True)
        )
        return SitePage(str(number), words, links)

    def text(self, number: int) -> Integers:
        """Return a page's words as numbers into the vocabulary."""
        return self._text_words[self._text_ends[number] : self._text_ends[number + 1]]

    def draw(self, pages: Integers, rng: np.random.Generator) -> Integers:
        """Draw a word for each page: from its text with probability alpha, or from outside."""
        ends = self._text_ends
        places = rng.random(pages.shape) * (ends[pages + 1] - ends[pages])
        words = self._text_words[ends[pages] + places.astype(np.int64)]
        is_outside = rng.random(pages.shape) >= self._settings.alpha
        outer = pages[is_outside]
        outside = rng.integers(0, len(self.vocabulary), len(outer))
        while (wrong := np.flatnonzero(self._holds[outer, outside])).size:
            outside[wrong] = rng.integers(0, len(self.vocabulary), len(wrong))
        words[is_outside] = outside
        return words

    def hops(self) -> Integers:
        """Return each page's distance from the start in links; -1 if it cannot be reached."""
        hops = np.full(len(self), -1, dtype=np.int64)
        hops[0] = 0
        border, distance = np.array([0]), 0
        while len(border):
            distance += 1
            reached = np.concatenate(
                [self._targets[self._link_ends[p] : self._link_ends[p + 1]] for p in border]
            )
            border = np.unique(reached[hops[reached] < 0])
            hops[border] = distance
        return hops


def generate(
    settings: GraphSettings, vocabulary: Sequence[str], rng: np.random.Generator
) -> LabelledGraph:
    """Draw a site, its target and its query.

    Args:
        settings: Parameters of the site.
        vocabulary: More different words than the longest text has.
        rng: Decides everything.

    Raises:
        InputError: The vocabulary is too small.

    Source: Goodwin, "Generated directed graphs" and "Experimental setup"; Kumar et al. 2000 for
    the copy model.

    >>> words = [f"w{number}" for number in range(200)]
    >>> graph = generate(GraphSettings(pages=50), words, np.random.default_rng(1))
    >>> len(graph), len(graph.query), len(graph["0"].links[0].label)
    (50, 40, 3)
    """
    if len(vocabulary) <= settings.longest_text:
        raise InputError(
            f"a vocabulary of {len(vocabulary)} words for texts of up to {settings.longest_text}",
            advice="give more words or shorten the texts",
        )
    texts = _texts(settings, len(vocabulary), rng)
    links = _links(settings, rng)
    graph = LabelledGraph(vocabulary, texts, links, settings, int(rng.integers(2**32)))
    target = rng.choice(np.flatnonzero(graph.hops() >= 0))
    drawn = graph.draw(np.full(settings.query_draws, target), rng)
    graph.target = str(target)
    graph.query = tuple(vocabulary[word] for word in drawn.tolist())
    return graph


def read_node(response: Response) -> SitePage:
    """Return a page of a generated site from its fetcher's JSON answer.

    Raises:
        PageError: The answer is something else.
    """
    try:
        return msgspec.json.decode(response.body, type=SitePage)
    except msgspec.DecodeError as error:
        raise PageError(
            f"{response.url} is no page of a generated site: {error}",
            advice="serve it with simulate.GraphSite",
        ) from error


class GraphFinder:
    """Find a page of a generated site through the engine, with an explorer that chooses pages.

    Args:
        explorer: Chooses the pages.
        url: Returns the URL of a page's key, such as `simulate.GraphSite.url`.

    Attributes:
        answer: How the search ended; None while it is running.
    """

    def __init__(self, explorer: Explorer, url: Callable[[str], str]) -> None:
        self._explorer = explorer
        self._url = url
        self._wanted = ""
        self.answer: Answer | None = None

    def next(self) -> Request | Finish:
        """Return the request for the page that the explorer wants."""
        wanted = self._explorer.next()
        if isinstance(wanted, Answer):
            self.answer = wanted
            return Finish("the search ended", target_met=wanted.key is not None)
        self._wanted = wanted
        return Request(self._url(wanted))

    def tell(self, event: AnyEvent) -> None:
        """Pass an event on to the explorer."""
        match event:
            case ResponseReceived(_, response):
                self._explorer.tell(read_node(response))
            case RequestFailed():
                self._explorer.fail(self._wanted)


def _texts(
    settings: GraphSettings, words: int, rng: np.random.Generator
) -> tuple[Integers, Integers]:
    """Draw texts of different words: the start of each, and all words in a row."""
    lengths = rng.integers(1, settings.longest_text + 1, settings.pages)
    drawn = [rng.choice(words, length, replace=False) for length in lengths.tolist()]
    return _ends(lengths), np.concatenate(drawn)


def _links(settings: GraphSettings, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Draw out-degrees and targets: the start of each page's links, and all targets in a row.

    Link i of a page copies link i of its prototype, an earlier page, unless a random draw or the
    prototype's out-degree prevents it; then it leads to any page. Copies of copies are resolved for
    all links at once by pointer doubling.
    """
    pages = settings.pages
    degrees = _degrees(settings, rng)
    ends = _ends(degrees)
    source: Integers = np.repeat(np.arange(pages), degrees)
    place = np.arange(ends[-1]) - ends[source]
    prototype = (rng.random(pages) * np.arange(pages)).astype(np.int64)[source]
    is_copy = (rng.random(ends[-1]) < settings.copied) & (place < degrees[prototype]) & (source > 0)
    origin = np.where(is_copy, ends[prototype] + place, np.arange(ends[-1]))
    while not np.array_equal(further := origin[origin], origin):
        origin = further
    targets: Integers = rng.integers(0, pages, ends[-1])[origin]
    codes = _different(source * pages + targets, pages)
    while (missing := _missing(codes, settings)).size:
        codes = _different(
            np.concatenate([codes, missing * pages + rng.integers(0, pages, len(missing))]), pages
        )
    return _ends(np.bincount(codes // pages, minlength=pages)), codes % pages


def _missing(codes: Integers, settings: GraphSettings) -> Integers:
    """Return each page as many times as it lacks links to reach the minimum."""
    pages = settings.pages
    short = settings.least_links - np.bincount(codes // pages, minlength=pages)
    return np.repeat(np.arange(pages), np.maximum(short, 0))


def _degrees(settings: GraphSettings, rng: np.random.Generator) -> Integers:
    """Draw out-degrees by Zipf's law, at least the smallest; too large ones become the largest."""
    degrees = rng.zipf(settings.exponent, settings.pages)
    while (small := np.flatnonzero(degrees < settings.least_links)).size:
        degrees[small] = rng.zipf(settings.exponent, len(small))
    return np.minimum(degrees, min(settings.most_links or settings.pages, settings.pages - 1))


def _different(codes: Integers, pages: int) -> Integers:
    """Remove duplicate links (page * pages + target) and links from a page to itself, in order."""
    codes = codes.copy()
    codes.sort()
    is_first = np.concatenate([[True], np.diff(codes) > 0])
    different: Integers = codes[is_first & (codes // pages != codes % pages)]
    return different


def _ends(lengths: Integers) -> Integers:
    return np.concatenate([[0], np.cumsum(lengths)])
