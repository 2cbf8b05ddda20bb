"""Find the search form on a page.

Forms with a field for a password or a file are never used, and forms sent by POST only if that
is allowed: words sent to a login, an order or a letter may do harm.
"""

import re
from dataclasses import dataclass, replace
from html import escape
from typing import Any
from urllib.parse import parse_qsl, urljoin

import parsel

from longline.discovery.answer import TOKEN, ParsedAnswer, classes, compiles, place_of, text
from longline.discovery.reading.selectors import element_selector, is_plain
from longline.source import asks_itself

# Word stems in many languages, matched at the start of a word.
_SEARCH = re.compile(
    r"(?:^|[^\w]|[_\d])(?:search|(?:durch)?such|find|query|lookup|recherch|cherch|busca|b[uú]squeda|pesquis"
    r"|procur|cerca|ricerc|trova|zoek|s[oö]k|søg|søk|haku|hae|etsi|szuka|wyszuk|hled|vyhled|keres"
    r"|c[aă]ut|поиск|найти|искать|пошук|търс|αναζ|ara(?![a-z])|tìm|cari)|検索|檢索|检索|搜索|搜尋|查询|查詢|검색|بحث|חיפוש",
    re.IGNORECASE,
)
_FIELD = re.compile(
    r"^(q|query|s|p|k|w|kw|words?|terms?|keywords?|pattern|text|search\w*|\w*_search|@search_text"
    r"|find|such\w*|suche|wort|begriff|mots?|texto|busca|palabras?|parole|zoek\w*|string|querytext"
    r"|stichwort|freetext|fulltext|lookfor|phrase|s[oöø]k(?:ord|e?text|streng)?|haku(?:sana)?"
    r"|szukaj|fraza)$",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"(?<![a-z])(?:login|log-in|signin|sign-in|anmeld|einlogg|connexion|sql|edit|upload|comment"
    r"|kommentar|register|registr|(?:un)?subscri|newsletter|abonn|e-?mail|contact|kontakt|feedback"
    r"|jump|goto|gehe zu|go to page|coupon|voucher|captcha|donat|checkout|order|translate)",
    re.IGNORECASE,
)
_OF_PEOPLE = re.compile(
    r"(?:sur|last|family|party|person\w*|owner|debtor|nach|familien)[\s_-]*name|\bpart(?:y|ies)\b"
    r"|\bnames?\b|\bnom\b|apellido|cognome|achternaam|nazwisk|příjmení|efternamn|etternavn|sukunimi"
    r"|фамилия|επώνυμο|(?:first|given|vor)[\s_-]?name|voornaam|prénom|prenom|imię|imie\b",
    re.IGNORECASE,
)
_OF_PART = re.compile(
    rf"{_OF_PEOPLE.pattern}|(?:^|[^a-z])(?:author|id|no|nr|num|number|code|date|from|to|year)(?![a-z])",
    re.IGNORECASE,
)
_OF_TEXT = re.compile(
    r"\b(?:(?:full|free)?[\s-]?text[eo]?|tekst|testo|volltext|keywords?|any(?:where| field)"
    r"|inhalt|conte[nú]\w*|mots?[\s-]cl[eé]s?|pala[bv]ras?|текст|stichw[oö]rt\w*|suchw[oö]rt\w*"
    r"|suchbegriff\w*|parol[ae](?:[\s-]chiave)?|trefwoord\w*|zoekwoord\w*|sökord|s[øo]ke?ord"
    r"|hakusana\w*|słow[aoe]\w*|treś[cć]\w*|klíčov\w+|slov[ao]|kulcsszó|cuvin\w+|kelime\w*|слово|слова"
    r"|λέξ\w+|words?)\b",
    re.IGNORECASE,
)
# fmt: off
_NO_TEXT = frozenset({
    "hidden", "submit", "button", "image", "reset", "checkbox", "radio", "password", "file",
    "email", "number", "date", "time", "datetime-local", "month", "week", "color", "range", "tel",
    "url",
})
# fmt: on


GOOD_FORM = 3.0
"""Score of a form that is certainly a search form, as far as its page shows."""


@dataclass(frozen=True, eq=False)
class FormGuess:
    """A form that may be the search form.

    Attributes:
        field: Name of the text input for the query.
        score: Higher means more likely; below 0 it is not tried.
        selector: Finds the form on its page.
        reasons: Evidence for it.
    """

    element: Any
    field: str
    score: float
    selector: str
    method: str
    reasons: tuple[str, ...]


