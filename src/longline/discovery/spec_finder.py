"""The policies that look for an existing description of a source: its own, or a preset."""

import re
from contextlib import suppress
from urllib.parse import urljoin, urlsplit

import msgspec
import numpy as np

from longline.discovery.answer import kind_of
from longline.discovery.described import (
    BY_SELECT,
    Listed,
    NotDescribed,
    Operation,
    endpoints_in,
    examples_in,
    graphql_source,
    has_documents,
    is_sparql,
    layer_of_arcgis,
    listed_names,
    look_at_texts,
    named_list,
    operations_of,
    posted_in,
    templates_written,
    usual_operations,
    with_whole_texts,
    with_words,
)
from longline.discovery.dialect import check_dialect
from longline.discovery.fields import fields_of_answer
from longline.discovery.findings import Way
from longline.discovery.presets import (
    DESCRIBED,
    Choice,
    Preset,
    described,
    fill,
    is_description,
    options,
    recognised,
)
from longline.discovery.routes import html_of
from longline.discovery.session import Asking, DiscoverySession, OutOfRequests
from longline.errors import PageError
from longline.events import AnyEvent, RequestFailed, ResponseReceived
from longline.model import Finish, Page, Query, Request, Response
from longline.ports import GeneratorPolicy
from longline.source import Source, Spec, read_spec, write_spec

ADVERTISED = "//link[@rel='longline-source']/@href"
"""XPath of a page's link to its site's source spec."""

TRIES = 3
"""How many values of one choice are tried, the best first."""

WORD, OTHER_WORD = "the", "time"
"""Words that a preset is tried with: any answer will do that the spec can read. The second one is
for sources that do not search the first, as it is too common."""


