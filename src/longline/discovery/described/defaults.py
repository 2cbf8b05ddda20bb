"""Read what a documentation says is left out by default, and the settings that bring it."""

import re
from collections.abc import Iterator

import parsel

OLDEST = {"year": "1800", "compact": "18000101", "seconds": "0", "day": "1800-01-01"}
"""The first moment to ask for, by how the documentation writes moments."""

LONGEST = {"hour": "876000", "day": "36500", "week": "5200", "month": "1200", "year": "100"}
"""A century, in each unit."""

_ROWS = "//tr | //li | //dt | //p"
"""XPath of the elements that may describe one parameter each."""

_NAME = "(.//code | .//td[1] | .//th[1] | .//strong | .//b | self::dt)[1]"
"""XPath of a parameter's name in one of these."""

_NAMED = re.compile(r"[A-Za-z][\w.\[\]-]*")
_DEFAULT = re.compile(
    r"\b(?:default\w*(?: value)?|if (?:omitted|absent|not (?:given|set|sent))"
    r"|standard(?:wert|mäßig)?|vorgabe\w*|voreinstellung|par défaut|por (?:defecto|omisión)"
    r"|predefinit\w+|padrão|domyśln\w+)\b"
    r"(?:\s+(?:is|to|ist|are)\b)?[\s:=('\"`]*([^\s'\"`,;()]*[^\s'\"`,;().])?",
    re.IGNORECASE,
)
"""Matches what says a default, with its value."""

_NOTHING = re.compile(
    r"(?:none|any|all|alle|every\w*|no|null|empty|unlimited|unset|oldest|earliest|-|\*)$",
    re.IGNORECASE,
)
"""Matches defaults that leave nothing out."""

_SINCE = re.compile(
    r"(?:.*(?:[_.-]|(?<=[a-z])(?=[A-Z])))?(?:from|since|start|after|begin|min|gte|von|ab|desde|depuis|dal)"
    r"(?:[_-]?(?:date|time|year|day|dt))?(?:\])?|(?:earliest|oldest|first|min|start|from)_?(?:date|year|day)",
    re.IGNORECASE,
)
"""Matches names of parameters for the first moment of a period."""

_MOMENT = re.compile(
    r"\b(?:date\w*|days?|years?|iso|yyyy\S*|timestamp|epoch|datum|jahr|fecha|año|année)\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"(hour|day|week|month|year)s?(?:_?back)?$|(?:max_?age|window|period)$", re.IGNORECASE
)
_MORE = re.compile(
    r"includ|incl_|\bwith|\ball\b|archiv|closed|expired|inactive|histor|delet|withdrawn|supersed|repeal|past"
    r"|old\b|older|non_?current|draft",
    re.IGNORECASE,
)
"""Matches what a switch says that adds documents."""

_LESS = re.compile(
    r"only|current|active|latest|exclud|hide|omit|restrict|in_?force|valid|open\b|recent",
    re.IGNORECASE,
)
"""Matches what a switch says that leaves documents out."""

_MATCHES = re.compile(
    r"fuzz|synonym|stem|operator|match|wildcard|prefix|phrase|relevan|similar|typo|spell",
    re.IGNORECASE,
)
"""Matches what settings say of how words are matched: they leave no documents out."""

_EVERY = re.compile(
    r"(?<![\w-])(all|any|both|everything|alle|tous|toutes|todos|todas|tutti|\*)(?![\w-])"
)


def wider_value(name: str, said: str) -> str:
    """Return the value of a parameter that leaves nothing out; "" if its default does not either.

    Args:
        name: Its name.
        said: Its description, with its default.

    >>> wider_value("from", "Oldest day, such as 2012-06-30. Default: five years back.")
    '1800-01-01'
    >>> wider_value("includeClosed", "Also bring closed cases (default: false)")
    'true'
    >>> wider_value("status", "`open` (default), `closed` or `all`")
    'all'
    >>> wider_value("lang", "Language of the answer. Default: en"), wider_value("from", "A date.")
    ('', '')
    """
    found = [*_DEFAULT.finditer(said)]
    if not found:
        return ""
    default = next((each[1] for each in found if each[1]), "").lower()
    if _NOTHING.match(default) and default != "no":
        return ""
    if _SINCE.fullmatch(name) and is_moment(f"{name} {said}"):
        return OLDEST[_written_as(name, said, default)]
    back = _BACK.search(name)
    if default.isdigit() and int(default) > 1 and back is not None:
        unit = (back[1] or next((u for u in LONGEST if f"{u}s" in said.lower()), "day")).lower()
        return LONGEST[unit]
    told = f"{name} {said}"
    if _MATCHES.search(told):
        return ""
    if default in ("false", "no", "0", "off", "n"):
        on = {"false": "true", "no": "yes", "0": "1", "off": "on", "n": "y"}
        return on[default] if _MORE.search(told) else ""
    if default in ("true", "yes", "1", "on", "y"):
        off = {"true": "false", "yes": "no", "1": "0", "on": "off", "y": "n"}
        return off[default] if _LESS.search(told) else ""
    every = _EVERY.search(_DEFAULT.sub(" ", said))
    return every[1] if every and not default.isdigit() else ""


def is_moment(said: str) -> bool:
    """Return whether a description is one of a date."""
    return _MOMENT.search(said) is not None


def _written_as(name: str, said: str, default: str) -> str:
    """Return how a documentation writes a moment."""
    if re.search(r"epoch|timestamp|unix|seconds", said, re.IGNORECASE):
        return "seconds"
    if re.search(r"yyyymmdd|\b(?:19|20)\d{6}\b", said, re.IGNORECASE):
        return "compact"
    is_year = "year" in name.lower() or re.fullmatch(r"[12]\d{3}", default)
    return "year" if is_year and not re.search(r"\d{4}-\d\d", said) else "day"


def documented(page: parsel.Selector) -> Iterator[tuple[str, str]]:
    """Yield the names of the parameters that a page describes, with what it says of each.

    >>> row = "<tr><td>days</td><td>How far back. Default: 30</td></tr>"
    >>> list(documented(parsel.Selector(text=f"<table>{row}</table>")))
    [('days', 'How far back. Default: 30')]
    """
    for row in page.xpath(_ROWS):
        name = (row.xpath(_NAME).xpath("string()").get() or "").strip()
        said = " ".join(" ".join(row.xpath(".//text()").getall()).split())
        if row.root.tag == "dt":
            said += " " + " ".join(row.xpath("following-sibling::dd[1]//text()").getall())
        if _NAMED.fullmatch(name) and said.startswith(name):
            yield name, said.removeprefix(name).strip()
