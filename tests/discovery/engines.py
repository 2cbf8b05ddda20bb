"""Search engines of different makes over small corpora: how they parse queries, what they find."""

# ruff: noqa: RUF001  (other scripts are intended)

import random
import re
from dataclasses import dataclass, field
from functools import cache

from longline.simulate import read_corpus

WORD = re.compile(r"[^\W\d_]+")

_SYLLABLES = {
    "de": "be ge ver an auf schaft lich ung stein berg wald haus zeit ä ü ö fluss tal licht mond",
    "fr": "la ré cou mer teau vier eau fleur pé ment tion belle sou rire mai gé nie cha vel",
    "es": "ca lle ri mar sol cie lo ción dad tra ba jo pue blo ñe ma dre tier ra vien to",
    "ru": "ве ро го ра по ле на ми ка то ре мо ни за ду ша кро ви ста ло",
    "pl": "wo da pra cza sie mia sto szko ła ży cie ko sza ny rze czu ło ga du mi",
    "ja": " ".join(chr(0x4E00 + 7 * place) for place in range(600)),
    "sv": "vat ten sko la lju sa mån hus by dal skog ber get sjö å tid en väg sten ström",
    "en": "sea wat ter light stone hill for est riv er moon cloud wind fall spring ham ton",
}
UNSPACED = ("ja",)
"""Languages without spaces between words; their engine searches for substrings."""

_SMALL = {
    "de": "der die das und in von mit für auf ist",
    "fr": "le la les de des et en un une dans",
    "es": "el la los de y en un una con por",
    "ru": "и в на с по из от для что как",
    "pl": "i w na z do od dla że jak nie",
    "ja": "の は が を に と",
    "sv": "och i att en som på av med för den",
    "en": "the of and to in for with on by from",
}


@dataclass(frozen=True)
class Text:
    """A document behind a search box."""

    key: str
    title: str
    body: str
    author: str = ""
    date: str = ""

    @property
    def whole(self) -> str:
        return f"{self.title} {self.body}"


@cache
def corpus(name: str) -> tuple[Text, ...]:
    """Return a corpus by its name, "docs" or a language; always the same documents."""
    rng = random.Random(f"corpus {name}")
    if name.startswith("docs"):
        documents = read_corpus("docstrings")
        chosen = rng.sample(range(len(documents)), 900)
        return tuple(
            Text(
                f"{place:x}",
                documents[place].title.replace(".", " ").replace("_", " ").title(),
                documents[place].text,
                f"author{place % 13}",
                f"20{place % 20 + 4:02d}-0{place % 9 + 1}-1{place % 9}",
            )
            for place in sorted(chosen)
        )
    return _invented(name, rng)


def _invented(language: str, rng: random.Random) -> tuple[Text, ...]:
    syllables = _SYLLABLES[language].split()
    small = _SMALL[language].split()
    words: dict[str, None] = {}
    while len(words) < 3000:
        word = "".join(rng.choice(syllables) for _ in range(rng.choice((2, 2, 3, 3, 4))))
        if len(word) > (1 if language in UNSPACED else 3):
            words[word] = None
            if rng.random() < 0.25 and language not in UNSPACED:
                words[word + "s"] = None
    vocabulary = list(words)
    weights = [1 / (rank + 5) ** 0.95 for rank in range(len(vocabulary))]
    texts = []
    for number in range(700):
        drawn = iter(rng.choices(vocabulary, weights, k=150))
        gap, stop = ("", "。") if language in UNSPACED else (" ", ".")
        title = gap.join(next(drawn) for _ in range(rng.randint(2, 5))).capitalize()
        sentences = []
        for _ in range(rng.randint(3, 8)):
            pieces = []
            for _ in range(rng.randint(5, 12)):
                if rng.random() < 0.35:
                    pieces.append(rng.choice(small))
                pieces.append(next(drawn))
            sentences.append(gap.join(pieces).capitalize() + stop)
        key = f"{number * 7919 % 100003:05d}"
        texts.append(
            Text(key, title, " ".join(sentences), f"author{number % 11}", f"19{number % 90 + 10}")
        )
    return tuple(texts)


