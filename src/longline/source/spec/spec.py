r"""A source spec: what a search interface is like, written in TOML for a person to read and edit.

A source that is asked by URL, with every table there is (most keys may be left out):

```toml
[source]
name = "shop"                       # the folder's name, unless -o says another
url = "https://shop.example/"       # its home page
kind = "html"                       # of its result pages: html, xml, or json (data in CSV, XML too)
plugin = ""                         # in place of a site: the name of an installed class
left_out = []                       # pages of the site's other searches; a harvest of this one is
                                    # never complete where there are any

[ask]
url = "https://shop.example/search?q={query}&page={page}"   # a template with {query}, and one of
                                    # {page} {offset} {next}; {size} is page_size; without {query}
                                    # it is a list, which [facets] may limit
method = "GET"                      # GET or POST
body = ""                           # a template, as url: a form's fields, or JSON
first_page = 1                      # what {page} is on the first page
first_offset = 0                    # what {offset} is on the first page
first_next = ""                     # what {next} is on the first page, e.g. "*"
next_url = ""                       # the template of the pages after the first, where it differs;
                                    # {page} and {offset} may stand in it alone
next_body = ""                      # the same for the body; it is sent by POST
paging = "session"                  # a "next page" belongs to the last query asked in the session;
                                    # "query": to its own query; default: a harvest finds out
page_size = 20                      # hits on a full page
short_ends = true                   # a page with fewer hits is the last; false: only an empty one
limit = 1000                        # the return limit: hits a query can show at most
charset = "utf-8"                   # how {query} is encoded; a form's own charset goes before it
ranking = "meaning"                 # every search shows the nearest documents, whatever its words
words = ["θάλασσα", "νησί"]         # words to begin with; default: English ones
lists = ""                          # where url has no {query}: "all", it lists every document;
                                    # "part", it may leave some out
also = []                           # other files of such a list, read as url is
matches = "words"                   # what a query finds; "prefix": names that begin with it
browser = false                     # true: a browser shows the pages, and types
key = "env:SHOP_KEY"                # what the variable holds fills {key} above, and in headers

[ask.headers]
Accept = "text/html"
X-Api-Key = "{key}"

[ask.newest]                        # fields that put the newest documents first; empty where these
sort = "date"                       # always come first; leave it out where there is no such order

[ask.dialect]
and = " "                           # written between terms
not = "-{term}"                     # a term that must not occur; "" where the source has no NOT
or = " OR "                         # written between alternatives; "" where the source has no OR
group = "({terms})"                 # around alternatives beside other terms
quote = '"{term}"'                  # around a term of several words; "" for never
quote_all = false                   # true: around every term; a + only around required ones
max_terms = 32                      # words of a query that the source reads; it ignores more
forms = "fold+english"              # spellings that count as one word: accents, stems
all = "*"                           # asks for everything; "": an empty search does

[results]
hit = "css:li.hit"                  # finds every hit; what follows is looked for inside a hit
link = "css:a.title"                # the document's address: an element's href, or a string
link_template = ""                  # what link finds is put in: "https://shop.example/doc/{link}"
link_parameter = ""                 # has the address, where links count clicks
key = "css:.id"                     # what tells documents apart; default: the link
key_ignores = ["session", "/2"]     # the link's parameters, and numbers of segments of its path,
                                    # that the key leaves out
title = "css:a.title"               # the title
snippet = "css:p.abstract"          # a piece of the text
text = "css:div.full"               # where the listing holds the whole text
language = "css:.lang"              # which language the document is in, e.g. de
next = "css:a[rel=next]"            # the next page: a link, a button, or a menu of pages
more = "css:a.more"                 # it alone says if a page follows: nothing, "", 0, false end it
files = ""                          # other files that a list goes on in, on each of its pages
total = "css:p.count"               # how many match; or a header, e.g. "header:X-Total"
total_pattern = 'of (?:about )?([\d,]+)'   # regular expression; group 1 is the number
total_relation = "exact"            # exact, about, at least; default: as the words around it say
empty = "text:Nothing was found"    # marks a query without hits: a selector, text, "status:404"

[document]                          # the document's own page; leave out where `text` above has it
url = ""                            # where its text is, with {document} for its key; "": its link
suffix = "?tab=text"                # is added to that address
text_link = "css:iframe"            # the link or frame there that leads to it
text = "css:article"                # the text; "article:" is the page's main text
title = "css:h1"                    # its title
key = "css:meta[name=id]::attr(content)"    # where one hit leads straight here
language = "css:dd.language"        # its language
attachments = "css:ul.files a"      # links to its files outside its text
browser = false                     # true: a browser shows the page

[facets.language]                   # a field that limits answers, under a name of your own
parameter = "lang"                  # the field, or the place in the URL, that takes the value
kind = "list"                       # list; number or date: a range; prefix: how values begin
values = ["de", "en", "fr"]         # all values there are; of a prefix the letters
template = "{value}"                # how a value is written, e.g. "{value}*"
required = false                    # true: nothing comes without it

[facets.published]
parameter = "from"
parameter_to = "to"                 # of a range: the field for its greatest value
kind = "date"
low = "1990-01-01"                  # the least value of a range
high = "2026-12-31"                 # the greatest value of a range

[fields.author]                     # what else a document has, under a name of your own
row = "css:span.by"                 # in its row of the listing, as the keys of [results]
page = "css:meta[name=author]::attr(content)"   # on its own page; goes before the row
type = "text"                       # or number, date, url
many = true                         # always a list; false: the first value alone; left out: all
```

One that is asked by filling its form, and pages by the form's "next" button:

```toml
[source]
name = "catalogue"
url = "https://catalogue.example/"
kind = "html"

[ask.form]
page = "https://catalogue.example/search"   # the page that holds the form
selector = "css:form#search"        # the form on that page
field = "words"                     # the text input that takes the query
button = ""                         # a selector inside the form; default: its first
opener = ""                         # pressed first by a browser

[ask.form.fields]                   # other fields, with fixed values
sort = "date"

[results]
hit = "css:tr.record"
link = "css:a"
next = "css:input[name=next]"

[document]
text = "css:body"
```

A list, which is asked for without words:

```toml
[source]
name = "museum"
url = "https://museum.example/"
kind = "xml"

[ask]
url = "https://museum.example/sitemap.xml"
lists = "part"

[results]
hit = "xpath://url[loc]"
link = "xpath:./loc"
files = "xpath://sitemap/loc"

[document]
text = "css:main"
title = "css:h1"
```

Paging, in order: `next` where it is given; else by arithmetic where the URL or the body has
{page} or {offset}; else a link with rel=next, on the page or in the header Link.
"""

