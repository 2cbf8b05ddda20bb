"""Totals: how many documents a source says a query matches, in whatever wording."""

import re
from itertools import islice
from typing import Any

from longline.model import Total
from longline.source.select import fold
from longline.source.spec import Relation

# A group separator comes between groups of three digits, and is the same in the entire number;
# India groups by two before the last three. A number with a decimal part is not a count.
_NUMBER = re.compile(
    r"""(?<![\d.,])
    (?: \d{1,3} (?P<mark>[,.'\u2019\u066c\x20\u00a0\u2009\u202f]) \d{3}(?!\d)
        (?: (?P=mark) \d{3}(?!\d) )*
      | \d{1,2} (?:,\d{2})+ ,\d{3}(?!\d)
      | \d+ )
    (?![.,]?\d) (?P<more>\s?\+)?""",
    re.VERBOSE,
)
_ROUNDED = re.compile(
    r"(?<!\d)(\d++(?:[.,]\d++)?+)(?:(k|m)|\s(million|mio|mill\w*|thousand|tausend|tsd|mil))(?!\w)",
    re.IGNORECASE,
)


def _words(*words: str) -> str:
    return f"(?:{'|'.join(word.replace(' ', '|') for word in words)})"


_OF = r"(?:of|out of|von|aus|sur|de|di|su|van|av|af|z|ze|из|από|من|/)"
_RESULTS = _words(
    "results? hits? match(?:es)? documents? entr(?:y|ies) records? items? articles? found",
    r"ergebnis\w* treffer dokument\w* résultats? resulta\w+ risultat\w+ найдено результат\w* 件 条",
    r"wynik\w* αποτελέσματα εγγραφές نتيجة نتائج",
)
_SECONDS = _words(r"s ms sec\w* millisec\w* sekunden secondes? segundos?")
_PAGES = _words("page seite página pagina sida side страница")
_MORE_THAN = (
    "(?:more than|over|at least|mehr als|über|mindestens|plus de|au moins|más de|al menos"
    "|mais de|pelo menos|oltre|più di|almeno|meer dan|ponad|więcej niż|более|больше|πάνω από"
    "|περισσότερα από|أكثر من)"
)
_NEARLY = _words(
    "about approximately approx around roughly nearly almost some est estimated circa ca etwa",
    "ungefähr rund environ aproximadamente unos ongeveer cirka około около примерно περίπου حوالي",
)
_AFTER_OF = re.compile(rf"[\d\w+]\s*\b{_OF}\s+(?:[^\W\d]+\.?\s+){{0,3}}$", re.IGNORECASE)
_COUNTED = re.compile(rf"\s*\+?\s*(?:[^\W\d]+\s+)?{_RESULTS}", re.IGNORECASE)
_BESIDE = 80
"""How many characters before a number are read to classify it."""

_LOOKED_AT = 1_000
"""Maximum count of numbers examined: on a page full of numbers, none is its total."""

_MOST = 2**63
"""Upper bound of a total: no source has so many documents, and no database stores more."""

_TIMED = re.compile(rf"\s*(?:{_SECONDS}(?!\w)|%)", re.IGNORECASE)
_OF_PAGES = re.compile(rf"\b{_PAGES}\s*(?:\d+\s*\w+\s*)?$", re.IGNORECASE)
_AT_LEAST = re.compile(rf"(?:\b{_MORE_THAN}|[>≥])\s*$", re.IGNORECASE)
_ABOUT = re.compile(rf"(?:\b(?:{_NEARLY}|cerca de)\.?|[~≈約约])\s*$", re.IGNORECASE)


def read_total(text: str, *, pattern: str = "", relation: Relation | None = None) -> Total | None:
    """Read the total from a text.

    Among several numbers, one before a word like "results" comes first, then one after "of", then
    the greatest. Page numbers, decimals and durations are ignored.

    Args:
        text: Text of the page, e.g. "1-24 of about 1,801".
        pattern: A regular expression that finds it; its first group, or the entire match.
        relation: How exact the number is; None to decide by the words before it.

    Returns:
        The total, or None if there is no number.

    >>> read_total("Results 1-24 of about 1,801 (0.35 s)")
    Total(documents=1801, relation='about')
    >>> read_total("1000+ hits"), read_total("12 hits: 2.5 million readers, ...")
    (Total(documents=1000, relation='at least'), Total(documents=12, relation='exact'))
    """
    text = fold(text)
    if pattern:
        found = re.search(pattern, text)
        if not found:
            return None
        start, end = found.span(1 if found.re.groups and found[1] is not None else 0)
    else:
        start, end = 0, len(text)
    there = (number for number in _NUMBER.finditer(text) if start <= number.start() < end)
    numbers = list(islice(there, _LOOKED_AT))
    numbers = [number for number in numbers if _counts(number) and not _is_other(text, number)]
    counted = any(_COUNTED.match(text, number.end()) for number in numbers)
    rounded = _ROUNDED.search(text, start, end)
    if rounded and (not counted or _COUNTED.match(text, rounded.end())):
        unit = (rounded[2] or rounded[3]).lower()
        size = 1_000 if unit[0] in "kt" or unit == "mil" else 1_000_000
        documents = float(rounded[1].replace(",", ".")) * size
        return Total(round(documents), relation or "about") if documents < _MOST else None
    if not numbers:
        return None
    number = max(numbers, key=lambda number: (_rank(text, number), _value(number)))
    return Total(_value(number), relation or _relation(text, number))


