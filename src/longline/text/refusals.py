"""Phrases with which sites tell clients to slow down or ask for less, or readers to log in."""

import re
from collections.abc import Iterable
from typing import NamedTuple

_AGAIN = r"\b(?:again|retry|opnieuw|erneut|nouveau|nuevo|novamente|riprova\w*|igen)\b"
_SOON = (
    r"\b(?:a few|several|enkele|einigen|wenigen|quelques|unos|algunos|alguns|pochi|alcuni|några)"
    r" (?:seconds|minutes|seconden|minuten|sekunden|secondes|segundos|minutos|secondi|minuti"
    r"|sekunder|minuter)\b"
)
_TOO_FAST = re.compile(
    r"\btoo (?:fast|quickly|many (?:requests|searches|queries|times))\b|\bslow down\b"
    r"|\brate[ -]?limit"
    r"|\bthrottled\b"
    r"|\bzu (?:schnell|viele a[nb]fragen)\b|\btrop (?:vite|de requêtes)\b"
    r"|\btropp[eo] (?:richieste|veloce)\b"
    r"|\bdemasiad[ao]s? (?:solicitudes|peticiones|consultas|rápido)\b"
    rf"|{_AGAIN}[^.]{{0,40}}?{_SOON}|{_SOON}[^.]{{0,40}}?{_AGAIN}",
    re.IGNORECASE,
)
_ROOTS = (
    *(
        b"too ",
        b"slow down",
        b"rate limit",
        b"rate-limit",
        b"ratelimit",
        b"throttled",
        b"zu ",
        b"trop",
        b"demasiad",
    ),
    *(b"secon", b"segundo", b"sekund", b"minut"),
)


def too_fast(text: str) -> str:
    """Return the phrase in a text that tells the client to slow down, or "".

    >>> too_fast("Error: Too many requests"), too_fast("Sie suchen zu schnell."), too_fast("Fast")
    ('Too many requests', 'zu schnell', '')
    >>> too_fast("It took a few minutes."), too_fast("Please try again in a few minutes.")
    ('', 'again in a few minutes')
    """
    found = _TOO_FAST.search(text)
    return found[0] if found else ""


def may_be_too_fast(lower: bytes) -> bool:
    """Return whether `too_fast` may find something; this is faster than searching.

    Args:
        lower: A page in lower case.

    >>> may_be_too_fast(b"<p>slow down"), may_be_too_fast(b"<p>results")
    (True, False)
    """
    return any(root in lower for root in _ROOTS)


_WAIT = re.compile(
    r"\b(?:try again|retry|please wait|erneut|warten|réessayer|attendre|intente\w*|espere"
    r"|riprova\w*|attend\w*)\b[^.<>\d]{0,60}?\b(\d{1,4})\s+(sec\w*|sek\w*|seg\w*|min\w*)\b",
    re.IGNORECASE,
)
_WAITS = b"again retry wait erneut warten essayer attend intente espere riprova".split()
"""`_WAIT` can only match a text with one of these; searching them first takes half the time."""

_TIME = re.compile(rb"\d\s*(?:(?:&nbsp;|\xc2\xa0|<[^>]*>)\s*)*(?:se[ckg]|min)")
"""Matches a number of seconds or minutes in a page in lower case."""

_PACE = re.compile(
    r"\b(\d{1,5})\s+(?:\w+\s+)?(?:requests?|pages?|searches|queries|hits|calls|times|anfragen|seiten"
    r"|abfragen|requêtes|consultas|solicitudes|peticiones|páginas|richieste|pagine)"
    r"(?:\s+(?:are\s+)?(?:allowed|permitted|erlaubt))?"
    r"\s*(?:in|per|every|within|each|an|a|pro|je|par|por|al|/)\s*(?:(\d{1,4})\s+)?"
    r"(sec\w*|sek\w*|seg\w*|min\w*)\b",
    re.IGNORECASE,
)
_SECONDS = re.compile(
    r'"(?:retry|wait|reset)[_ -]?(?:after|in|for)?[_ -]?(?:s|sec|secs|seconds)?"\s*:\s*"?'
    r"(\d{1,4}(?:\.\d{1,9})?)\b",
    re.IGNORECASE,
)

TOO_FAST_SECONDS = 2.0
"""Wait for a page that says only that requests come too fast."""

