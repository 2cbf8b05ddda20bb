"""Fields of a form that may limit its answers: lists, and pairs of dates or numbers."""

import re
from typing import Any
from urllib.parse import parse_qsl, quote_plus, urlencode

import msgspec

from longline.discovery.answer import text
from longline.discovery.next_words import other_ends
from longline.discovery.reading.request_slots import Slot, put
from longline.model import Facet, Filter
from longline.source.request import day_template
from longline.source.select import fold
from longline.source.spec import Ask, FacetField

MOST_VALUES = 300
"""Lists with more values are not used as facets, as each value costs a request."""

MOST_LINKED = 10
"""Hidden fields that links set to more values than this are pages or the like."""

_HOW_SHOWN = re.compile(
    r"sort|order|rank|lang|locale|size|limit|per_?page|rows|hits|page|view|format|style|theme|mode"
    r"|operator|scope|field|tri$|ordre|orden|reihen|sortier",
    re.IGNORECASE,
)
_ORDERED = re.compile(
    r"sort|order|rank|size|limit|per_?page|rows|hits|view|format|style|theme|tri$|ordre|reihen",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"(?:and|or|und|oder|et|ou|not|bool\w*|phrase|exact\w*"
    r"|(?:all|any)(?: (?:of )?(?:the |these )?(?:key)?(?:words?|terms?))?)$",
    re.IGNORECASE,
)
"""Matches values that set how words are combined, not what is searched."""

_DATED = re.compile(r"(?:1[5-9]|20)\d\d$|(?:\d{1,4}[-./]){2}\d{1,4}$")
_ANY = re.compile(
    r"^\W*(?:any.*|every.*|all\b.*|alle\b.*|tous?.*|toutes?.*|todos?.*|todas?.*|tutt[ie].*|egal"
    r"|beliebig.*|select.*|choose.*|bitte.*|none)?\W*$",
    re.IGNORECASE,
)
_OF_TITLES = re.compile(r"tit(?:le|el|re|ulo)|\bgo\b", re.IGNORECASE)
_WHOLE_TEXTS = re.compile(
    r"full.?text|volltext|plein.?texte|texte?.int[eé]gr|texto.(?:completo|[ií]ntegr)|testo.(?:completo|integrale)"
    r"|fulltekst|hele.tekst|fritekst|полн\w+.текст|全文|\bbod(?:y|ies)\b",
    re.IGNORECASE,
)
_OF_TEXTS = re.compile(r"full|text|content|search|such|cherch|busc|inhalt", re.IGNORECASE)
_WIDE = {"date": ("1800-01-01", "2099-12-31"), "year": ("1500", "2099")}


def fields_in(form: Any, query_field: str, *, alone: bool = False) -> dict[str, FacetField]:
    """Return the fields of a form that may limit its answers, by name.

    These are lists with an "any" value, and pairs of dates or numbers, from and to. Fields that
    only set how answers are displayed, such as the order, are left out. If a form has only such
    fields (`alone`), a list without "any" is required.

    >>> from lxml.html import fromstring
    >>> form = fromstring('''<form><input name=q><select name=kind><option value="">any</option>
    ... <option>book</option><option>map</option></select>
    ... <input type=date name=day min="2000-01-01"><input type=date name=day_to></form>''')
    >>> found = fields_in(form, "q")
    >>> found["kind"].values, found["day"].parameter_to, found["day"].low
    (['book', 'map'], 'day_to', '2000-01-01')
    """
    ranges = {**_ranges(form), **_ranges_of_lists(form)}
    ends = {field.parameter_to for field in ranges.values()}
    found = {**_lists(form, alone=alone), **_checks(form), **ranges}
    if alone:
        linked = _linked(form, query_field)
        found |= {
            name: FacetField(name, values=each, required=True) for name, each in linked.items()
        }
    return {
        name: field
        for name, field in found.items()
        if name not in (query_field, *ends) and not _HOW_SHOWN.search(name)
    }


