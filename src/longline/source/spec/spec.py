r"""A source spec: the description of a search interface, in TOML for people to read and edit.

A source that is queried by URL, with all tables (most keys may be left out):

```toml
[source]
name = "shop"                       # the folder's name, unless -o gives another
url = "https://shop.example/"       # its home page
kind = "html"                       # of its result pages: html, xml, or json (or CSV, XML data)
plugin = ""                         # instead of a site: the name of an installed class
left_out = []                       # pages of the site's other searches; if there are any, a
                                    # harvest of this one is never complete

[ask]
url = "https://shop.example/search?q={query}&page={page}"   # a template with {query}, and one of
                                    # {page} {offset} {next}; {size} is page_size; {last} is the
                                    # number of a page's last row, and {end} of the row after it;
                                    # without {query} it is a list, which [facets] may limit
method = "GET"                      # GET or POST
body = ""                           # a template, as url: a form's fields, or JSON
first_page = 1                      # value of {page} on the first page
first_offset = 0                    # value of {offset} on the first page
first_next = ""                     # value of {next} on the first page, e.g. "*"
next_url = ""                       # the template of later pages, if it differs; {page} and
                                    # {offset} may be in this one only
next_body = ""                      # the same for the body; it is sent by POST
paging = "session"                  # a "next page" belongs to the last query of the session;
                                    # "query": to its own query; default: a harvest finds out;
                                    # "none": there is only one page, whatever it links to
page_size = 20                      # hits on a full page
short_ends = true                   # a page with fewer hits is the last; false: only an empty one
limit = 1000                        # the return limit: maximum number of hits a query can show
charset = "utf-8"                   # encoding of {query}; a form's own charset is preferred
ranking = "meaning"                 # every search shows the most similar documents
words = ["θάλασσα", "νησί"]         # words for the first queries; default: English ones
lists = ""                          # if url has no {query}: "all", it lists every document;
                                    # "part", it may leave some out
also = []                           # other files of this list, read in the same way as url
matches = "words"                   # what a query matches; "prefix": names that begin with it
browser = false                     # true: a browser shows the pages, and types
key = "env:SHOP_KEY"                # the variable's value fills {key} above, and in headers

[ask.headers]
Accept = "text/html"
X-Api-Key = "{key}"

[ask.newest]                        # fields that put the newest documents first; empty if they are
sort = "date"                       # always first; leave it out if there is no such order

[ask.dialect]
and = " "                           # written between terms
not = "-{term}"                     # a term that must not occur; "" if the source has no NOT
or = " OR "                         # written between alternatives; "" if the source has no OR
group = "({terms})"                 # around alternatives if there are other terms
quote = '"{term}"'                  # around a term of several words; "" for never
quote_all = false                   # true: around every term; a + only around required ones
max_terms = 32                      # number of words the source reads; it ignores the others
forms = "fold+english"              # spellings that count as one word: accents, stems
all = "*"                           # query that matches everything; "": an empty query

[results]
hit = "css:li.hit"                  # finds every hit; the following keys select inside a hit
link = "css:a.title"                # the document's URL: an element's href, or a string
link_template = ""                  # the link is put into it: "https://shop.example/doc/{link}"
link_parameter = ""                 # link parameter with the URL, if links count clicks
key = "css:.id"                     # identifies a document; default: the link
key_ignores = ["session", "/2"]     # the link's parameters, and numbers of segments of its path,
                                    # that the key leaves out
places = false                      # true: several documents stand on one page; the fragment of
                                    # a link names the place of its document
title = "css:a.title"               # the title
snippet = "css:p.abstract"          # a piece of the text
text = "css:div.full"               # the full text, if the listing contains it
language = "css:.lang"              # the document's language, e.g. de
next = "css:a[rel=next]"            # the next page: a link, a button, or a menu of pages
more = "css:a.more"                 # decides if a page follows: nothing, "", 0, false are the end
files = ""                          # other files that continue a list, on each of its pages
total = "css:p.count"               # how many match; or a header, e.g. "header:X-Total"
total_pattern = 'of (?:about )?([\d,]+)'   # regular expression; group 1 is the number
total_relation = "exact"            # exact, about, at least; default: by the words around it
deleted = ""                        # rows that name deleted documents; the total counts them
empty = "text:Nothing was found"    # marks a query without hits: a selector, text, "status:404"

[document]                          # the document's own page; leave out if `text` above has it
url = ""                            # URL of its text, with {document} for its key; "": its link
body = ""                           # JSON that is sent there by POST, with {document} for its key
suffix = "?tab=text"                # is added to that URL
text_link = "css:iframe"            # the link or frame there that leads to it
text = "css:article"                # the text; "article:" is the page's main text
title = "css:h1"                    # its title
key = "css:meta[name=id]::attr(content)"    # its key, if one hit is redirected here
language = "css:dd.language"        # its language
attachments = "css:ul.files a"      # links to its files beside its text; ""; those few others link
browser = false                     # true: a browser shows the page

[facets.language]                   # a field that limits answers, under a name of your own
parameter = "lang"                  # the field, or the place in the URL, that takes the value
kind = "list"                       # list; number or date: a range; prefix: how values begin
values = ["de", "en", "fr"]         # all possible values; for a prefix the letters
template = "{value}"                # how a value is written: "{value}*", "{day}/{month}/{year}"
required = false                    # true: no results without it

[facets.published]
parameter = "from"
parameter_to = "to"                 # of a range: the field for its greatest value
kind = "date"
low = "1990-01-01"                  # the smallest value of a range
high = "2026-12-31"                 # the greatest value of a range

[fields.author]                     # other data of a document, under a name of your own
row = "css:span.by"                 # in its row on a result page, like the keys of [results]
page = "css:meta[name=author]::attr(content)"   # on its own page; preferred to the row
type = "text"                       # or number, date, url
order = ""                          # of dates such as 03/04/2024: "day" or "month" first
many = true                         # always a list; false: only the first value; left out: all
```

A source that is queried by filling a form, and paged by the form's "next" button:

```toml
[source]
name = "catalogue"
url = "https://catalogue.example/"
kind = "html"

[ask.form]
page = "https://catalogue.example/search"   # the page that contains the form
selector = "css:form#search"        # the form on that page
field = "words"                     # the text input that takes the query
button = ""                         # a selector inside the form; default: its first
opener = ""                         # pressed first by a browser
post = false                        # a browser may send the words by POST

[ask.form.fields]                   # other fields, with fixed values
sort = "date"

[results]
hit = "css:tr.record"
link = "css:a"
next = "css:input[name=next]"

[document]
text = "css:body"
```

A list, which is requested without words:

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

Paging, in order: `next` if it is given; by arithmetic if the URL or the body has {page} or
{offset}; or a link with rel=next, on the page or in the header Link, unless `paging` is "none".
"""