_ERRORS = b'"error', b'"err"', b'"fault', b'"fail'
"""JSON that names an error with a success status has one of these, as a name or value."""

_ERROR = re.compile(r'"error"\s*:\s*"([^"]{1,200})"')
"""An error that longer JSON names beside empty lists."""

_MARKUP = re.compile(r"<(script|style)\b.*?</\1\s*>|<[^>]*>", re.IGNORECASE | re.DOTALL)
MOST_NOTICE_BYTES = 40_000
MOST_NOTICE_LETTERS = 1_000
"""Maximum size of a page that asks to wait and shows no results: bytes, and characters of text."""

MOST_BRIEF_BYTES = 4_000
MOST_BRIEF_LETTERS = 300
"""The same for a page that names no time."""


def said_wait(body: bytes) -> tuple[float, str] | None:
    """Return the seconds that a page with a success status asks to wait, and its wording, or None.

    Only short pages count: a document may mention waiting.

    >>> said_wait(b"<p>You cannot search at this time. Please try again in 15 seconds.</p>")
    (15.0, 'try again in 15 seconds')
    >>> said_wait(b"<title>Slow down</title><p>Please search a little later.</p>")
    (2.0, 'Slow down')
    >>> said_wait("<p>Sorry. Probeer het over enkele seconden opnieuw.</p>".encode())
    (2.0, 'enkele seconden opnieuw')
    >>> said_wait(b"<p>It was tried again in 15 experiments.</p>")
    """
    if len(body) > MOST_NOTICE_BYTES:
        return None
    lower = body.lower()
    may_be_fast = len(body) <= MOST_BRIEF_BYTES and may_be_too_fast(lower)
    may_wait = any(word in lower for word in _WAITS) and _TIME.search(lower) is not None
    if not (may_be_fast or may_wait):
        return None
    text = _text_of(body)
    found = _WAIT.search(text) if len(text) <= MOST_NOTICE_LETTERS else None
    if found is None:
        fast = too_fast(text) if may_be_fast and len(text) <= MOST_BRIEF_LETTERS else ""
        return (TOO_FAST_SECONDS, fast) if fast else None
    return float(found[1]) * _unit(found[2]), found[0][:60]


def data_too_fast(body: bytes) -> str:
    """Return the phrase with which JSON names the error that requests come too fast, or "".

    In JSON that is not very short, only the text of "error" counts.

    >>> data_too_fast(b'{"error": "Rate limit exceeded"}'), data_too_fast(b'["slow down"]')
    ('Rate limit', '')
    """
    lower = body.lower() if len(body) <= MOST_BRIEF_BYTES else b""
    if not (any(word in lower for word in _ERRORS) and may_be_too_fast(lower)):
        return ""
    text = body.decode("utf-8", "replace")
    if len(body) <= MOST_BRIEF_LETTERS:
        return too_fast(text)
    return next(filter(None, map(too_fast, _ERROR.findall(text))), "")


class Refusal(NamedTuple):
    """What the text of a refusal asks for.

    Attributes:
        seconds: Wait this long.
        said: Its wording, for people.
        apart: Then leave this many seconds between requests; 0 if no rate is named.
    """

    seconds: float
    said: str
    apart: float = 0.0


def refused_for(status: int, body: bytes) -> Refusal | None:
    """Return the wait and the rate that a refusal names in its text, or None if it names none.

    Only the statuses 429 and 503 count. Rates over hours or days are left to quotas.

    >>> refused_for(503, b"<p>Please do not fetch more than 20 pages in 10 seconds.")
    Refusal(seconds=10.0, said='20 pages in 10 seconds', apart=0.5)
    >>> refused_for(429, b'{"message": "You are being rate limited.", "retry_after": 3.5}')
    Refusal(seconds=3.5, said='"retry_after": 3.5', apart=0.0)
    >>> refused_for(429, b"Limit: 30 requests per minute.")[::2]
    (60.0, 2.0)
    >>> refused_for(503, b"<p>The catalogue has 20 pages.")
    """
    if status not in (429, 503):
        return None
    text = _text_of(body)[:MOST_NOTICE_LETTERS]
    if (pace := _PACE.search(text)) is not None and int(pace[1]) > 0:
        window = float(pace[2] or 1) * _unit(pace[3])
        return Refusal(window, pace[0], window / int(pace[1]))
    if (seconds := _SECONDS.search(text)) is not None:
        return Refusal(float(seconds[1]), seconds[0])
    if (asked := _WAIT.search(text)) is not None:
        return Refusal(float(asked[1]) * _unit(asked[2]), asked[0][:60])
    return None