def wider_settings(form: Any, query_field: str) -> dict[str, list[tuple[str, ...]]]:
    """Return wider settings for the fields of a form that are set to a part, the widest first.

    These are lists or radio buttons set to one value, partly ticked checkboxes (also of names that
    begin alike), filled-in years or dates, and hidden fields that links set to others. Wider is an
    "any" value, all or none of the boxes, the last or first value, or a link's. Of two submit
    buttons, the one for texts is wider if the first one searches titles.

    >>> from lxml.html import fromstring
    >>> form = fromstring('''<form><input name=q><select name=when><option value=30>last month
    ... </option><option value=x>any time</option></select><input type=checkbox name=in value=a
    ... checked><input type=checkbox name=in value=b></form>''')
    >>> wider_settings(form, "q")
    {'when': [('x',)], 'in': [('a', 'b'), ()]}
    """
    found: dict[str, list[tuple[str, ...]]] = {}
    for select in form.iter("select"):
        name, options = select.get("name"), _options(select)
        chosen = _options(select, "option[@selected]") or options
        if name and options and "multiple" not in select.attrib:
            found[name] = _wider(name, options, chosen[0])
    boxes = {name[:2] for name in form.xpath(".//input[@type='checkbox' and @checked]/@name")}
    for kind in ("radio", "checkbox"):
        for name, buttons in _buttons(form, kind).items():
            ticked = [each for each in buttons if each.get("checked") is not None]
            values = [each.get("value") or "on" for each in buttons]
            if kind == "radio" and ticked:
                options = [(value, value) for value in values]
                found[name] = _wider(name, options, options[buttons.index(ticked[0])])
            elif ticked or (kind == "checkbox" and name[:2] in boxes):
                found[name] = [tuple(values), ()] if len(ticked) < len(values) else [()]
    for place, (name, value) in enumerate(dates_set(form).items()):
        year, other = ("2099", "12") if place % 2 else ("1800", "01")
        found[name] = [("",), (re.sub(r"\d{4}", year, re.sub(r"\b\d\d?\b", other, value)),)]
    for name, (_, *others) in _linked(form, query_field).items():
        found[name] = [(value,) for value in others]
    button = _for_texts(form)
    if button is not None and button[0][0] == button[1][0]:
        found[button[0][0]] = [(button[1][1],)]
    return {name: ways for name, ways in found.items() if ways and name != query_field}


def dates_set(form: Any) -> dict[str, str]:
    """Return the years and days that a form is filled in with, by the names of their fields."""
    fields = (each for each in form.iter("input") if each.get("type") != "hidden")
    named = {each.get("name"): (each.get("value") or "").strip() for each in fields}
    return {name: value for name, value in named.items() if name and _DATED.match(value)}


def settings_sent(page: Any, sent: dict[str, str]) -> dict[str, str]:
    """Return a value for "any" of each list of a page whose chosen value its script sends.

    >>> from lxml.html import fromstring
    >>> page = fromstring("<div><input id=q><select id=when><option value=30d>Last month</option>"
    ...     "<option value=99y>All time</option></select></div>")
    >>> settings_sent(page, {"q": "{Q}", "since": "30d"})
    {'since': '99y'}
    """
    found: dict[str, str] = {}
    for select in page.iter("select"):
        options = _options(select)
        chosen = _options(select, "option[@selected]") or options
        wide = [value for value, said in options if _is_any(value, said)]
        if wide and not _is_any(*chosen[0]):
            found |= {name: wide[0] for name, value in sent.items() if value == chosen[0][0]}
    return found


def set_to_widest(ask: Ask, form: Any, query_field: str) -> Ask | None:
    """Return a way to query with all settings at "any" or "all", or None if nothing changes.

    If the first submit button searches titles and another one texts, the other is used.

    >>> from lxml.html import fromstring
    >>> form = fromstring("<form><input name=q><select name=in><option value=t>Titles</option>"
    ...     "<option value=x>Everywhere</option></select></form>")
    >>> set_to_widest(Ask(url="https://x.example/s?q={query}&in=t"), form, "q").url
    'https://x.example/s?q={query}&in=x'
    """
    widest = ask
    for name, ways in wider_settings(form, query_field).items() if ask.url else ():
        lists = (select for select in form.iter("select") if select.get("name") == name)
        said = dict(option for select in lists for option in _options(select))
        for value in ways[0] if len(ways[0]) == 1 else ():
            if _is_any(value, said.get(value, value)):
                widest = put(widest, Slot("url", (name,)), quote_plus(value))
    button = _for_texts(form)
    if button is not None:
        url = widest.url.replace(urlencode(button[:1]), urlencode(button[1:]))
        widest = msgspec.structs.replace(widest, url=url)
    return widest if widest != ask else None


def in_full_texts(ask: Ask, form: Any) -> Ask:
    """Return how to query with a box ticked that has full texts searched, if the form has one.

    >>> from lxml.html import fromstring
    >>> form = fromstring("<form><input name=q><input type=checkbox name=f value=1 id=f>"
    ...     "<label for=f>Search in full text</label></form>")
    >>> in_full_texts(Ask(url="https://x.example/s?q={query}"), form).url
    'https://x.example/s?q={query}&f=1'
    """
    for name, boxes in _buttons(form, "checkbox").items():
        if len(boxes) == 1 and _WHOLE_TEXTS.search(f"{name} {_label(form, boxes[0])}"):
            ask = _with(ask, name, boxes[0].get("value") or "on")
    return ask


