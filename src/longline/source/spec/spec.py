r"""A source spec: what a search interface is like, written in TOML for a person to read and edit.

A source that is asked by URL, with every table there is (most keys may be left out):

```toml
[source]
name = "shop"
url = "https://shop.example/"       # its home page
kind = "html"                       # what its result pages are: html, json or xml
plugin = ""                         # or: the name of a class of another package that answers

[ask]
url = "https://shop.example/search?q={query}&page={page}"   # {query} {page} {offset} {size} {next}
method = "GET"                      # or POST
body = ""                           # a template, as url: a form's fields, or JSON
first_page = 1                      # what {page} is on the first page
first_offset = 0                    # what {offset} is on the first page
first_next = ""                     # what {next} is on the first page
next_url = ""                       # the pages after the first, where {next} makes them differ
next_body = ""
paging = "session"                  # the next page is that of the last query asked in the session;
                                    # "query": of its own query; default: a harvest finds out
page_size = 20                      # hits on a full page
short_ends = true                   # false: a page with fewer may lead on; an empty one is the last
limit = 1000                        # the return limit: hits a query can show at most
charset = "utf-8"                   # how {query} is encoded; a form's own charset goes before it
words = ["θάλασσα", "νησί"]         # that it is known to have, to begin with; default: English ones
browser = false                     # true: a browser shows the pages, and types into a form

[ask.headers]
Accept = "text/html"

[ask.dialect]
and = " "                           # written between terms
not = "-{term}"                     # "" where the source has no NOT
or = " OR "                         # written between alternatives; "" where the source has no OR
group = "({terms})"                 # around alternatives that stand beside other terms
quote = '"{term}"'                  # around a term of several words; "" for never
quote_all = false                   # true: around every term
max_terms = 32                      # terms the source reads; it ignores more
forms = "fold+english"              # forms of a word that it takes for one; "" if not known
all = "*"                           # asks for everything; "" where an empty search does

[results]
hit = "css:li.hit"                  # css: xpath: jmes:; all below are looked for inside a hit
link = "css:a.title"                # to the document; an element's href, or a string
link_template = ""                  # or: what is found goes here, "https://shop.example/doc/{link}"
key = "css:.id"                     # what makes the document itself; default: its link
key_ignores = ["session", "/2"]     # parameters of the link, and segments of its path by their
                                    # number, that are no part of the key
title = "css:a.title"
snippet = "css:p.abstract"
text = "css:div.full"               # where the listing holds the whole text
language = "css:.lang"              # which language the document is in, e.g. de
next = "css:a[rel=next]"            # on the page: a link, or a button of a form with hidden state
total = "css:p.count"               # on the page; either may be a header, e.g. "header:X-Total"
total_pattern = 'of (?:about )?([\d,]+)' # regular expression; group 1 is the number
total_relation = "exact"            # or about, at least; default: as the words around it say
empty = "text:Nothing was found"    # a selector, a text, "status:404"; marks a query without hits

[document]                          # the document's own page; leave out where `text` above has it
text = "css:article"                # or "article:": the page's main text, wherever it stands
title = "css:h1"
key = "css:meta[name=id]::attr(content)"    # where a query with one hit leads straight here
language = "css:dd.language"
browser = false                     # true: a browser shows the page

[facets.language]                   # a field that limits answers, under a name of your own
parameter = "lang"                  # the URL's or the form's field that takes the value
kind = "list"                       # or number, date: a range; prefix: how values begin
values = ["de", "en", "fr"]         # all there are; of a prefix the letters
template = "{value}"                # how a value is written, e.g. "{value}*"

[facets.published]
parameter = "from"
parameter_to = "to"                 # of a range: the field for its greatest value
kind = "date"
low = "1990-01-01"                  # where it begins and ends
high = "2026-12-31"

[fields.author]                     # what else a document has, under a name of your own
row = "css:span.by"                 # in its row of the listing, as the keys of [results]
page = "css:meta[name=author]::attr(content)"   # on its own page; goes before the row
type = "text"                       # or number, date, url
many = true                         # all that the selector finds; false: the first
```

One that is asked by filling its form, and pages by the form's "next" button:

```toml
[source]
name = "catalogue"
url = "https://catalogue.example/"
kind = "html"

[ask.form]
page = "https://catalogue.example/search"   # the page that holds the form
selector = "css:form#search"
field = "words"                     # the text input that takes the query
button = ""                         # a selector inside the form; default: its first button

[ask.form.fields]                   # other fields, with fixed values
sort = "date"

[results]
hit = "css:tr.record"
link = "css:a"
next = "css:input[name=next]"

[document]
text = "css:body"
```

Paging, in order: `next` where it is given; else by arithmetic where the URL or the body has
{page} or {offset}; else a link with rel=next, on the page or in the header Link.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from longline.fields import FieldType
from longline.source.select import Kind

Relation = Literal["exact", "about", "at least"]


class Table(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A table of the spec; unknown keys are an error, absent ones take their default."""


