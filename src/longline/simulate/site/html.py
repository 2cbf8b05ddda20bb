"""The simulated site's pages, as HTML. All text of a corpus or a visitor is escaped."""

import html
import re
from collections.abc import Sequence
from urllib.parse import quote, urlencode

from longline.model import Document, Facet, Filter, Page, Total
from longline.simulate.search import Box

_STYLE = """
body { margin: 0; font: 1rem/1.55 system-ui, sans-serif; color: #1d2b33; background: #f6f8f8 }
header, footer { background: #12343b; color: #e6efef }
header a, footer a { color: #bfe3e0 }
header > *, main, footer > * { max-width: 46rem; margin: 0 auto; padding: .8rem 1.2rem }
header nav a { margin-right: 1.1rem }
h1 { font-size: 1.5rem; line-height: 1.25 } h2 { font-size: 1.1rem; margin: 0 }
main a { color: #0b6470 } a:hover { text-decoration: none }
input, button { font: inherit; padding: .4rem .7rem; border: 1px solid #9ab; border-radius: .3rem }
button { background: #0b6470; color: #fff; border-color: #0b6470; cursor: pointer }
.results { padding: 0; list-style: none } .results li { margin: 0 0 1.4rem }
.results p { margin: .2rem 0 } .key, .total { color: #5b6d75; font-size: .9rem }
article { background: #fff; border: 1px solid #dbe4e6; border-radius: .3rem; padding: .4rem 1.4rem }
article p { white-space: pre-wrap; overflow-wrap: anywhere } .pages a { margin-right: 1rem }
code { background: #e4ecec; padding: 0 .3rem }
"""
# HTML cannot contain control characters and lone surrogates, not even escaped.
_UNSAYABLE = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_PARAGRAPHS = re.compile(r"\n[^\S\n]*\n")


def escape(text: str) -> str:
    """Escape text for HTML, in elements and in quoted attributes.

    >>> escape('<b title="x">')
    '&lt;b title=&quot;x&quot;&gt;'
    """
    return html.escape(_UNSAYABLE.sub("\N{REPLACEMENT CHARACTER}", text))


def layout(site: str, title: str, body: str, *, head: str = "", help_page: bool = True) -> str:
    """Return a complete page: the body between the site's header and footer."""
    places = [("/", "Home"), ("/search", "Search")]
    places += [("/help", "Search help")] if help_page else []
    places += [("/news", "News"), ("/about", "About"), ("/contact", "Contact")]
    nav = "\n".join(f'<a href="{path}">{name}</a>' for path, name in places)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)} - {escape(site)}</title>
<link rel="icon" href="data:,">
{head}<style>{_STYLE}</style>
</head>
<body>
<header>
<div><strong>{escape(site)}</strong></div>
<nav aria-label="Main">
{nav}
</nav>
</header>
<main>
{body}
</main>
<footer>
<form action="/newsletter" method="post" class="newsletter">
<label for="email">Our newsletter:</label>
<input type="email" id="email" name="email" placeholder="you@example.org">
<button>Subscribe</button>
</form>
<p><a href="/legal">Legal notice</a></p>
</footer>
</body>
</html>
"""


def search_form(
    words: str = "", facets: Sequence[Facet] = (), filters: Sequence[Filter] = ()
) -> str:
    """Return the search form, filled in with the words and filters of the last query."""
    chosen = {each.facet: each for each in filters}
    fields = "".join(_facet_field(facet, chosen.get(facet.name)) for facet in facets)
    return f"""<form action="/search" method="get" role="search">
<label for="q">Search the documents</label>
<input type="text" id="q" name="q" value="{escape(words)}" size="40">
{fields}<input type="hidden" name="site" value="all">
<button type="submit">Search</button>
</form>
"""


def _facet_field(facet: Facet, chosen: Filter | None) -> str:
    name, low, high = (
        escape(facet.name),
        chosen.low if chosen else "",
        chosen.high if chosen else "",
    )
    if facet.kind == "list":
        options = "".join(
            f"<option{' selected' if value == low else ''}>{escape(value)}</option>"
            for value in facet.values
        )
        return f"""<label for="{name}">{name}</label>
<select id="{name}" name="{name}"><option value="">any</option>{options}</select>
"""
    if facet.kind == "prefix":
        return f"""<label for="{name}">{name} begins with</label>
<input type="text" id="{name}" name="{name}" value="{escape(low)}">
"""
    return f"""<label for="{name}">{name} from</label>
<input type="{facet.kind}" id="{name}" name="{name}" value="{escape(low)}">
<label for="{name}_to">to</label>
<input type="{facet.kind}" id="{name}_to" name="{name}_to" value="{escape(high)}">
"""


def search_path(words: str, number: int, filters: Sequence[Filter] = ()) -> str:
    """Return the path of a result page, as the form would request it."""
    page = {"page": number} if number > 1 else {}
    chosen = {each.facet: each.low for each in filters}
    chosen |= {f"{each.facet}_to": each.high for each in filters if each.high}
    return "/search?" + urlencode({"q": words, **chosen, "site": "all", **page})


def document_path(key: str) -> str:
    """Return the path of a document's page."""
    return f"/documents/{quote(key, safe='')}"