from typing import Literal

from longline.model.fields import DateOrder, FieldType
from longline.source.select import Kind
from longline.source.spec.ask import Ask, Table

Relation = Literal["exact", "about", "at least"]


class Home(Table, frozen=True):
    """Which source this is.

    With `plugin` an installed class answers instead of a site. It is an entry point of
    `longline.sources`, or "object", for an object given by a program. `url` is then its address, of
    any kind. Of the other tables only `limit`, `page_size` and the dialect are used.
    """

    name: str
    url: str
    kind: Kind = "html"
    plugin: str = ""
    left_out: list[str] = []


class FacetField(Table, frozen=True):
    """A field of the search that limits answers, under a name of your own.

    Facets are used if nothing takes words, or if `ask.dialect.all` says how to search without
    words: the source is split into ranges, list values and prefixes, each queried once. In
    a JSON body, `parameter` names a property ("where.year": inside of another), which keeps its
    form: a list holds the value. A `required` one is in every request; without `ask.dialect.all`,
    each word is sent with each of its values. With `parameter_to` a list's values are ranges:
    "2019-01-01..2019-12-31".
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
    """The contents of a result page, as selectors; leave out what it does not have.

    `next` and `total` may be a header of the answer: "header:X-Next-Page". "header:Link" means its
    link with rel=next.

    "jmes:search_index(@, 'TEMPLATE')[*]" returns the pages of a site's own search index, each with
    `url`, `title` and `text`; relative URLs are put into the template, for {}.

    "jmes:link_in(cell)" is the address of the first link in a piece of HTML.
    "jmes:slug(reference, '-')" is a text as written in URLs: IP/20/123 as ip-20-123.
    """

    hit: str
    link: str = ""
    link_template: str = ""
    link_parameter: str = ""
    key: str = ""
    key_ignores: list[str] = []
    places: bool = False
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
    deleted: str = ""
    empty: str = ""


class DocumentPage(Table, frozen=True):
    """The contents of a document's own page, as selectors.

    Leave it out if `results.text` has the text. `key` finds the key that a hit would have had, if a
    query with one hit is redirected to its document. "article:" takes the main text as trafilatura
    finds it (extra `article`), "ld:" and a JMESPath read the page's JSON-LD.
    """

    text: str
    title: str = ""
    key: str = ""
    language: str = ""
    browser: bool = False
    url: str = ""
    body: str = ""
    suffix: str = ""
    text_link: str = ""
    attachments: str = ""

    def address(self, url: str) -> str:
        """Return the URL of a document's text, from the URL of the document.

        >>> DocumentPage("css:p", suffix="/text").address("https://x.example/doc/7/")
        'https://x.example/doc/7/text'
        """
        return (url.rstrip("/") if self.suffix.startswith("/") else url) + self.suffix

    @property
    def kind(self) -> Kind:
        """Kind of the page, by the language of `text`."""
        return "json" if self.text.startswith("jmes:") else "html"


class FieldPlace(Table, frozen=True):
    """Where to find a field, as selectors, and its type.

    `row` selects inside a hit, `page` in the document's own page; there "ld:" and a JMESPath read
    its JSON-LD. With type "url" the value is a link's URL, with type "date" an element's `datetime`
    if it has one. `order` tells what numeric dates begin with.
    """

    row: str = ""
    page: str = ""
    type: FieldType = "text"
    many: bool | None = None
    order: DateOrder = ""


class Spec(Table, frozen=True):
    """A complete, checked source spec.

    Attributes:
        source: The table `[source]`.
        ask: The table `[ask]`.
        results: The table `[results]`.
        document: The table `[document]`, or None if there is none.
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
        """Whether only the beginning of each text is available."""
        return self.document is None and bool(self.results.snippet) and not self.results.text

    @property
    def has_own_pages(self) -> bool:
        """Whether texts are on documents' own pages alone."""
        return self.document is not None and not self.results.text

    @property
    def titles_are_keys(self) -> bool:
        """Whether documents are identified by their title alone."""
        return bool(self.results.key) and self.results.key == self.results.title

    @property
    def holds(self) -> str:
        """What a list contains of each document, as a text for people."""
        if self.document is not None:
            return "their addresses; their texts are on pages of their own"
        if self.results.text:
            return "their texts"
        return "the beginnings of their texts" if self.results.snippet else "no texts"

    @property
    def counts_pages(self) -> bool:
        """Whether pages are requested by their number, or by the offset of their first hit."""
        is_counted = "{page}" in self.ask.templates or "{offset}" in self.ask.templates
        return is_counted and not self.ask.has_cursor and not self.results.next
