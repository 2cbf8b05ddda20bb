"""A case: a kind of site with its faults, served over HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from bench.faulty.lies import FaultySource
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from tests.honesty.sessions import SessionSite
from tests.honesty.stage import DOCUMENTS, Kind, Stage, Witness, corpus, searcher
from tests.honesty.switch import Switch
from tests.honesty.switches import SWITCHES
from tests.honesty.wire import Wires

from longline.simulate import running_site, website
from longline.simulate.site.website import ALLOW_ALL


@dataclass(frozen=True)
class Case:
    """A site with the faults to combine.

    Attributes:
        faults: Names of one or two faults; () for an honest site.
        kind: Kind of site.
        documents: Number of documents behind its search.
        seed: Seed of all random choices.
    """

    faults: tuple[str, ...] = ()
    kind: Kind = field(default_factory=Kind)
    documents: int = DOCUMENTS
    seed: int = 0
    names_spec: bool = True

    def __str__(self) -> str:
        return f"{' + '.join(self.faults) or 'honest'} [{self.kind}]"

    @property
    def switches(self) -> tuple[Switch, ...]:
        """The case's faults."""
        return tuple(map(SWITCHES.__getitem__, self.faults))

    def words(self, run: int) -> frozenset[str]:
        """Return the outcomes that are right for a run, besides `complete`."""
        return frozenset().union(*(switch.words(run) for switch in self.switches))


class Site:
    """The site of a case, over all runs.

    Attributes:
        stage: State of the site so far.
        wires: Applies faults of the transfer and counts requests.
    """

    def __init__(self, case: Case) -> None:
        documents = corpus(case.documents)
        for switch in case.switches:
            documents = switch.corpus(documents)
        self.case = case
        self.stage = stage = Stage(documents, case.seed)
        honest = searcher(documents, case.kind)
        liar = FaultySource(
            honest, *(make(stage, honest) for s in case.switches for make in s.lies)
        )
        reads = tuple(lie for switch in case.switches for lie in switch.reads)
        self._box = Witness(liar, stage, reads)
        # Compression must be applied after all other changes of a body.
        faults = sorted(case.switches, key=lambda switch: switch.group == "gzip")
        wires = tuple(wire for switch in faults for wire in switch.wires)
        self.wires = Wires(self._app(), stage, wires)
        self._port = 0

    def _app(self) -> ASGIApp:
        given = (switch.robots for switch in self.case.switches if switch.robots is not None)
        robots = next((text(self.stage) for text in given), ALLOW_ALL)
        method = next((s.session for s in self.case.switches if s.session), "")
        if method:
            return SessionSite(self._box, method).app(robots)
        return website(self._box, robots=robots)

    @contextmanager
    def running(self, run: int) -> Iterator[str]:
        """Serve the site for one run, always on the same port; yield the URL to harvest."""
        self.stage.run, self.stage.is_away = run, False
        app = self.wires if self.case.names_spec else _without_spec(self.wires)
        with running_site(app, port=self._port) as url:
            self._port = int(url.rpartition(":")[2])
            host = next((s.host for s in self.case.switches if s.host), "127.0.0.1")
            base = f"http://{host}:{self._port}"
            yield f"{base}/" if self.case.kind.form == "html" else f"{base}/api/source.toml"

    # The truth.

    @cached_property
    def texts(self) -> dict[str, str]:
        """Texts of all documents behind the search, by key."""
        return {document.key: document.text for document in self.stage.documents}

    @cached_property
    def existing(self) -> frozenset[str]:
        """Keys of documents whose text is available, now or after the site has recovered."""
        gone = frozenset[str]().union(*(s.gone(self.stage) for s in self.case.switches))
        return frozenset(self.texts) - gone

    def within_reach(self) -> frozenset[str]:
        """Keys of documents whose text was available in the runs so far."""
        reach = self.existing
        for switch in self.case.switches:
            reach -= switch.lost(self.stage)
            if switch.bound == "shown":
                reach &= self.stage.shown
            if switch.bound == "served":
                reach &= self.stage.served
        return reach


NAMED, UNNAMED = b"longline-source", b"unnamed--source"


def _without_spec(app: ASGIApp) -> ASGIApp:
    """Return the same site without the link to its spec."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": message.get("body", b"").replace(NAMED, UNNAMED)}
            await send(message)

        await app(scope, receive, sent)

    return answer
