"""Answers that are not what was asked for, although their status is 200. No I/O."""

import re
from html import escape
from urllib.parse import unquote, urlsplit

from longline.errors import ChangedError, StrangerError
from longline.model import Document, Hit, Page, Query, Request, Response
from longline.outcomes import WALL_ADVICE, Ending
from longline.source.trust.shown_words import shows, terms_of
from longline.text.charset import read_text
from longline.text.too_fast import too_fast

# fmt: off
_LOGIN = (
    r"log[ -]?[io]n", r"sign[ -]?in", r"anmelde\w*", r"einloggen", r"connexion", r"se connecter",
    r"connectez-vous", r"identifiez-vous", r"inici(?:ar|a|e) sesión", r"acceder", r"accedi",
    r"accesso", r"entrar", r"inloggen", r"aanmelden", r"logga in", r"log ind", r"logg inn",
    r"kirjaudu", r"zaloguj\w*", r"logowanie", r"přihlášení", r"вход", r"войти", r"увійти",
    r"giriş yap\w*", r"تسجيل الدخول", r"forbidden", r"maintenance",
)
_WALL_WORDS = (
    r"captcha", r"are you (?:a )?(?:human|robot)", r"not a robot", r"verify (?:that )?you",
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
    # "Login" may stand in any title; what begins a title, or a part of one, is what it says.
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
    r"captcha|robot|human|checking your browser|just a moment|security check|mensch"
    r"|验证码|驗證碼|ロボット",
    re.IGNORECASE,
)
_SHUT = re.compile(
    r"denied|forbidden|blocked|unusual traffic|verweigert|interdit|refusé"
    r"|denegado|negato|negado|geweigerd|nekad|odmowa|запрещ|ограничен|拒绝|拒否|거부",
    re.IGNORECASE,
)
_NAMES = re.compile(r"""\b(?:class|id)\s*=\s*["']?([^"'>]+)|"(\w+)"\s*:|<(\w+)""")
_BETWEEN = re.compile(r"[\W_]+")
_TAGS = re.compile(r"<[^<>]*>")

ALIKE = 0.9
"""Two pages whose names of classes, ids and keys overlap so much are made alike (Jaccard)."""

ENOUGH_DOCUMENTS = 20
"""So many documents that all show the words of their hits make one that does not a stranger."""


def sign(title: str) -> str:
    """Return what in a title says login, captcha, or that nobody gets in; "" where nothing does.

    >>> sign("Sign in | Shop"), sign("Bitte anmelden"), sign("ログインページ"), sign("A shell")
    ('Sign in', 'Bitte anmelden', 'ログイン', '')
    """
    found = _SIGN.search(title)
    return found[0].strip(" |\u2013\u2014:·»-") if found else ""


def ending_of(title: str, markup: str = "") -> Ending:
    """Return how a harvest ends that gets nothing but such pages.

    Args:
        title: Of the page.
        markup: Or text; looked into where the title does not tell.

    >>> ending_of("Are you a robot?").cause, ending_of("Please sign in").cause
    ('captcha', 'login')
    >>> ending_of("Access denied").cause, ending_of("Slow down").cause
    ('refused', 'refused')
    >>> ending_of("The new shop").outcome
    'changed'
    """
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
    """Return the same of a page that came where another one was right before."""
    markup = _decoded(response)
    return ending_of(_title(markup), markup)


def as_document(hit: Hit, response: Response) -> Document:
    """Return a page without a text where documents have theirs, as though all of it were one."""
    markup = _decoded(response)
    return Document(hit.key, hit.url, _title(markup), " ".join(_TAGS.sub(" ", markup).split()))


def changed(what: str) -> ChangedError:
    """Return what to raise when a site answers otherwise than before."""
    return ChangedError(
        f"the source no longer answers as it did: {what}",
        advice="open the URL in a browser; run it again when results are back; if "
        "the site looks different now, `longline discover --relearn DIR` learns it anew",
    )


ENOUGH_PAGES = 5
"""So many pages with hits that all show their query make one that does not a stranger."""


class ChangeDetector:
    """Notice when a site no longer answers as it did.

    A page without hits, without the mark of an empty page and without a total may be the end of
    a query, or a site that was redesigned. The first of each look is suspect, until a query that
    had hits before is seen to have them still. So are a result page that does not show its query,
    and a document without the words of its hit, where all before did.

    Attributes:
        good: The hit of a document that came as it should; None before the first.

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
        """Say whether a page without hits is made unlike those that were accepted."""
        if page.hits or page.total is not None:
            return False
        return not any(_alike(look(response), known) for known in self._empty)

    def accept(self, response: Response) -> None:
        """Take pages made like this one for empty from now on."""
        self._empty.append(look(response))

    def suspects_hits(self, query: Query, response: Response) -> bool:
        """Say whether a page with hits does not show its query though all before showed theirs.

        Selectors may match any list of links; `accept_hits` takes the page for a result page.

        Raises:
            StrangerError: Its title says login, captcha, or that nobody gets in.
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
        """Expect no more that pages with hits show their query."""
        self._pages += 1

    def suspects_document(self, hit: Hit, request: Request, response: Response) -> bool:
        """Say whether a document's page has few words of its hit though all before had them.

        Raises:
            StrangerError: It says login or captcha where its hit does not.
        """
        text = _decoded(response)
        title = _title(text)
        shares = _shares(hit, text)
        says = "" if self._signed or sign(_named(hit)) else sign(title)
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
        self._signed |= bool(sign(title))
        return False

    def accept_document(self, hit: Hit) -> None:
        """Expect no more that documents have the words of their hits."""
        self._note(hit, is_sharing=False)

    def is_as_before(self, response: Response) -> bool:
        """Say whether the page of the document `good` still is that document."""
        return self.good is not None and _shares(self.good, _decoded(response))

    def know(self, hit: Hit, document: Document) -> None:
        """Take note of a document that an earlier run read."""
        self._note(hit, is_sharing=_shares(hit, f"{document.title}\n{document.text}"))

    def _note(self, hit: Hit, *, is_sharing: bool) -> None:
        if is_sharing:
            self.good = self.good or hit
        self._documents += 1
        self._sharing += is_sharing


def look(response: Response) -> frozenset[str]:
    """Return what a page is made of: its tags, and the names of classes, ids and JSON keys."""
    found = _NAMES.findall(_decoded(response))
    names = {name for groups in found for part in groups for name in part.split()}
    return frozenset([*names, urlsplit(response.url).path])


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= ALIKE * len(one | other)


def _shares(hit: Hit, text: str) -> bool:
    """Say whether a page has half the words of its hit's title, or a third of its snippet's."""
    if not terms_of(hit.title) and not terms_of(hit.snippet):
        return True
    page = _TAGS.sub(" ", text)
    return shows(page, hit.title, 1 / 2) or shows(page, hit.snippet, 1 / 3)


def _title(text: str) -> str:
    found = _TITLE.search(text)
    return " ".join(found[1].split())[:200] if found else ""


def _escaped(term: str) -> str:
    return escape(term.casefold(), quote=False)


def _decoded(response: Response) -> str:
    return read_text(response.body, response.content_type)[1]


def _named(hit: Hit) -> str:
    """Return what a list says that a document is called; without a title its address tells."""
    return hit.title or _BETWEEN.sub(" ", unquote(hit.url.rpartition("/")[2]))