from typing import Literal

from longline.model.fields import FieldType
from longline.source.select import Kind
from longline.source.spec.ask import Ask, Table

Relation = Literal["exact", "about", "at least"]


class Home(Table, frozen=True):
    """Which source this is.

    With `plugin` an installed class answers in place of a site. It is an entry point of
    `longline.sources`, or "object", which a program gives. `url` is then its address, of any kind.
    Of the rest only what the class can do is read: `limit`, `page_size` and the dialect.
    """

    name: str
    url: str
    kind: Kind = "html"
    plugin: str = ""
    left_out: list[str] = []


class FacetField(Table, frozen=True):
    """A field of the search that limits answers, under a name of your own.

    Facets are used where nothing takes words, or `ask.dialect.all` says how to search without one:
    the source is cut into ranges, list values and prefixes, each asked once. No JSON body takes
    them. One that is `required` is in every request. With `parameter_to` a list's values are
    ranges: "2019-01-01..2019-12-31".
    """

    parameter: str
    kind: Literal["list", "number", "date", "prefix"] = "list"
    values: list[str] = []
    low: str = ""
    high: str = ""
    parameter_to: str = ""
    template: str = "{value}"
    required: bool = False


class Results(Table, frozen=True):
    """What a result page holds, as selectors; leave out what it does not have.

    `next` and `total` may be a header of the answer: "header:X-Next-Page". Of "header:Link" it is
    the link with rel=next.

    "jmes:search_index(@, 'TEMPLATE')[*]" are the pages of a site's own search index, each with
    `url`, `title` and `text`; relative addresses are put into the template, for {}.
    "jmes:slug(reference, '-')" is a text as addresses have it: IP/20/123 as ip-20-123.
    """

    hit: str
    link: str = ""
    link_template: str = ""
    link_parameter: str = ""
    key: str = ""
    key_ignores: list[str] = []
    title: str = ""
    snippet: str = ""
    text: str = ""
    language: str = ""
    next: str = ""
    more: str = ""
    files: str = ""
    total: str = ""
    total_pattern: str = ""
    total_relation: Relation | None = None
    empty: str = ""