def _text_of(body: bytes) -> str:
    """Return the text of a page without markup and scripts, in one line."""
    return " ".join(_MARKUP.sub(" ", body.decode("utf-8", "replace")).split())


def _unit(word: str) -> int:
    """Return the seconds of a unit of time, which is seconds or minutes."""
    return 60 if word[:3].lower() == "min" else 1


MOST_END = 300
"""How many letters at the end of a text are searched for a request to log in."""

_LOG_IN = re.compile(
    r"\b(?:subscri\w+|abonn\w+|suscr[ií]\w+|assin\w+|abbon\w+|prenumer\w+|members? only|log ?in"
    r"|sign ?(?:in|up)|register|free articles|anmeld\w*|einlogg\w*|registrier\w*|connect(?:ez|er)"
    r"|identifi\w+|inicia\w* sesión|regístr\w+|accedi|inloggen|logga in|zaloguj\w*)\b",
    re.IGNORECASE,
)
_LOG_IN_ROOTS = (
    *("subscri", "abonn", "suscr", "assin", "abbon", "prenumer", "member", "log", "sign", "regist"),
    *("free art", "anmeld", "connect", "identif", "inicia", "regíst", "accedi"),
)
"""What `_LOG_IN` can only match with: one of these, in lower case."""

_READ_ON = re.compile(
    r"\b(?:read\w*|continue|full|whole|complete|articles?|weiter\w*|lesen|vollständig\w*|lire|suite"
    r"|lecture|intégral\w*|leer|leyendo|completo|seguir|continu\w+|ler|leggere|lezen|verder|läsa"
    r"|czyta\w+)\b",
    re.IGNORECASE,
)


def mentions_log_in(text: str) -> bool:
    """Return whether a text has a word of logging in, registering or subscribing.

    >>> mentions_log_in("For members only."), mentions_log_in("No abstract is available.")
    (True, False)
    """
    lower = text.lower()  # most texts have none of the roots, and a search takes long
    return any(root in lower for root in _LOG_IN_ROOTS) and _LOG_IN.search(text) is not None


def asks_to_log_in(line: str) -> bool:
    """Return whether a line asks the reader to log in, or to pay, to read the rest.

    >>> asks_to_log_in("Subscribe to continue reading."), asks_to_log_in("Log in to comment")
    (True, False)
    >>> asks_to_log_in("Melden Sie sich an."), asks_to_log_in("Bitte anmelden und weiterlesen")
    (False, True)
    """
    return mentions_log_in(line) and _READ_ON.search(line) is not None


_TOO_MANY = re.compile(
    r"\btoo (?:many (?:results|matches|hits|records|documents|entries|items)\b(?!\s*\?)|broad\b)"
    r"|\bzu viele (?:treffer|ergebnisse)\b|\btrop de r[ée]sultats\b|\btroppi risultati\b"
    r"|\bdemasiados (?:resultados|registros)\b|\b(?:demasiados|muitos) resultados\b"
    r"|\bte veel resultaten\b|\bför många (?:träffar|resultat)\b|\bfor mange (?:treff|resultat)"
    r"|\bliian (?:monta|paljon) (?:tulosta|tuloksia)\b|\bzbyt (?:wiele|dużo) wyników\b"
    r"|\bpříliš mnoho výsledků\b|слишком много результатов|結果が多すぎ|结果过多|结果太多",
    re.IGNORECASE,
)


def too_many(text: str) -> bool:
    """Return whether a text says that a search matches too much to be shown.

    >>> too_many("Too many results found. Please enter more words."), too_many("Zu viele Treffer")
    (True, True)
    >>> too_many("Too many results? Use quotes."), too_many("No results")
    (False, False)
    """
    return _TOO_MANY.search(text) is not None