def forms(page: ParsedAnswer) -> list[FormGuess]:
    """Rank the forms of a page that a query can be typed into, the most likely first.

    Source: ours; weights measured on search pages of seven makes.
    """
    guesses = []
    for element in page.root.iter("form"):
        if is_forbidden(element):
            continue
        fields = [field for field in element.iter("input") if _takes_text(field)]
        guesses += [_guess(page, element, field, len(fields)) for field in fields]
    for field in page.root.iter("input"):
        if asks_itself(field) and _takes_text(field) and not is_forbidden(_group(field)):
            guess = _guess(page, field, field, 1)
            form = _form_of({field.get("name"): ""}, urljoin(page.answer.base, asks_itself(field)))
            guesses.append(replace(guess, element=form, method="GET", selector=guess.field))
    return sorted(guesses, key=lambda guess: -guess.score)


@dataclass(frozen=True, eq=False)
class BoxGuess:
    """A box that words may be typed into, with or without a form.

    Attributes:
        selector: Finds the box on its page.
        button: Finds the button beside it; "" if there is none.
        score: Like the score of a form.
    """

    selector: str
    button: str
    score: float
    reasons: tuple[str, ...]


def boxes(page: ParsedAnswer) -> list[BoxGuess]:
    """Rank the boxes of a page in a browser that a query can be typed into, the most likely first.

    Boxes beside a field for a password or a file are left out. If the page has such a field
    anywhere, a box needs a score above 0.
    """
    guesses = []
    has_login = is_forbidden(page.root)
    for field in page.root.iter("input"):
        if not _takes_words(field) or is_forbidden(_group(field)):
            continue
        holder = _holder(field)
        guess = _guess(page, holder, field, 1, name=field.get("name") or field.get("id") or "")
        if has_login and guess.score <= 0:
            continue
        button = next(filter(_is_button, holder.iter(*_PRESSED)), None)
        selector = "" if button is None else element_selector(page, button)
        own = element_selector(page, field)
        guesses.append(BoxGuess(own, selector, guess.score, guess.reasons))
    return sorted(guesses, key=lambda guess: -guess.score)


def openers(page: ParsedAnswer) -> list[str]:
    """Return selectors of buttons outside forms whose text means search: they may show a box."""
    found = []
    for element in page.root.iter("button", "a", "div", "span"):
        if element.tag != "button" and element.get("role") != "button":
            continue
        said = " ".join(element.get(name) or "" for name in ("aria-label", "title", "class", "id"))
        is_one = _SEARCH.search(f"{text(element)} {re.sub('[-_]', ' ', said)}")
        if is_one and next(element.iterancestors("form"), None) is None:
            found.append(element_selector(page, element))
    return found


def _group(field: Any) -> Any:
    """Return the form around a box, or the nearest block that holds another field too."""
    above = next(field.iterancestors("form"), None)
    if above is not None:
        return above
    for block in field.iterancestors():
        if block.tag in ("body", "html"):
            break
        if sum(1 for each in block.iter("input", "textarea", "select")) > 1:
            return block
    return field


def _holder(field: Any) -> Any:
    """Return the form around a box, or the nearest block with a button."""
    above = next(field.iterancestors("form"), None)
    if above is not None:
        return above
    for block in list(field.iterancestors())[:4]:
        if is_forbidden(block):
            break
        if any(map(_is_button, block.iter(*_PRESSED))):
            return block
    return field.getparent()


_CLEARS = re.compile(
    r"\b(?:clear|reset|close|cancel|dismiss|menu|l[oö]schen|leeren|schlie(?:ß|ss)en|abbrechen"
    r"|effacer|fermer|annuler|borrar|limpiar|cerrar|cancelar|limpar|fechar|cancella|chiudi|annulla"
    r"|wissen|sluiten|annuleren|rensa|stäng|avbryt)\b",
    re.IGNORECASE,
)


_PRESSED = ("button", "input", "a", "span", "div", "img")
"""Elements that may send the query; all but the first two only with a script for it."""