class DocumentPage(Table, frozen=True):
    """What a document's own page holds, as selectors.

    Leave it out where `results.text` has the text. `key` finds what a hit would have had, where a
    query with one hit is redirected to its document. "article:" takes the main text as trafilatura
    finds it (extra `article`), "ld:" and a JMESPath what the page's JSON-LD says.
    """

    text: str
    title: str = ""
    key: str = ""
    language: str = ""
    browser: bool = False
    url: str = ""
    suffix: str = ""
    text_link: str = ""
    attachments: str = ""

    def address(self, url: str) -> str:
        """Return where a document's text is, by the address of the document.

        >>> DocumentPage("css:p", suffix="/text").address("https://x.example/doc/7/")
        'https://x.example/doc/7/text'
        """
        return (url.rstrip("/") if self.suffix.startswith("/") else url) + self.suffix

    @property
    def kind(self) -> Kind:
        """What the page is, by the language of `text`."""
        return "json" if self.text.startswith("jmes:") else "html"


class FieldPlace(Table, frozen=True):
    """Where a field stands, as selectors, and what it is.

    `row` looks inside a hit, `page` into the document's own page; there "ld:" and a JMESPath look
    into its JSON-LD. Of a link with the type "url" the address is taken, of an element with
    `datetime` and the type "date" that.
    """

    row: str = ""
    page: str = ""
    type: FieldType = "text"
    many: bool | None = None


class Spec(Table, frozen=True):
    """A whole source spec, checked.

    Attributes:
        source: The table `[source]`.
        ask: The table `[ask]`.
        results: The table `[results]`.
        document: The table `[document]`, where there is one.
        facets: The tables `[facets.NAME]`, by name.
        fields: The tables `[fields.NAME]`, by name.

    Example:
        >>> import longline
        >>> with longline.demo_site() as url:
        ...     spec = longline.discover(url, allow_private=True).spec
        >>> spec.ask.limit
        100
    """

    source: Home
    ask: Ask
    results: Results
    document: DocumentPage | None = None
    facets: dict[str, FacetField] = {}
    fields: dict[str, FieldPlace] = {}

    @property
    def shows_parts(self) -> bool:
        """Whether of a text no more than the beginning can be had."""
        return self.document is None and bool(self.results.snippet) and not self.results.text

    @property
    def titles_are_keys(self) -> bool:
        """Whether nothing but its title tells one document from another."""
        return bool(self.results.key) and self.results.key == self.results.title

    @property
    def holds(self) -> str:
        """What a list has of a document, for people."""
        if self.document is not None:
            return "their addresses; their texts are on pages of their own"
        if self.results.text:
            return "their texts"
        return "the beginnings of their texts" if self.results.snippet else "no texts"

    @property
    def counts_pages(self) -> bool:
        """Whether pages are asked for by their number, or by that of their first hit."""
        is_counted = "{page}" in self.ask.templates or "{offset}" in self.ask.templates
        return is_counted and not self.ask.has_cursor and not self.results.next