@dataclass(frozen=True)
class Rules:
    """How an engine parses a query.

    Attributes:
        default: How a space is read: AND, OR or phrase.
        nots: Which of "-", "NOT" and "AND NOT" exclude; the others are read as words, or dropped
            with `drops_not`.
        phrase: Words in quotation marks must be adjacent.
        quotes_break: A query with quotation marks finds nothing.
        stems: A final "s" is ignored.
        substrings: A word is also found inside other words.
        max_terms: Maximum number of words that are read.
        stops: Common small words are ignored.
    """

    default: str = "AND"
    nots: tuple[str, ...] = ("-", "NOT")
    ands: tuple[str, ...] = ("AND",)
    ors: bool = True
    phrase: bool = True
    quotes_break: bool = False
    stems: bool = False
    wildcard: bool = False
    substrings: bool = False
    max_terms: int | None = None
    stops: bool = True


_PART = re.compile(r'([+-]?)(?:"([^"]*)"|([^\s"]+))')


@dataclass
class Engine:
    """An engine over a corpus; `search` returns all matches in one fixed order."""

    texts: tuple[Text, ...]
    rules: Rules = field(default_factory=Rules)
    language: str = "en"

    def __post_init__(self) -> None:
        order = list(range(len(self.texts)))
        random.Random(f"rank {len(order)}").shuffle(order)
        self.rank = {place: position for position, place in enumerate(order)}
        self.words = [
            [self._norm(word) for word in WORD.findall(text.whole.lower())] for text in self.texts
        ]
        self.index: dict[str, set[int]] = {}
        for place, words in enumerate(self.words):
            for word in words:
                self.index.setdefault(word, set()).add(place)
        self.small = set(_SMALL.get(self.language, "").split()) if self.rules.stops else set()

    def _norm(self, word: str) -> str:
        return word.rstrip("s") if self.rules.stems and len(word) > 3 else word

    def _matches(self, word: str) -> set[int]:
        word = word.lower()
        if self.rules.wildcard and word.endswith("*"):
            start = word.rstrip("*")
            return set().union(*(p for w, p in self.index.items() if w.startswith(start)), set())
        words = [self._norm(each) for each in WORD.findall(word)]
        if not words:
            return set()
        if self.rules.substrings:
            return {p for p, text in enumerate(self.texts) if word in text.whole.lower()}
        return set.intersection(*(self.index.get(each, set()) for each in words))

    def _phrase(self, phrase: str) -> set[int]:
        words = [self._norm(word) for word in WORD.findall(phrase.lower())]
        found = set()
        for place in set.intersection(*(self.index.get(w, set()) for w in words)) if words else ():
            held = self.words[place]
            n = len(words)
            if any(held[at : at + n] == words for at in range(len(held) - n + 1)):
                found.add(place)
        return found

    def search(self, typed: str) -> list[Text]:
        """Return the matching texts, best first."""
        rules = self.rules
        if rules.quotes_break and '"' in typed:
            return []
        required: list[set[int]] = []
        optional: list[set[int]] = []
        excluded: list[set[int]] = []
        negate, any_next, must_next = False, False, False
        count = 0
        if rules.default == "phrase":
            return self._ordered(self._phrase(typed.replace('"', "")), [])
        for sign, quoted, bare in _PART.findall(typed):
            if not quoted and not sign:
                if bare == "AND" and "AND" in rules.ands:
                    must_next = True
                    if optional and rules.default == "OR":
                        required.append(optional.pop())
                    continue
                if bare == "OR" and rules.ors:
                    any_next = True
                    continue
                if bare == "NOT" and (
                    "NOT" in rules.nots or (must_next and "AND NOT" in rules.nots)
                ):
                    negate = True
                    continue
            word = (quoted or bare).strip("()")
            if not quoted and word.lower() in self.small:
                continue
            count += 1
            if rules.max_terms is not None and count > rules.max_terms:
                break
            if quoted and rules.phrase and " " in quoted:
                found = self._phrase(quoted)
            elif quoted:
                found = set.intersection(*(self._matches(w) for w in quoted.split() or [""]))
            else:
                found = self._matches(word)
            if negate or (sign == "-" and "-" in rules.nots):
                excluded.append(found)
            elif any_next and (required or optional):
                into = required if required and not optional else optional
                into[-1] = into[-1] | found
            elif sign == "+" or must_next or rules.default == "AND":
                required.append(found)
            else:
                optional.append(found)
            negate = any_next = must_next = False
        if required:
            result = set.intersection(*required)
        else:
            result = set().union(*optional) if optional else set()
        for found in excluded:
            result = result - found
        return self._ordered(result, [*required, *optional])

    def _ordered(self, result: set[int], sets: list[set[int]]) -> list[Text]:
        places = sorted(
            result, key=lambda place: (-sum(place in each for each in sets), self.rank[place])
        )
        return [self.texts[place] for place in places]