_MANY = (
    r"(?:\d+|two|three|four|zwei|drei|vier|deux|trois|quatre|dos|tres|cuatro|due|tre|quattro|twee"
    r"|drie|três)"
)
_LETTERS = (
    r"(?:characters?|letters?|zeichen|buchstaben|caract[èe]r\w*|caratter\w+|lettres|letras|lettere"
    r"|tekens|tecken|bokstäver|tegn|merkkiä|znak\w*|символ\w*|букв\w*)"
)
_TOO_SHORT = re.compile(
    r"(?:(?:at least|minimum(?: of)?|mindestens|au moins|al menos|m[ií]nimo(?: de| di)?|pelo menos"
    r"|almeno|minstens|minst|vähintään|co najmniej|alespoň|не менее"
    r"|(?:longer|shorter|more|fewer|less) than|länger als|mehr als|plus de|más de|mais de|più di"
    r"|langer dan|meer dan)\s+"
    rf"{_MANY}\s+{_LETTERS}"
    rf"|{_MANY}\s+{_LETTERS}\s+(?:or more|minimum|oder mehr|ou plus|o más|ou mais|o più|of meer)"
    r"|\d+\s*(?:文字以上|글자 이상|个字符以上|個字以上))",
    re.IGNORECASE,
)


LONG = 5
"""Letters of a word that every search takes."""


def wants_longer(words: Iterable[str], text: str) -> bool:
    """Return whether a text says how many letters words must have, and one of these is short.

    >>> said = "Words of at least 4 letters", "At least 4 died", "Words longer than 3 letters"
    >>> [wants_longer(["of"], each) for each in said], wants_longer(["grain"], said[0])
    ([True, False, True], False)
    """
    return any(len(word) < LONG for word in words) and _TOO_SHORT.search(text) is not None


_RESULTS = (
    r"(?:results?|records?|hits?|matches|documents?|entries|items?|files?|treffer|ergebnisse"
    r"|dokumente|einträge|datensätze|résultats?|notices?|resultados?|registros?|documentos?"
    r"|risultat[io]|resultat(?:en)?|träffar|treff|wyników|wyniki)"
)
_WITHHELD = re.compile(
    rf"(?<![\d.,])(\d[\d.,]{{0,9}})\s(?:[^\W\d]+\s){{0,2}}{_RESULTS}\s(?:ne\s)?"
    r"(?:(?:are|is|were|was|have been|werden|wurden|sind|ont été|sont|est|han sido|están?"
    r"|sono|foram|estão|zijn|worden|är|er)\s)?"
    r"(?:not (?:shown|displayed|listed|visible)|hidden|withheld|suppressed|restricted"
    r"|nicht (?:angezeigt|sichtbar)|ausgeblendet|verborgen|gesperrt|pas affichée?s?|masquée?s?"
    r"|no se muestran?|ocult[oa]s?|non (?:sono )?(?:mostrati|visualizzati)|nascosti"
    r"|não (?:são )?(?:exibidos|mostrados)|niet (?:getoond|weergegeven|zichtbaar)|visas inte"
    r"|vises ikke|dolda|skjult\w*|ukryt\w+)\b",
    re.IGNORECASE,
)


_HIDING = (
    *("not shown", "not displayed", "not listed", "not visible", "re hidden", "is hidden"),
    *("s hidden", "been hidden", "withheld", "suppressed", "restricted", "nicht angezeigt"),
    *("nicht sichtbar", "ausgeblendet", "verborgen", "gesperrt", "pas affich", "masqu", "ocult"),
    *("no se muestra", "mostrati", "visualizzati", "nascosti", "exibidos", "mostrados", "niet "),
    *("visas inte", "vises ikke", "dolda", "skjult", "ukryt"),
)


def may_withhold(lower: str) -> bool:
    """Return whether `withheld` may find something; this is faster than searching.

    Args:
        lower: A page in lower case.

    >>> may_withhold("46 records are not shown."), may_withhold("<input type=hidden>")
    (True, False)
    """
    return any(root in lower for root in _HIDING)


def withheld(text: str) -> int:
    """Return how many results a text says are not shown to this reader, or 0.

    >>> withheld("46 further records are not shown because you are not signed in.")
    46
    >>> withheld("12 Treffer werden nicht angezeigt."), withheld("7 results. Hidden: none")
    (12, 0)
    """
    found = _WITHHELD.search(text)
    return int(re.sub(r"\D", "", found[1])) if found else 0