def _is_button(element: Any) -> bool:
    """Return whether an element may send the query; buttons that clear or hide the box do not."""
    kind = (element.get("type") or "").lower()
    said = f"{text(element)} {element.get('value') or ''} {element.get('aria-label') or ''}"
    names = re.sub(r"[-_]+", " ", f"{said} {element.get('class') or ''} {element.get('id') or ''}")
    if kind != "submit" and _CLEARS.search(names):
        return False
    if element.tag == "button":
        return kind in ("", "submit", "button")
    if element.tag == "input":
        return kind in ("submit", "image", "button")
    href = element.get("href") or ""
    script = element.get("onclick") or (href if href.startswith("javascript:") else "")
    apart = re.sub("(?<=[a-z])(?=[A-Z])", " ", script)  # doSearch
    return bool(script and _SEARCH.search(f"{names} {apart}"))


def action_of(page: ParsedAnswer, guess: FormGuess) -> str:
    """Return the address a form is sent to, or "" if it is invalid."""
    try:
        return place_of(urljoin(page.answer.base, guess.element.get("action") or ""))
    except ValueError:
        return ""


def form_of_address(page: ParsedAnswer) -> FormGuess | None:
    """Return a form that sends the query in the page's own URL, or None if it has no query.

    A user who searched and copied the URL gives "?s=fish", even if the page has no box. A parameter
    with an unclear name is a query if a box on the page has that name.
    """
    boxes = {guess.field for guess in forms(page)}
    address, _, query = page.response.url.partition("?")
    pairs = parse_qsl(query)
    visible = page.answer.visible().casefold()
    for field, value in pairs:
        takes_words = field in boxes or _FIELD.match(field)
        if not (takes_words and re.search(r"[^\W\d_]", value)):
            continue
        if value.casefold() not in visible:
            continue
        reason = f"the address given, which asks for {field}={value}"
        form = _form_of(dict(pairs), address)
        return FormGuess(form, field, GOOD_FORM, f"?{field}=", "GET", (reason,))
    return None


def _form_of(fields: dict[str, str], address: str) -> Any:
    """Return a form with the given fields that is sent to a URL."""
    inputs = "".join(
        f'<input name="{escape(name)}" value="{escape(kept)}">' for name, kept in fields.items()
    )
    form = f'<form action="{escape(address)}">{inputs}</form>'
    return parsel.Selector(form, base_url=address).css("form")[0].root


def is_forbidden(form: Any) -> bool:
    """Return whether a form has a field for a password or a file."""
    return bool(kinds_of(form) & {"password", "file"})


def kinds_of(form: Any) -> set[str]:
    """Return the types of a form's input fields, in lower case."""
    return {(field.get("type") or "").lower() for field in form.iter("input")}


def is_query_name(name: str) -> bool:
    """Return whether a parameter's name, or the part in brackets, is usual for a query.

    >>> is_query_name("q"), is_query_name("lang"), is_query_name("conditions[term]")
    (True, False, True)
    """
    return bool(_FIELD.match(name.removesuffix("]").rpartition("[")[2]))


def says_search(words: str) -> bool:
    """Return whether a link's text or URL contains a word for search.

    >>> says_search("/#/search"), says_search("Recherche"), says_search("about")
    (True, True, False)
    """
    return bool(_SEARCH.search(words))


def _takes_text(field: Any) -> bool:
    return bool(field.get("name")) and _takes_words(field)


def _takes_words(field: Any) -> bool:
    kind = (field.get("type") or "text").strip().lower()
    usable = "disabled" not in field.attrib and "readonly" not in field.attrib
    return kind not in _NO_TEXT and usable


