"""Find a document's text on a page of another layout than those learnt. No I/O."""

from longline.model import Hit
from longline.source.answer import Answer
from longline.source.select import fold, read_select
from longline.source.trust.shown_words import shows, terms_of

CONTAINERS = (
    *("article", "main", "[role=main]", "#content", "#main", "#main-content", "#mw-content-text"),
    *("#bodyContent", ".entry-content", ".post-content", ".article", ".content", ".document"),
    *("#container", "pre", "dl", "table", "body"),
)
"""Elements that often contain a document's text, the most telling first."""

TITLE, SNIPPET = 0.8, 0.5
"""The part that contains a document has at least these shares of the words its hit shows."""


def main_part(hit: Hit, answer: Answer) -> str:
    """Return the selector of the part of a page that contains the document of a hit, or "".

    That part has the words of the hit's title and of its snippet.

    >>> from longline.model import Response
    >>> from longline.source import parse
    >>> body = b"<nav>Home</nav><main>The deep web: what is not listed.</main>"
    >>> answer = parse(Response(url="https://x.example/7", status=200, body=body), "html")
    >>> main_part(Hit("7", title="The deep web"), answer), main_part(Hit("8", title="Sea"), answer)
    ('css:main', '')
    """
    wanted = [(hit.title, TITLE), (hit.snippet, SNIPPET)]
    wanted = [(said, share) for said, share in wanted if terms_of(said)]
    if not wanted:
        return ""
    for name in CONTAINERS:
        found = read_select(f"css:{name}").all(answer.root)
        text = fold(" ".join(found[0].xpath(".//text()").getall())) if len(found) == 1 else ""
        if all(shows(text, said, share) for said, share in wanted):
            return f"css:{name}"
    return ""