def _with(ask: Ask, name: str, value: str) -> Ask:
    if ask.form is None:
        return put(ask, Slot("url", (name,)), quote_plus(value))
    filled = msgspec.structs.replace(ask.form, fields={**ask.form.fields, name: value})
    return msgspec.structs.replace(ask, form=filled)


def with_choice(ask: Ask, form: Any, query_field: str) -> tuple[str, Ask] | None:
    """Return a list of a form in which nothing is chosen, and how to query with its first value.

    >>> from lxml.html import fromstring
    >>> form = fromstring("<form><input name=q><select name=court><option value=''>choose</option>"
    ...     "<option>First<option>Second</select></form>")
    >>> name, way = with_choice(Ask(url="https://x.example/s?q={query}&court="), form, "q")
    >>> name, way.url
    ('court', 'https://x.example/s?q={query}&court=First')
    """
    for select in form.iter("select"):
        name, options = select.get("name"), _options(select)
        chosen = (_options(select, "option[@selected]") or options or [("?", "")])[0]
        values = [value for value, _ in options if value]
        is_choice = name and name != query_field and not _HOW_SHOWN.search(name)
        if not is_choice or chosen[0] or not 2 <= len(values) <= MOST_VALUES:
            continue
        return name, _with(ask, name, values[0])
    return None


def _for_texts(form: Any) -> tuple[tuple[str, str], tuple[str, str]] | None:
    """Return the first button if it searches titles, and the one for texts; otherwise None."""
    first, *others = [*_named_buttons(form), ("", "")]
    for other in others if _OF_TITLES.search("".join(first)) else ():
        if _OF_TEXTS.search("".join(other)):
            return first, other
    return None


def _named_buttons(form: Any) -> list[tuple[str, str]]:
    """Return the names and values of a form's submit buttons, in order."""
    kinds = {"input": ("submit",), "button": ("submit", "")}
    sending = (b for b in form.iter("input", "button") if (b.get("type") or "") in kinds[b.tag])
    return [(b.get("name"), b.get("value") or "") for b in sending if b.get("name")]


def _linked(form: Any, query_field: str) -> dict[str, list[str]]:
    """Return the values of hidden fields to which links of the page change a search, its own first.

    >>> from lxml.html import fromstring
    >>> page = fromstring("<body><form><input name=q><input type=hidden name=state value=open>"
    ...     "</form><a href='?q=&state=open'>7 open</a><a href='?q=&state=closed'>9 closed</a>")
    >>> _linked(page.forms[0], "q")
    {'state': ['open', 'closed']}
    """
    fields = form.xpath(".//input[@type='hidden'][@name]")
    own = {field.get("name"): field.get("value") or "" for field in fields}
    found = {name: [value] for name, value in own.items() if value and not _HOW_SHOWN.search(name)}
    for href in form.getroottree().xpath("//a/@href") if found else ():
        sent = href.partition("#")[0].partition("?")[2]
        given = dict(parse_qsl(sent, keep_blank_values=True))
        set_ = {name: given[name] for name in own.keys() & given.keys() if own[name] != given[name]}
        (name, value), *more = [pair for pair in set_.items() if pair[1]] or [("", "")]
        if query_field in given and not more and name in found:
            found[name].append(value)
    several = {name: list(dict.fromkeys(values)) for name, values in found.items()}
    return {name: values for name, values in several.items() if 1 < len(values) <= MOST_LINKED}


def _buttons(form: Any, kind: str) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = {}
    for button in form.iter("input"):
        if (button.get("type") or "").lower() == kind and button.get("name"):
            groups.setdefault(button.get("name"), []).append(button)
    return groups


def _label(form: Any, button: Any) -> str:
    """Return the text of a button's label."""
    around = list(button.iterancestors("label"))
    named = [each for each in form.iter("label") if each.get("for", "") == button.get("id")]
    return " ".join(map(text, (around or named)[:1]))


def _wider(
    name: str, options: list[tuple[str, str]], chosen: tuple[str, str]
) -> list[tuple[str, ...]]:
    """Return values of a list that may match more than the selected one."""
    joined = sum(any(map(_JOINED.match, option)) for option in options)
    if _is_any(*chosen) or _WHOLE_TEXTS.search(chosen[1]) or joined > 1:
        return []
    wide = [value for value, said in options if _is_any(value, said)]
    ends = [] if _ORDERED.search(name) else [options[-1][0], options[0][0]]
    return [(value,) for value in dict.fromkeys(wide[:1] or ends) if value != chosen[0]]


def _options(select: Any, which: str = "option") -> list[tuple[str, str]]:
    found = select.xpath(f".//{which}")
    return [(o.get("value", text(o)).strip(), text(o)) for o in found]