def _guess(page: ParsedAnswer, form: Any, field: Any, texts: int, *, name: str = "") -> FormGuess:
    own = " ".join(form.get(name) or "" for name in ("action", "id", "class", "name"))
    submit = " ".join(
        (button.get("value") or "") + " " + (button.get("title") or "") + " " + text(button)
        for button in form.iter("button", "input")
        if button.tag == "button" or (button.get("type") or "").lower() in ("submit", "image")
    )
    hint = " ".join(field.get(name) or "" for name in ("placeholder", "title", "aria-label"))
    labels = " ".join(text(label) for label in page.root.iter("label") if _labels(label, field))
    labels = labels or (_text_before(form, name or field.get("name")) if texts > 1 else "")
    name = name or field.get("name") or ""
    method = (form.get("method") or "get").strip().upper()
    roles = [form.get("role"), *(above.get("role") for above in form.iterancestors())]
    # Courts have registers too: the words of a form's URL count less than those of its button.
    said = submit if _SEARCH.search(submit) else f"{own} {submit}"
    # "Search emails" names what is searched.
    label = "" if _SEARCH.search(f"{hint} {labels}") else f"{hint} {labels}"
    other = _OTHER.findall(f"{said} {label} {name}".lower())
    score, reasons = 0.0, []
    for points, is_so, reason in (
        (3, "search" in roles, "role=search"),
        (2, bool(_SEARCH.search(own)), "its name or address says search"),
        (2, bool(_SEARCH.search(submit)), "its button says search"),
        (3, bool(_FIELD.match(name)), f"a field {name!r}"),
        (2, bool(_SEARCH.search(f"{hint} {labels}")), "the field's label says search"),
        (3, (field.get("type") or "").lower() == "search", "type=search"),
        (-3, next(form.iter("textarea"), None) is not None, "it has a text area"),
        (-3 * min(len(set(other)), 2), bool(other), f"it says {', '.join(sorted(set(other)))}"),
        (-1, method == "POST", "it is sent by POST"),
        (-0.3 * (texts - 1), texts > 1, f"{texts} text fields"),
        (3.5, texts > 1 and bool(_OF_TEXT.search(f"{hint} {labels}")), "its label says text"),
        (-0.5, texts > 1 and bool(_OF_PART.search(name)), "a field for a name, a number or a date"),
    ):
        if is_so:
            score += points
            reasons.append(reason)
    selector = form_selector(page, form) if form.tag == "form" else ""
    return FormGuess(form, name, score, selector, method, tuple(reasons))


def takes_names(guess: FormGuess) -> bool:
    """Return whether a form expects names of people, by the text before its field.

    >>> from lxml.html import fromstring
    >>> form = fromstring("<form>Party name <input name=p> Filed <input name=d></form>")
    >>> [takes_names(FormGuess(form, name, 0.0, "", "GET", ())) for name in "pd"]
    [True, False]
    """
    said = _text_before(guess.element, guess.field)
    return bool(_OF_PEOPLE.search(f"{guess.field} {said}"))


def _text_before(form: Any, field: str) -> str:
    """Return the text before a field, which is often its label."""
    before = ".//input[@name=$name]/preceding::text()[normalize-space()][1]"
    return " ".join(form.xpath(before, name=field))


def needed_beside(guess: FormGuess) -> list[str]:
    """Return the names of a form's other required text fields without a value.

    >>> from lxml.html import fromstring
    >>> form = fromstring("<form><input name=last required><input name=first required></form>")
    >>> needed_beside(FormGuess(form, "last", 0.0, "", "GET", ()))
    ['first']
    """
    fields = [field for field in guess.element.iter("input") if _takes_text(field)]
    needed = [f.get("name") for f in fields if f.get("required") is not None and not f.get("value")]
    return [name for name in needed if name != guess.field]


def _labels(label: Any, field: Any) -> bool:
    own_id = field.get("id")
    return bool(own_id and label.get("for") == own_id) or field in label.iter("input")


def form_selector(page: ParsedAnswer, form: Any) -> str:
    """Return a selector for a form, which matches nothing else on its page."""
    names = [f"form#{form.get('id')}"] if is_plain(form.get("id")) else []
    names += [f"form[role={form.get('role')}]"] if is_plain(form.get("role")) else []
    names += [f"form.{name}" for name in classes(form)]
    for attribute in ("name", "action"):
        value = form.get(attribute)
        passes = any(map(TOKEN.fullmatch, re.split(r"[/?&=]", value or "")))
        if value and not passes and '"' not in value and "\\" not in value and "\n" not in value:
            names.append(f'form[{attribute}="{value}"]')
    fields = [field.get("name") for field in form.iter("input") if _takes_text(field)]
    names += [f'form:has(input[name="{name}"])' for name in fields if '"' not in name]
    for name in names:
        if not compiles(f"css:{name}"):
            continue
        found = page.answer.root.css(name)
        if len(found) == 1 and found[0].root is form:
            return f"css:{name}"
    return f"xpath:(//form)[{list(page.root.iter('form')).index(form) + 1}]"
