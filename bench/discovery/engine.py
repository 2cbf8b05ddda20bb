"""The search engine of a made-up site: how it parses a query, and what it finds."""

import random
import re
import unicodedata
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from longline.simulate import read_corpus

_WORD = re.compile(r"\w+")
_PART = re.compile(r'([+-]?)(?:"([^"]*)"|([^\s"]+))')
_GREEK = str.maketrans("abcdefghijklmnopqrstuvwxyz", "αβψδεφγηιξκλμνοπχρστθωζχυζ")
_ARABIC = str.maketrans("abcdefghijklmnopqrstuvwxyz", "ابتثجحخدذرزسشصضطظعغفقكلمنه")
UNSPACED = ("ja",)


@dataclass(frozen=True)
class Text:
    """A document behind the search box."""

    key: str
    title: str
    body: str
    author: str
    date: str


@dataclass(frozen=True)
class Rules:
    """How the engine parses a query.

    Attributes:
        default: How a space is read: AND, OR, or string (the words as a phrase).
        nots: Which of "-", "NOT" and "AND NOT" exclude a word.
        reads_signs: An operator that does not work is searched as a word; otherwise it is dropped.
        stems: A final "s", "e" or "n" is ignored.
        folds: Accents are ignored.
        stops: The most common words are ignored.
        cased: Upper and lower case differ.
        least: Words with fewer letters are ignored.
        titles: Only titles are searched.
    """

    default: str = "AND"
    nots: tuple[str, ...] = ()
    ors: bool = False
    phrase: bool = True
    reads_signs: bool = False
    stems: bool = False
    folds: bool = True
    stops: bool = False
    cased: bool = False
    least: int = 1
    titles: bool = False


@cache
def pool(language: str, folder: Path | None) -> tuple[tuple[str, str], ...]:
    """Return titles and texts from which a language's documents are drawn."""
    source = {"el": "de", "ar": "es"}.get(language, language)
    path = folder / f"package-descriptions-{source}.jsonl.gz" if folder else None
    documents = read_corpus(path if path and path.exists() else "docstrings")
    letters = {"el": _GREEK, "ar": _ARABIC}.get(language, {})
    pairs = []
    for each in documents:
        title = each.title.partition(": ")[2] or each.title
        title = title.replace("_", " ").replace(".", " ")
        pairs.append(
            tuple(
                unicodedata.normalize("NFC", t).lower().translate(letters)
                if letters
                else unicodedata.normalize("NFC", t)
                for t in (title, each.text)
            )
        )
    kept = {title: text for title, text in pairs if len(title) > 3}
    return tuple(kept.items())


def texts(
    language: str, count: int, rng: random.Random, folder: Path | None, charset: str
) -> tuple[Text, ...]:
    """Draw documents, without letters that a site's encoding lacks."""
    pairs = list(pool(language, folder))
    found = []
    authors = (
        "A. Mirov",
        "B. Quist",
        "C. Valdo",
        "D. Okonjo",
        "E. Strand",
        "F. Ibarra",
        "G. Lindt",
    )
    form = rng.choice(("{}", "{}", "d{}", "{:05d}", "rec-{}", "x{:x}q"))
    for title, text in rng.sample(pairs, min(count * 2, len(pairs))):
        said = [t.encode(charset, "ignore").decode(charset) for t in (title, text)]
        key = form.format(rng.randint(100, 10**6))
        date = f"{rng.randint(1990, 2024)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
        found.append(
            Text(key, " ".join(said[0].split()), said[1].strip(), rng.choice(authors), date)
        )
    unique = {each.key: each for each in found if each.title}
    return tuple(unique.values())[:count]


@dataclass
class Engine:
    """Answers queries over texts, ordered by number of matching words, then by a fixed order."""

    texts: tuple[Text, ...]
    rules: Rules
    language: str = "en"
    held: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        rules = self.rules
        self.words = [
            [
                self._norm(w)
                for w in _WORD.findall(t.title if rules.titles else f"{t.title} {t.body}")
            ]
            for t in self.texts
        ]
        self.held = [" " + " ".join(words) + " " for words in self.words]
        self.index: dict[str, set[int]] = {}
        for place, words in enumerate(self.words):
            for word in words:
                self.index.setdefault(word, set()).add(place)
        counts = sorted(self.index, key=lambda w: -len(self.index[w]))
        self.small = set(counts[:25]) if rules.stops else set()
        order = list(range(len(self.texts)))
        random.Random(len(order)).shuffle(order)
        self.rank = {place: at for at, place in enumerate(order)}

    def _norm(self, word: str) -> str:
        if not self.rules.cased:
            word = word.lower()
        if self.rules.folds:
            word = "".join(
                c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c)
            )
        if self.rules.stems and len(word) > 4:
            word = word.rstrip("sen")
        return word

    def _matches(self, said: str) -> set[int] | None:
        """Return the numbers of the documents with all words; None without a word to search."""
        words = [self._norm(word) for word in _WORD.findall(said)]
        words = [w for w in words if w not in self.small and len(w) >= self.rules.least]
        if not words:
            return None
        if self.language in UNSPACED:
            joined = "".join(words)
            return {p for p, held in enumerate(self.held) if joined in held}
        return set.intersection(*(self.index.get(word, set()) for word in words))

    def _row(self, said: str) -> set[int] | None:
        words = [self._norm(word) for word in _WORD.findall(said)]
        if not words:
            return None
        row = f" {' '.join(words)} "
        if self.language in UNSPACED:
            row = row.strip()
        return {p for p, held in enumerate(self.held) if row in held}

    def search(self, typed: str, any_word: bool = False) -> list[Text]:
        """Return the documents that match, best first."""
        rules = self.rules
        if rules.default == "string":
            return self._ordered(self._row(typed) or set(), [])
        must: list[set[int]] = []
        may: list[set[int]] = []
        never: list[set[int]] = []
        negate = either = False
        joined = ""
        for sign, quoted, bare in _PART.findall(typed):
            if bare in ("AND", "NOT", "OR") and not sign:
                if bare == "NOT" and (
                    "NOT" in rules.nots or ("AND NOT" in rules.nots and joined == "AND")
                ):
                    negate = True
                    continue
                if bare == "OR" and rules.ors:
                    either = True
                    continue
                joined = bare
                if not rules.reads_signs or (bare == "AND" and (rules.ors or rules.nots)):
                    continue
            piece = quoted or bare.strip("()")
            found = self._row(piece) if quoted and rules.phrase else self._matches(piece)
            if found is None:
                continue
            if negate or (sign == "-" and "-" in rules.nots):
                never.append(found)
            elif sign == "-" and rules.reads_signs:
                must.append(set())
            elif either and (must or may):
                into = must or may
                into[-1] = into[-1] | found
            elif (rules.default == "AND" or sign == "+" or joined == "AND") and not any_word:
                must.append(found)
            else:
                may.append(found)
            negate = either = False
            joined = ""
        result = set.intersection(*must) if must else set().union(*may)
        for found in never:
            result = result - found
        return self._ordered(result, [*must, *may])

    def _ordered(self, result: set[int], sets: list[set[int]]) -> list[Text]:
        key = lambda place: (-sum(place in each for each in sets), self.rank[place])  # noqa: E731
        return [self.texts[place] for place in sorted(result, key=key)]
