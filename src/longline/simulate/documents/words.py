"""Words in texts: how the search box tokenises them, and its snippets."""

import re
from collections.abc import Callable, Iterable

from longline.errors import InputError
from longline.pool import Analyzer
from longline.text.letters import unspaced
from longline.text.stems import Rule

SNIPPET_CHARACTERS = 160

_ANALYZER = Analyzer(stop_words=frozenset())


def words(text: str) -> list[str]:
    """Cut a text into its runs of letters, in lower case: the terms of the papers.

    In scripts without spaces between words, the terms are pairs of characters.

    >>> words("The Web's 3 DEEP_ends, naïve?")
    ['the', 'web', 's', 'deep', 'ends', 'naïve']
    >>> words("Google検索語")
    ['google', '検索', '索語']
    """
    return _ANALYZER.tokens(text)


def reading(forms: str) -> tuple[Callable[[str], list[str]], Callable[[str], list[str]]]:
    """Return the functions with which a box cuts documents and queries into terms.

    Args:
        forms: "" for unchanged words; or a rule such as "fold", "plural", "english" or
            "fold+german" (see `longline.text.stems.Rule`); with "@index" at the end, the rule
            is applied only to documents.

    Raises:
        UnknownNameError: No rule has this name.
        InputError: A different word follows the "@".

    >>> documents, queries = reading("plural@index")
    >>> documents("Ships"), queries("Ships")
    (['ship'], ['ships'])
    """
    name, at, where = forms.partition("@")
    if at and where != "index":
        raise InputError(f"{forms!r} ends in @{where}", advice='write "@index", or leave it out')
    if not name:
        return words, words
    rule = Rule(name)
    known: dict[str, str] = {}

    def keys(text: str) -> list[str]:
        found = words(text)
        new = [word for word in dict.fromkeys(found) if word not in known]
        known.update(zip(new, rule.keys(new), strict=True))
        return [known[word] for word in found]

    return keys, words if where else keys


def marks_of(terms: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern for any word of the terms as a complete word, ignoring case.

    Words of scripts without spaces match anywhere.

    Returns:
        The pattern, or None if the terms contain no word.

    >>> marks_of(["deep-web"]).findall("Webs, the DEEP and the web")
    ['DEEP', 'web']
    >>> marks_of(["検索"]).findall("全文検索語")
    ['検索']
    """
    found = sorted({word for term in terms for word in words(term)})
    anywhere = [word for word in found if unspaced().match(word)]
    alone = "|".join(word for word in found if word not in anywhere)
    patterns = [rf"(?<![^\W\d_])(?:{alone})(?![^\W\d_])"] if alone else []
    return re.compile("|".join([*patterns, *anywhere]), re.IGNORECASE) if found else None


def snippet(text: str, marks: re.Pattern[str] | None) -> str:
    """Return about 160 characters around the first match, or from the start if there is none.

    >>> cut = snippet("before " * 40 + "the pilot came" + " after" * 40, re.compile("pilot"))
    >>> cut[:8], cut[65:87], cut[-8:]
    ('… before', 'before the pilot came ', ' after …')
    """
    match = marks.search(text) if marks else None
    start = max(0, match.start() - SNIPPET_CHARACTERS // 2) if match else 0
    end = start + SNIPPET_CHARACTERS
    if start:
        start = text.find(" ", start, start + 20) + 1 or start
    if end < len(text):
        end = max(text.rfind(" ", end - 20, end), 0) or end
    cut = " ".join(text[start:end].split())
    return f"{'… ' if start else ''}{cut}{' …' if end < len(text) else ''}"
