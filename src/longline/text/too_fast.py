"""Phrases with which sites tell clients to slow down."""

import re

_AGAIN = r"\b(?:again|retry|opnieuw|erneut|nouveau|nuevo|novamente|riprova\w*|igen)\b"
_SOON = (
    r"\b(?:a few|several|enkele|einigen|wenigen|quelques|unos|algunos|alguns|pochi|alcuni|några)"
    r" (?:seconds|minutes|seconden|minuten|sekunden|secondes|segundos|minutos|secondi|minuti"
    r"|sekunder|minuter)\b"
)
_TOO_FAST = re.compile(
    r"\btoo (?:fast|quickly|many (?:requests|searches|queries))\b|\bslow down\b|\brate[ -]?limit"
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