def _lists(form: Any, *, alone: bool) -> dict[str, FacetField]:
    """Return lists and groups of radio buttons as facets."""
    named = [
        (select.get("name"), _options(select))
        for select in form.iter("select")
        if "multiple" not in select.attrib
    ]
    for name, radios in _buttons(form, "radio").items():
        named.append((name, [(radio.get("value") or "",) * 2 for radio in radios]))
    found = {}
    for name, options in named:
        values, required = _values(options), False
        if alone and not values and not any(_is_any(*option) for option in options):
            values, required = list(dict.fromkeys(value for value, _ in options)), True
        if name and 2 <= len(values) <= MOST_VALUES:
            found[name] = FacetField(name, values=values, required=required)
    return found


def _checks(form: Any) -> dict[str, FacetField]:
    """Return groups of checkboxes as facets: with none ticked, nothing is filtered."""
    groups = {
        name: list(dict.fromkeys(filter(None, (box.get("value") for box in boxes))))
        for name, boxes in _buttons(form, "checkbox").items()
    }
    return {
        name: FacetField(name, values=values)
        for name, values in groups.items()
        if 2 <= len(values) <= MOST_VALUES
    }


def _ranges_of_lists(form: Any) -> dict[str, FacetField]:
    """Return pairs of lists of numbers, such as a first and a last year."""
    numbers: dict[str, list[int]] = {}
    for select in form.iter("select"):
        values = [value for value, said in _options(select) if not _is_any(value, said)]
        if select.get("name") and len(values) > 1 and all(re.fullmatch(r"\d+", v) for v in values):
            numbers[select.get("name")] = [int(value) for value in values]
    found = {}
    for name, held in numbers.items():
        end = next((each for each in _ends(name) if each in numbers and each != name), None)
        if end:
            low, high = str(min(held)), str(max(numbers[end]))
            found[name] = FacetField(name, "number", low=low, high=high, parameter_to=end)
    return found


def _values(options: list[tuple[str, str]]) -> list[str]:
    """Return a list's values; [] if it has no "any" value."""
    values = list(dict.fromkeys(value for value, said in options if not _is_any(value, said)))
    has_any = len(values) < len({value for value, _ in options})
    return values if has_any and 2 <= len(values) <= MOST_VALUES else []


def _is_any(value: str, said: str) -> bool:
    return not value or bool(_ANY.match(fold(value))) or bool(_ANY.match(fold(said)))


def _ranges(form: Any) -> dict[str, FacetField]:
    named = {field.get("name"): field for field in form.iter("input") if field.get("name")}
    types = {name: (field.get("type") or "text").lower() for name, field in named.items()}
    shown = [each.get(at) or "" for each in named.values() for at in ("value", "placeholder")]
    days = day_template(" ".join([text(form), *shown]))
    kinds: dict[str, Any] = {"date": "date", "number": "number"} | (
        {"text": "date"} if days else {}
    )
    fields = {name: field for name, field in named.items() if types[name] in kinds}
    dates = [name for name in fields if types[name] == "date"]
    # Two dates are the ends of a range, whatever their names are.
    pair = dict([dates]) if len(dates) == 2 else {}
    found = {}
    for name, field in fields.items():
        ends = (other for other in _ends(name) if other in fields and other != name)
        end, kind = next(ends, pair.get(name)), kinds[types[name]]
        bounds = _bounds(name, kind, field, fields[end]) if end else None
        if end and bounds:
            template = days if types[name] == "text" else "{value}"
            found[name] = FacetField(name, kind, [], *bounds, end, template)
    return found


def _ends(name: str) -> list[str]:
    """Return possible names for the other end of a range."""
    after = [f"{name}{mark}{end}" for end in ("to", "end", "max", "until") for mark in "_-."]
    return after + other_ends(name)


def _bounds(name: str, kind: str, start: Any, end: Any) -> tuple[str, str] | None:
    wide = _WIDE["date" if kind == "date" else "year"]
    low, high = start.get("min") or end.get("min"), end.get("max") or start.get("max")
    if kind == "date" or re.search(r"year|jahr|ann[eé]e|año|anno|jaar", name, re.IGNORECASE):
        return low or wide[0], high or wide[1]
    return (low, high) if low and high else None


def part_of(name: str, field: FacetField, *, last: bool = False) -> Filter:
    """Return a filter for a part of a facet: a list's first value, or a range's first half.

    With `last`, or of a list that is required, it is the last value, or the second half.
    """
    is_last = last or (field.kind == "list" and field.required)
    return Facet(name, field.kind, tuple(field.values), field.low, field.high).end(last=is_last)
