"""Detect pages other than the expected ones, although their status is 200. No I/O."""

import re
from html import escape, unescape
from urllib.parse import unquote, urlsplit

from longline.errors import ChangedError, StrangerError
from longline.model import Document, Hit, Page, Query, Request, Response
from longline.outcomes import WALL_ADVICE, Ending
from longline.source.trust.shown_words import shows, terms_of
from longline.text.charset import read_text
from longline.text.refusals import too_fast

# fmt: off
_LOGIN = (
    r"log[ -]?[io]n", r"sign[ -]?in", r"anmelde\w*", r"einloggen", r"connexion", r"se connecter",
    r"connectez-vous", r"identifiez-vous", r"inici(?:ar|a|e) sesión", r"acceder", r"accedi",
    r"accesso", r"entrar", r"inloggen", r"aanmelden", r"logga in", r"log ind", r"logg inn",
    r"kirjaudu", r"zaloguj\w*", r"logowanie", r"přihlášení", r"вход", r"войти", r"увійти",
    r"giriş yap\w*", r"تسجيل الدخول", r"forbidden", r"maintenance",
)
_WALL_WORDS = (
    r"captcha", r"are you (?:a )?(?:human|robot)", r"not a (?:ro)?bot", r"verify (?:that )?you",
    r"human verification", r"security check", r"just a moment", r"attention required",
    r"checking your browser", r"unusual traffic", r"access (?:is )?denied",
    r"too many requests", r"request blocked", r"kein roboter", r"zugriff verweigert",
    r"pas un robot", r"accès (?:refusé|interdit)", r"no (?:soy|eres) un robot",
    r"acceso denegado", r"accesso negato", r"acesso negado", r"toegang geweigerd",
    r"åtkomst nekad", r"odmowa dostępu", r"доступ (?:запрещ\w+|ограничен)", r"вы не робот",
    r"(?:under|down for|site) maintenance", r"wartungsarbeiten", r"temporarily unavailable",
    r"en mantenimiento",
)
_UNSPACED = (
    "登录", "登入", "ログイン", "サインイン", "로그인", "เข้าสู่ระบบ", "验证码", "驗證碼",
    "访问被拒绝", "拒绝访问", "アクセスが拒否", "ロボットではありません", "접근이 거부",
    "メンテナンス中", "维护中",
)
# fmt: on
_POLITE = r"(?:please|bitte|veuillez(?: vous)?|por favor|per favore)\s+"
_SIGN = re.compile(
    # "Login" may occur in any title; only at the start of a title, or of a part of it, does it
    # count.
    rf"(?:(?:^|[|\u2013\u2014:·»]|\s-)\s*(?:{_POLITE})?(?:{'|'.join(_LOGIN)})|\b(?:{'|'.join(_WALL_WORDS)}))\b"
    rf"|{'|'.join(_UNSPACED)}",
    re.IGNORECASE,
)
_TITLE = re.compile(r"<title[^<>]*+>((?:[^<]++|<(?!/?title))*+)</title>", re.IGNORECASE)
_WALL = re.compile(
    r"""<input[^<>]+type\s*=\s*["']?password|(?:class|id|src)\s*=\s*["'][^"']*captcha""",
    re.IGNORECASE,
)
_CAPTCHA = re.compile(
    r"captcha|robot|not a bot|human|checking your browser|just a moment|security check|mensch"
    r"|验证码|驗證碼|ロボット",
    re.IGNORECASE,
)
_SHUT = re.compile(
    r"denied|forbidden|blocked|unusual traffic|verweigert|interdit|refusé"
    r"|denegado|negato|negado|geweigerd|nekad|odmowa|запрещ|ограничен|拒绝|拒否|거부",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"maintenance|wartung|temporarily unavailable|mantenimiento|manutenção|manutenzione|onderhoud"
    r"|メンテナンス|维护",
    re.IGNORECASE,
)
_NAMES = re.compile(r"""\b(?:class|id)\s*=\s*["']?([^"'>]+)|"(\w+)"\s*:|<(\w+)""")
_BETWEEN = re.compile(r"[\W_]+")
_TAGS = re.compile(r"<[^<>]*>")