def total_of(value: Any, *, pattern: str = "", relation: Relation | None = None) -> Total | None:
    """Read the total from a JSON value: a number, a text, or {"value": ..., "relation": "gte"}.

    >>> total_of({"value": 10000, "relation": "gte"})
    Total(documents=10000, relation='at least')
    """
    if isinstance(value, dict):
        worth: Relation = "at least" if value.get("relation") == "gte" else "exact"
        return total_of(value.get("value"), relation=relation or worth)
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        # NaN fails this comparison, and so do negative numbers.
        return Total(int(value), relation or "exact") if 0 <= value < _MOST else None
    return read_total(str(value), pattern=pattern, relation=relation)


def _counts(number: re.Match[str]) -> bool:
    """Return whether a number is short and small enough to be a count of documents."""
    return len(number[0]) < _BESIDE and _value(number) < _MOST


def _value(number: re.Match[str]) -> int:
    return int(re.sub(r"\D", "", number[0]))


def _before(text: str, number: re.Match[str]) -> str:
    return text[max(0, number.start() - _BESIDE) : number.start()]


def _is_other(text: str, number: re.Match[str]) -> bool:
    return bool(_TIMED.match(text, number.end()) or _OF_PAGES.search(_before(text, number)))


def _rank(text: str, number: re.Match[str]) -> int:
    counted = bool(_COUNTED.match(text, number.end()))
    return 2 * counted + bool(_AFTER_OF.search(_before(text, number)))


def _relation(text: str, number: re.Match[str]) -> Relation:
    before = _before(text, number)
    if number["more"] or _AT_LEAST.search(before):
        return "at least"
    return "about" if _ABOUT.search(before) else "exact"


_FIRST = (
    r"(?:first|top|ersten?|premi[eè]re?s|primer[oa]s|prim[ie]|eerste|primeir[oa]s|första|første"
    r"|pierwsz\w+|první\w*|первы\w+)"
)
_ONLY = (
    r"(?:only|just|nur|lediglich|seule?s?|seulement|sólo|solo|solamente|soltanto|slechts|alleen"
    r"|apenas|somente|tylko|bara|kun|pouze|только|shown|displayed|listed|angezeigt|affich\w+"
    r"|m[ou]e?stra\w+|visualizza\w+|getoond|weergegeven|visas|vises|wyświetl\w+|показан\w+)"
)
_LIMITED = (
    r"(?:limited to|maximum(?: of)?|max\.?|at most|no more than|höchstens|maximal|maximaal"
    r"|begrenzt auf|beschränkt auf|limité\w* à|limitad\w+ a|máximo(?: de)?|limitat\w+ a"
    r"|massimo(?: di)?|beperkt tot|hoogstens|begränsa\w+ till|højst|maksymalnie)"
)
_COUNT = r"(\d[\d.,'\u00a0\u202f]*)"
_PLACED = rf"(?:{_FIRST}\s{_COUNT}|{_COUNT}\s{_FIRST})(?!\w)"
_SAID_MOST = re.compile(
    rf"\b{_ONLY}\s[^.!?]{{0,60}}?{_PLACED}|\b{_PLACED}\s[^.!?]{{0,60}}?\b{_ONLY}\b"
    rf"|\b{_LIMITED}\s(?:\w+\s)?{_COUNT}\s[^\W\d]",
    re.IGNORECASE,
)
_ROUND = re.compile(r"(?<![\d.,])[1-9][\d.,'\u00a0\u202f]*[05](?![\d.,]*\d)")
"""Matches the numbers at which searches end: all others are looked at in vain."""

_MOST_ROUND = 40
"""Maximum count of these that are looked at on a page."""

_ROOTS = (
    *("first ", "top ", "erste", "premi", "prim", "eerste", "första", "første", "pierwsz", "první"),
    *("первы", "limit", "max", "máxi", "massimo", "most ", "more than ", "höchstens", "beschränkt"),
    *("begrenzt", "beperkt", "hoogstens", "begränsa", "højst", "maksymalnie"),
)


def said_most(text: str) -> int:
    """Return the most results that a page says any search shows, or 0.

    >>> said_most("Too many results: only the first 200 are shown."), said_most("Only 7 came.")
    (200, 0)
    >>> said_most("Nur die ersten 1.000 Treffer werden angezeigt."), said_most("max. 50 hits")
    (1000, 50)
    """
    for number in islice(_ROUND.finditer(text), _MOST_ROUND):
        # Around a number, few places are searched; on a whole page this would take milliseconds.
        around = text[max(0, number.start() - _BESIDE) : number.end() + _BESIDE]
        found = _SAID_MOST.search(around)
        said = next(filter(None, found.groups())) if found else ""
        if said and said == number[0]:
            return int(re.sub(r"\D", "", said)[:9])
    return 0


def may_say_most(text: str) -> bool:
    """Return whether `said_most` may find something; this is faster than searching.

    >>> may_say_most("Only the FIRST 200 are shown."), may_say_most("200 results")
    (True, False)
    """
    lower = text.lower()
    return any(root in lower for root in _ROOTS)