def results(words: str, number: int, page: Page, *, of: Box, filters: Sequence[Filter] = ()) -> str:
    """Return the body of a result page: form, total, rows, and links to other pages."""
    onward = _onward(words, number, filters, has_next=page.next is not None)
    form = search_form(words, of.facets, filters)
    if not page.hits:
        return _no_results(words, number, page.total, form, syntax=of.boolean) + onward
    first = (number - 1) * of.page_size + 1
    last = first + len(page.hits) - 1
    rows = "".join(
        f"""<li>
<h2><a href="{escape(document_path(hit.key))}">{escape(hit.title or hit.key)}</a></h2>
<p class="snippet">{escape(hit.snippet)}</p>
<p class="key">{escape(hit.key)}</p>
</li>
"""
        for hit in page.hits
    )
    return f"""<h1>Search results</h1>
{form}<p class="total">{first:,}-{last:,}{_of(page.total)}</p>
<ol class="results" start="{first}">
{rows}</ol>
{onward}"""


def _of(total: Total | None) -> str:
    if total is None:
        return ""
    about = {"exact": "", "about": "about ", "at least": "more than "}[total.relation]
    return f" of {about}{total.documents:,} result{'' if total.documents == 1 else 's'}"


def _onward(words: str, number: int, filters: Sequence[Filter], *, has_next: bool) -> str:
    def path(number: int) -> str:
        return escape(search_path(words, number, filters))

    links = []
    if number > 1:
        links.append(f'<a rel="prev" href="{path(number - 1)}">Previous</a>')
    if has_next:
        links.append(f'<a rel="next" href="{path(number + 1)}">Next</a>')
    return f'<nav class="pages" aria-label="Pages">{"".join(links)}</nav>' if links else ""


def _no_results(words: str, number: int, total: Total | None, form: str, *, syntax: bool) -> str:
    advice = ' The <a href="/help">search help</a> says how words are combined.' if syntax else ""
    where = "There are no more results for" if number > 1 else "Nothing was found for"
    count = f'<p class="total">0{_of(total)}</p>\n' if total and total.documents else ""
    return f"""<h1>Search results</h1>
{form}{count}<p class="none">{where} <q>{escape(words)}</q>.</p>
<p>Try fewer words, or other ones.{advice}</p>
"""


def document(page: Document) -> str:
    """Return the body of a document's page."""
    paragraphs = "\n".join(
        f"<p>{escape(paragraph)}</p>"
        for paragraph in _PARAGRAPHS.split(page.text.replace("\r\n", "\n").strip("\n"))
    )
    return f"""<h1>{escape(page.title or page.key)}</h1>
<p class="key">{escape(page.key)}</p>
<article>
{paragraphs}
</article>
<p><a href="/search">Search again</a></p>
"""


def home(site: str) -> str:
    """Return the body of the home page."""
    return f"""<h1>{escape(site)}</h1>
<p>Everything that we keep can be read here, and all of it is behind the
<a href="/search">search page</a>: there is no list of documents and no catalogue to browse.</p>
<p>If you are new, read <a href="/about">about us</a>, or the <a href="/news">news</a>.</p>
"""


PLAIN_PAGES = {
    "about": (
        "About us",
        """<h1>About us</h1>
<p>This is a simulated site. It shows a corpus of documents the way many sites do: through a
search box, a page at a time, and never all that a frequent word matches.</p>
<p>Questions? <a href="/contact">Write to us</a>.</p>
""",
    ),
    "news": (
        "News",
        """<h1>News</h1>
<h2>Spring opening hours</h2>
<p>The reading room opens at nine.</p>
<h2>A new search page</h2>
<p>Our <a href="/search">search page</a> has been renewed. The documents are the old ones.</p>
""",
    ),
    "contact": (
        "Contact",
        """<h1>Contact</h1>
<p>The reading room is on the second floor. Ring twice.</p>
""",
    ),
    "legal": (
        "Legal notice",
        """<h1>Legal notice</h1>
<p>The documents belong to those who wrote them. This site keeps nothing about its visitors.</p>
""",
    ),
    "newsletter": (
        "Newsletter",
        """<h1>Thank you</h1>
<p>There is no newsletter yet, and your address was not kept.</p>
""",
    ),
    "help": (
        "Search help",
        """<h1>How to search</h1>
<p>A document is found when it holds <em>all</em> the words, in its title or its text:
<code>harbour pilot</code>.</p>
<p><code>NOT</code> before a word, or a minus sign, leaves out the documents that hold it:
<code>harbour NOT pilot</code>, <code>harbour -pilot</code>.</p>
<p><code>OR</code> between words asks for one of them at least, beside all the others:
<code>harbour (pilot OR tug)</code>. Parentheses may be left out; there is one such group.</p>
<p>Numbers are not looked for, capitals make no difference, and quotation marks ask for no
phrase.</p>
""",
    ),
}
"""Title and body of the pages that are the same for every corpus, by path."""