ALIKE = 0.9
"""Two pages have the same layout if their names (tags, ids, ...) overlap this much (Jaccard)."""

ENOUGH_DOCUMENTS = 20
"""After this many documents that all show their hits' words, one that does not is suspect."""


def sign(title: str) -> str:
    """Return the words of a title that mean login, captcha or access denied, or "" if none.

    >>> sign("Sign in | Shop"), sign("Bitte anmelden"), sign("ログインページ"), sign("A shell")
    ('Sign in', 'Bitte anmelden', 'ログイン', '')
    """
    found = _SIGN.search(title)
    return found[0].strip(" |\u2013\u2014:·»-") if found else ""


def ending_of(title: str, markup: str = "") -> Ending:
    """Return how a harvest ends that gets only such pages.

    Args:
        title: Title of the page.
        markup: Its markup or text; used if the title does not decide.

    >>> ending_of("Are you a robot?").cause, ending_of("Please sign in").cause
    ('captcha', 'login')
    >>> ending_of("Access denied").cause, ending_of("Slow down").cause
    ('refused', 'refused')
    >>> ending_of("Down for maintenance").outcome, ending_of("The new shop").outcome
    ('unreachable', 'changed')
    """
    if _DOWN.search(title):
        return Ending("unreachable")
    if _CAPTCHA.search(title):
        return Ending("blocked", "captcha")
    if _SHUT.search(title) or too_fast(title):
        return Ending("blocked", "refused")
    if sign(title):
        return Ending("blocked", "login")
    if "captcha" in markup.casefold():
        return Ending("blocked", "captcha")
    return Ending("blocked", "login") if _WALL.search(markup) else Ending("changed")


def ending_of_page(response: Response) -> Ending:
    """Return the ending for a page that came where another page was correct before."""
    markup = _decoded(response)
    return ending_of(_title(markup), markup)


def as_document(hit: Hit, response: Response) -> Document:
    """Return a page as a document, with all of its text."""
    markup = _decoded(response)
    return Document(hit.key, hit.url, _title(markup), " ".join(_TAGS.sub(" ", markup).split()))


def changed(what: str) -> ChangedError:
    """Return the error for a site that no longer answers as before."""
    return ChangedError(
        f"the source no longer answers as it did: {what}",
        advice="open the URL in a browser; run it again when results are back; if "
        "the site looks different now, `longline discover --relearn DIR` learns it anew",
    )


ENOUGH_PAGES = 5
"""After this many pages with hits that all show their query, one that does not is suspect."""