class Home(Table, frozen=True):
    """Which source this is; `kind` is what its result pages are.

    With `plugin` a class of another package answers in the place of a site: `url` is its address,
    of any kind, and of the rest only what the class can do is read (`limit`, `page_size` and the
    dialect). It names an entry point of `longline.sources`; "object" is one that a program gives.
    """

    name: str
    url: str
    kind: Kind = "html"
    plugin: str = ""


class Form(Table, frozen=True):
    """How to ask by filling a form, found by `selector` on `page`.

    Where a browser types into it, `selector` may be the box itself, without a `field`.
    """

    page: str
    selector: str
    field: str = ""
    button: str = ""
    fields: dict[str, str] = {}


class FacetField(Table, frozen=True):
    """A field that limits answers: see `model.Facet`; `parameter` takes the value.

    A range has a field for its greatest value, `parameter_to`. `template` is how a value is
    written, e.g. "{value}*" for a prefix.
    """

    parameter: str
    kind: Literal["list", "number", "date", "prefix"] = "list"
    values: list[str] = []
    low: str = ""
    high: str = ""
    parameter_to: str = ""
    template: str = "{value}"


class Dialect(Table, frozen=True, rename={"and_": "and", "not_": "not", "or_": "or"}):
    """How a query is written; an empty `not` or `or` says that the source has none.

    `all` is what asks for every document, e.g. "*", or "" where an empty query does; without
    it a query needs a term. `forms` says which forms of a word the source takes for one: "fold"
    (accents), "plural", a language's stems such as "english", or two joined by "+". A harvest
    believes it until answers tell otherwise, and where nobody says learns it.
    """

    and_: str = " "
    not_: str = ""
    or_: str = ""
    group: str = "({terms})"
    quote: str = '"{term}"'
    quote_all: bool = False
    max_terms: int | None = None
    forms: str = ""
    all: str | None = None


class Ask(Table, frozen=True):
    """How to ask: by a template (`url`, `method`, `body`, `headers`) or by a `form`.

    Where only the length of a page tells that it is the last, one with fewer hits than `page_size`
    is, unless `short_ends` says no: some sources keep hits back, and their pages differ in length.
    Pages after the first are asked for by `next_url` and `next_body`, where these are given and
    {next} is used.

    With `paging` "session" a request for a later page does not say of which query: it is the one
    that was asked last in the session. With "query" it is its own, whatever was asked since.

    With `browser` the system's Chromium shows the pages until their scripts have settled.
    """

    url: str = ""
    method: Literal["GET", "POST"] = "GET"
    body: str = ""
    headers: dict[str, str] = {}
    form: Form | None = None
    first_page: int = 1
    first_offset: int = 0
    first_next: str = ""
    next_url: str = ""
    next_body: str = ""
    paging: Literal["", "session", "query"] = ""
    page_size: int | None = None
    short_ends: bool = True
    limit: int | None = None
    charset: str = "utf-8"
    words: list[str] = []
    browser: bool = False
    dialect: Dialect = Dialect()

    @property
    def has_cursor(self) -> bool:
        """Whether what an answer holds under `results.next` is sent to get the next page."""
        return "{next}" in self.url + self.body + self.next_url + self.next_body


class Results(Table, frozen=True):
    """What a result page holds, as selectors; "" where it holds no such thing.

    `next` and `total` may be "header:" and the name of a header of the answer; of the header Link
    the next page is the link with rel=next.
    """

    hit: str
    link: str = ""
    link_template: str = ""
    key: str = ""
    key_ignores: list[str] = []
    title: str = ""
    snippet: str = ""
    text: str = ""
    language: str = ""
    next: str = ""
    total: str = ""
    total_pattern: str = ""
    total_relation: Relation | None = None
    empty: str = ""


class DocumentPage(Table, frozen=True):
    """What a document's own page holds, as selectors.

    A document is kept under its hit's key; `key` finds the same one on the document's own
    page, for sources that answer a query with one hit by a redirect to the document. `text` may
    be "article:" instead of a selector: the page's main text, as trafilatura finds it. With
    `browser` it is read when the page's scripts have settled.
    """

    text: str
    title: str = ""
    key: str = ""
    language: str = ""
    browser: bool = False

    @property
    def kind(self) -> Kind:
        """What the page is, by the language of `text`."""
        return "json" if self.text.startswith("jmes:") else "html"


class FieldPlace(Table, frozen=True):
    """Where a field of a document stands, as selectors, and what it is.

    `row` looks inside a hit, `page` into the document's own page; there "ld:" and a JMESPath look
    into its JSON-LD. Of a link with the type "url" the address is taken, of an element with
    `datetime` and the type "date" that.
    """

    row: str = ""
    page: str = ""
    type: FieldType = "text"
    many: bool = False


class Spec(Table, frozen=True):
    """A whole source spec, checked; see the module for the format."""

    source: Home
    ask: Ask
    results: Results
    document: DocumentPage | None = None
    facets: dict[str, FacetField] = {}
    fields: dict[str, FieldPlace] = {}

    @property
    def counts_pages(self) -> bool:
        """Whether pages are asked for by their number, or by that of their first hit."""
        template = self.ask.url + self.ask.body
        is_counted = "{page}" in template or "{offset}" in template
        return is_counted and not self.ask.has_cursor and not self.results.next
