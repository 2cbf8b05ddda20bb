"""Messages and advice for sites where nothing can be learnt."""

from longline.errors import option
from longline.outcomes import Cause, Ending

BY_HAND = (
    "search once in a browser, and give the address of the results page; or describe the search in "
    "a source.toml (docs/how-to/sources/none-of-these.md)"
)
BY_WORDS = f"give words that its texts use by {option('words')}"
BY_POST = f"if the form only searches, let it be sent by {option('post=True')}"
BY_ROBOTS = "ask the site's owner, or look for an interface that its robots.txt allows"
BY_FIELDS = (
    "write a source.toml with the form's fields as [facets] (docs/how-to/sources/facets-only.md)"
)
BY_MORE = (
    "learning a site takes about 40 requests: give a higher --max-requests; if it was higher, "
    "learn the site by longline discover --max-requests 200, and harvest what that writes"
)
BY_LIST = (
    "look for a list, a feed, a file or an interface in JSON of the same documents, and give its "
    "address"
)
BY_ACCESS = "give the address of an open search, or ask the site's owner for access"
"""What the user can do if nothing can be learnt."""

WALLS: dict[Cause, str] = {
    "login": "its answers ask for a password",
    "captcha": "it asks visitors to prove that they are human (CAPTCHA)",
    "refused": "its answers say that access is denied",
}
"""What answers that deny access say, by cause."""

NOTHING_NEW = "brought what made-up words bring"
NO_ANSWER = "no answer came"
NO_LIST = "the answers hold nothing that looks like a list of results"
NO_BOX = "has no box for words"
NEEDS_ALL = "needs all of"
SENT_BY_POST = "by POST"
STAYS_OPEN = "what it shows comes by a connection that stays open"
OF_VISITOR = "of the visitor's own session"
ASKS_FOR = "asks for a"
"""Why an attempt failed, as messages say it: the advice depends on it."""

_BY_REASON = (
    (BY_ROBOTS, ("/robots.txt",)),
    (BY_ACCESS, tuple(WALLS.values())),
    (BY_POST, (SENT_BY_POST,)),
    (BY_HAND, (NEEDS_ALL,)),
    (BY_LIST, (STAYS_OPEN, OF_VISITOR)),
    (BY_FIELDS, (NO_BOX,)),
    (BY_WORDS, (NOTHING_NEW, NO_ANSWER, NO_LIST)),
    (BY_ACCESS, (ASKS_FOR,)),
)


def advice_on(tried: str) -> str:
    """Return advice on failed attempts, the most likely to help first.

    >>> advice_on("its answers ask for a password").partition(";")[0]
    "give the address of an open search, or ask the site's owner for access"
    """
    for advice, marks in _BY_REASON:
        if any(mark in tried for mark in marks):
            return advice if advice in (BY_HAND, BY_ROBOTS, BY_LIST) else f"{advice}; or {BY_HAND}"
    return BY_HAND


def ending_of(advice: str, tried: str) -> Ending:
    """Return how a harvest ends that found nothing, by its advice and failed attempts.

    >>> tried = "its answers ask for a password"
    >>> str(ending_of(advice_on(tried), tried)), str(ending_of(BY_HAND, "no search box was found"))
    ('blocked (login)', 'failed')
    """
    if advice == BY_ROBOTS:
        return Ending("blocked", "robots")
    marks: dict[Cause, str] = {**WALLS, "login": "for a password"}
    causes = [cause for cause, mark in marks.items() if mark in tried]
    if advice.startswith(BY_ACCESS) and causes:
        return Ending("blocked", causes[0])
    return Ending("failed")


class HopelessError(Exception):
    """Nothing can be learnt here; the message says what was tried, `advice` what to do.

    `is_of_data` is True if an interface answered, which a browser would show the same way.
    """

    def __init__(self, message: str, advice: str = "", *, is_of_data: bool = False) -> None:
        super().__init__(message)
        self.advice = advice or advice_on(message)
        self.is_of_data = is_of_data


def joined(plain: HopelessError | None, shown: HopelessError) -> HopelessError:
    """Return one error for both attempts, without repeating a shared message.

    >>> plain = HopelessError("the form on /: 8 words brought what made-up words bring")
    >>> str(joined(plain, HopelessError("the box on /: 9 words brought what made-up words bring")))
    'the form on /: 8 words brought what made-up words bring; a browser shows no more'
    """
    if plain is None or str(plain) == str(shown):
        return shown
    if all(NOTHING_NEW in str(each) for each in (plain, shown)):
        return HopelessError(f"{plain}; a browser shows no more", plain.advice)
    return HopelessError(f"{plain}; in a browser: {shown}")