class SpecFinder(GeneratorPolicy[Request, Response]):
    """Find the spec of a source by its URL: a spec itself, one that the page names, or a preset.

    An OpenSearch description, or one that the page links, counts as well if it offers a feed.

    A preset is accepted if it can read the answer to one query; a few more queries check its
    operators, and those that the source ignores are left out.

    Args:
        url: URL of a spec, or of any page that names one or has the marks of a preset.

    Attributes:
        spec: The spec found, or None if the search interface has to be learnt.
        toml: The same as TOML, with comments.
        how: Where it was found, as text for the user.
        is_its_own: Whether the source publishes it itself.
        requests: HTTP requests sent so far.
        operations: Operations that the source describes; none of them was tried.
        problem: Why nothing can be found here; "" if that is not known.
        advice: What to do in that case.

    >>> SpecFinder("https://shop.example/").next().url
    'https://shop.example/'
    """

    def __init__(self, url: str) -> None:
        super().__init__(self._planned(url))
        self.spec: Spec | None = None
        self.toml = ""
        self.how = ""
        self.is_its_own = False
        self.requests = 0
        self.operations: list[Operation] = []
        self.problem = ""
        self.advice = ""
        self._session: DiscoverySession | None = None
        self._answer: Response | None = None

    @property
    def ways(self) -> tuple[Way, ...]:
        """Ways to query the source by words that it describes, the most likely first."""
        asked = ((each.ask(), each) for each in self.operations)
        return tuple(
            Way(ask, of.documents, of.beside, of.settings) for ask, of in asked if ask is not None
        )

    def tell(self, event: AnyEvent) -> None:
        """Record a response or a failure, and the requests it cost."""
        cost = getattr(event, "requests", 0)
        self.requests += cost
        if self._session is not None:
            self._session.requests += cost
        if isinstance(event, ResponseReceived):
            self.came = event.response
        elif isinstance(event, RequestFailed) and self._session is not None:
            self._session.reason, self._session.status = event.reason, event.status

    def _planned(self, url: str) -> Asking[Finish]:
        yield from self._looked_for(url)
        return Finish(self.how or "nothing describes this source", bool(self.spec))

    def _looked_for(self, url: str) -> Asking[None]:
        session = self._session = DiscoverySession(url, np.random.default_rng(0))
        response = yield Request(url)
        if response is None:
            yield from self._as_interface(session, response)
            return
        if _is_spec(response):
            self._take(read_spec(_text(response), where=response.url), "a source spec")
            self.is_its_own = True
            return
        advertised = _linked(response, ADVERTISED)
        if advertised:
            answer = yield Request(advertised)
            if answer is not None:
                where = f"the spec that {response.url} names"
                self._take(read_spec(_text(answer), where=answer.url), where)
                self.is_its_own = True
                return
        if (yield from self._by_preset(response)):
            return
        if (yield from self._by_list(layer_of_arcgis(url))) or self.problem:
            return
        if is_sparql(response):
            said = "is a SPARQL endpoint, which takes queries in that language and no words"
            self.problem, self.advice = f"{response.url} {said}", BY_SELECT
            return
        answer = response if is_description(response) else None
        description = _linked(response, DESCRIBED)
        if description:
            answer = yield Request(description)
        spec = None if answer is None else described(answer, has_pages=bool(description))
        if answer is not None and spec is not None:
            page = yield from self._answers(spec)
            if page is not None:
                spec = self._with_fields(spec, page)
                if not any(hit.text for hit in page.hits):
                    spec = (yield from look_at_texts(session, list(page.hits))).put_in(spec)
                self._take(spec, f"the OpenSearch description {answer.url}")
                return
        if not (yield from self._as_interface(session, response)):
            self._take_list((yield from named_list(session, response)))
        if self.spec is None and not self.operations and not self.problem:
            yield from self._by_examples(response)
        if self.spec is None and not self.operations and not self.problem:
            self.operations = yield from usual_operations(session.url, response)

    def _by_preset(self, response: Response) -> Asking[bool]:
        for preset, values in recognised(response):
            if (yield from self._try(preset, values, preset.choices)):
                return True
        return False

    def _by_examples(self, home: Response) -> Asking[None]:
        """Try the example URLs of a page without a form, and keep those that return data."""
        self.operations, held = templates_written(home), list[tuple[int, Operation]]()
        for example in examples_in(home)[:TRIES] if not self.operations else ():
            answer = yield Request(example.begins, headers=example.headers)
            if answer is None:
                continue
            if (yield from self._by_preset(answer)):
                return
            found = with_words(example, answer)
            if found is not None:
                held.append((-len(answer.body), found))
                if found.words:
                    break
        for _, each in sorted(held, key=lambda pair: pair[0]):
            of_field, words = each.by_field(), each.words
            # Where fields are numbered or listed before the word, no query does without one.
            needs_field = words and (words.name[-1:].isdigit() or "," in words.value)
            self.operations += [*of_field, each] if needs_field else [each, *of_field]
        self.operations = self.operations or posted_in(home)

    def _as_interface(self, session: DiscoverySession, home: Response | None) -> Asking[bool]:
        """Read the source's description of its interface; return whether that is sufficient."""
        endpoints = endpoints_in(session.url, home, session.reason)
        if endpoints and (yield from self._of_graphql(session, endpoints, home)):
            return True
        if self.problem and session.url.partition("?")[0] in endpoints:
            return True
        self.problem = ""
        self.operations = yield from operations_of(session.url, home)
        return bool(self.ways)

    def _of_graphql(
        self, session: DiscoverySession, endpoints: list[str], home: Response | None = None
    ) -> Asking[bool]:
        """Read the description of a GraphQL endpoint; return whether it can be queried."""
        return (yield from self._by_list(graphql_source(session, endpoints, home)))

    def _by_list(self, found: Asking[Listed | None]) -> Asking[bool]:
        """Take what a source of a known kind lists; return whether that worked."""
        try:
            listed = yield from found
        except NotDescribed as error:
            self.problem, self.advice = str(error), error.advice
            return False
        self._take_list(listed)
        return listed is not None

    def _take_list(self, listed: Listed | None) -> None:
        if listed is not None:
            self._take(listed.spec, listed.said())
            self.toml = listed.toml()

    def _try(
        self, preset: Preset, values: dict[str, str], choices: list[Choice], chosen: str = ""
    ) -> Asking[bool]:
        """Find the values that a preset still needs; return whether it then reads an answer.

        Args:
            preset: A preset whose marks the source has.
            values: Values known so far.
            choices: Values that it needs.
            chosen: Which of several values was chosen, as text for the user.
        """
        open_choices = [choice for choice in choices if choice.name not in values]
        if not open_choices:
            for way in preset.ways():
                spec = way.spec(values)
                page = yield from self._answers(spec)
                if page is not None and (yield from has_documents(spec, page)):
                    spec, seen = yield from self._checked(spec)
                    spec = self._with_fields(spec, page)
                    if self._session is not None:
                        spec = yield from with_whole_texts(self._session, spec)
                    how = f"the preset {preset.name!r} ({preset.title})"
                    self._take(spec, "; ".join(filter(None, [how, chosen])))
                    self.toml = way.toml(values, spec, "\n".join(filter(None, [chosen, *seen])))
                    return True
            return False
        choice, *others = open_choices
        answer = yield Request(fill(choice.url, values))
        offered = [] if answer is None else options(choice, answer)
        offered = offered or [choice.usual] * bool(choice.usual)
        if choice.all and len(offered) > 1:
            named = f"all {len(offered)} of {choice.name} are searched: {listed_names(offered)}"
            together = preset.asking_all(choice)
            known = {**values, choice.name: offered[0]}
            if (yield from self._try(together, known, others, named)):
                return True
        for value in offered[:TRIES]:
            rest = [other for other in offered if other != value]
            named = f"of {choice.name} only {value} is searched, not: {listed_names(rest)}"
            known = {**values, choice.name: value}
            if (yield from self._try(preset, known, others, named if rest else chosen)):
                return True
        return False

    def _checked(self, spec: Spec) -> Asking[tuple[Spec, list[str]]]:
        """Return a spec with the dialect that the source supports, and the evidence."""
        rng = np.random.default_rng(0)
        session = DiscoverySession(spec.source.url, rng, kind=spec.source.kind)
        session.ask, session.results = spec.ask, spec.results
        self._session = session
        with suppress(OutOfRequests):
            yield from check_dialect(session, WORD)
        ask = session.ask or spec.ask
        seen = [f"{f.name} = {f.value or 'none'}: {f.evidence}" for f in session.findings.values()]
        return msgspec.structs.replace(spec, ask=ask), seen

    def _answers(self, spec: Spec) -> Asking[Page | None]:
        """Return the answer to one word, or None if none came that can be read."""
        source, page = Source(spec), None
        for word in WORD, OTHER_WORD:
            query = Query((word,))
            request = source.search_request(query)
            response = yield request
            if response is None:
                return page
            self._answer = response
            try:
                page = source.page(query, 1, request, response)
            except PageError:
                return page
            if page.hits:
                break
        return page

    def _with_fields(self, spec: Spec, page: Page) -> Spec:
        """Return a spec that also keeps the other fields of the rows in the first answer."""
        if spec.fields or self._answer is None:
            return spec
        fields = fields_of_answer(spec, page, self._answer)
        return msgspec.structs.replace(spec, fields=fields)

    def _take(self, spec: Spec, how: str) -> None:
        self.spec, self.how, self.problem = spec, how, ""
        self.toml = write_spec(spec)


def _is_spec(response: Response) -> bool:
    """Return whether a file is a spec, by its name or first table, not a page that shows one."""
    is_named = urlsplit(response.url).path.endswith(".toml")
    has_table = re.match(rb"(?:\s|#[^\n]*\n)*\[(?:source|ask|results)\]", response.body) is not None
    is_shown = any(kind in response.content_type for kind in ("html", "json", "xml"))
    return (is_named or has_table) and not is_shown


def _linked(response: Response, xpath: str) -> str | None:
    if kind_of(response) == "json":
        return None
    href = html_of(response).xpath(xpath).get()
    return urljoin(response.url, href) if href else None


def _text(response: Response) -> str:
    return response.body.decode("utf-8", "replace")