class ChangeDetector:
    """Detect that a site no longer answers as before.

    A page without hits, without the mark of an empty page and without a total may be the end of a
    query, or a redesigned site. The first page of each new layout is suspect, until a query that
    had hits before is confirmed to have them still. A result page that does not show its query, and
    a document without its hit's words, are suspect if all earlier ones had them.

    Attributes:
        good: The hit of a document that was read correctly; None before the first.

    >>> watch = ChangeDetector()
    >>> empty = Response(url="https://x.example/", status=200, body=b"<p class=sorry>Nothing</p>")
    >>> watch.suspects(Page(), empty)
    True
    >>> watch.accept(empty)
    >>> watch.suspects(Page(), empty)
    False
    """

    def __init__(self) -> None:
        self.good: Hit | None = None
        self._empty: list[frozenset[str]] = []
        self._documents = 0
        self._sharing = 0
        self._signed = False
        self._pages = 0
        self._showing = 0

    def suspects(self, page: Page, response: Response) -> bool:
        """Return whether a page without hits has a layout unlike the accepted ones."""
        if page.hits or page.total is not None:
            return False
        layout = look(response)
        return not any(_alike(layout, known) for known in self._empty)

    def accept(self, response: Response) -> None:
        """Accept pages with this layout as empty from now on."""
        self._empty.append(look(response))

    def suspects_hits(self, query: Query, response: Response) -> bool:
        """Return whether a page with hits does not show its query though all earlier pages did.

        Selectors may match any list of links; `accept_hits` accepts the page as a result page.

        Raises:
            StrangerError: Its title means login, captcha or access denied.
        """
        text = _decoded(response)
        title = _title(text)
        says = sign(title).casefold()
        if says and not any(term.casefold() in says for term in query.wanted):
            ending = ending_of(title)
            raise StrangerError(
                f"a page titled {title!r} came from {response.url} instead of results, with links "
                "that look like hits",
                advice=WALL_ADVICE.get(
                    ending.cause, "open the URL in a browser; if it shows hits, correct the spec"
                ),
                ending=ending,
            )
        seen = text.casefold()
        shows = not query.wanted or any(_escaped(term) in seen for term in query.wanted)
        if not shows and self._showing == self._pages >= ENOUGH_PAGES:
            return True
        self._pages += 1
        self._showing += shows
        return False

    def accept_hits(self) -> None:
        """No longer expect pages with hits to show their query."""
        self._pages += 1

    def suspects_document(self, hit: Hit, request: Request, response: Response) -> bool:
        """Return whether a document's page has few words of its hit, unlike all earlier pages.

        Raises:
            StrangerError: It is a login or captcha page, and its hit is not about these.
        """
        text = _decoded(response)
        title = _title(text)
        shares = _shares(hit, text)
        signed = sign(title)
        says = "" if not signed or self._signed or sign(_named(hit)) else signed
        if says or (not shares and _WALL.search(text)):
            ending = ending_of(title, text)
            if advice := WALL_ADVICE.get(ending.cause, ""):
                advice += "; `--listing-only` saves what result pages show"
            raise StrangerError(
                f"a page titled {title!r} came from {response.url} instead of the document "
                f"{request.url}",
                advice=advice or "open the URL in a browser",
                ending=ending,
            )
        if not shares and self._sharing == self._documents >= ENOUGH_DOCUMENTS:
            return True
        self._note(hit, is_sharing=shares)
        self._signed |= bool(signed)
        return False

    def accept_document(self, hit: Hit) -> None:
        """No longer expect documents to have the words of their hits."""
        self._note(hit, is_sharing=False)

    def is_as_before(self, response: Response) -> bool:
        """Return whether the page of the document `good` still is that document."""
        return self.good is not None and _shares(self.good, _decoded(response))

    def know(self, hit: Hit, document: Document) -> None:
        """Record a document that an earlier run read."""
        self._note(hit, is_sharing=_shares(hit, f"{document.title}\n{document.text}"))

    def _note(self, hit: Hit, *, is_sharing: bool) -> None:
        if is_sharing:
            self.good = self.good or hit
        self._documents += 1
        self._sharing += is_sharing


def look(response: Response) -> frozenset[str]:
    """Return a page's layout: its path, its tags, and the names of classes, ids and JSON keys."""
    found = _NAMES.findall(_decoded(response))
    names = {name for groups in found for part in groups for name in part.split()}
    return frozenset([*names, urlsplit(response.url).path])


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= ALIKE * len(one | other)


def _shares(hit: Hit, text: str) -> bool:
    """Return whether a page has half the words of its hit's title, or a third of its snippet's."""
    if not terms_of(hit.title) and not terms_of(hit.snippet):
        return True
    page = _TAGS.sub(" ", text)
    return shows(page, hit.title, 1 / 2) or shows(page, hit.snippet, 1 / 3)


def _title(text: str) -> str:
    found = _TITLE.search(text)
    return " ".join(unescape(found[1]).split())[:200] if found else ""


def _escaped(term: str) -> str:
    return escape(term.casefold(), quote=False)


def _decoded(response: Response) -> str:
    return read_text(response.body, response.content_type)[1]


def _named(hit: Hit) -> str:
    """Return a document's title in the listing, or else the last part of its URL as words."""
    return hit.title or _BETWEEN.sub(" ", unquote(hit.url.rpartition("/")[2]))
