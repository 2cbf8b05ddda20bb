"""The dashboard as a web application, its server, and its numbers for Prometheus."""

import asyncio
import logging
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn
from fastapi import FastAPI
from nicegui import ui
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from longline.dashboard.children import Children
from longline.dashboard.desk import Desk
from longline.dashboard.downloads import FORMS, download
from longline.dashboard.guard import LOOPBACK, REPORT_POLICY, Guard
from longline.dashboard.harvests import Harvests, Row
from longline.dashboard.pages import fleet_page, harvest_page, new_page, overview_page
from longline.dashboard.pages.layout import style
from longline.errors import InputError, LonglineError, cause_of
from longline.harvester import Standing
from longline.logs import log
from longline.notices import Notices
from longline.queue import Fleet
from longline.reports import page, read_figures

Value = Callable[[Standing], float | int | None]

GAUGES: dict[str, tuple[str, Value]] = {
    "documents": ("Documents that are saved.", lambda now: now.saved),
    "documents_failed": ("Listed documents that did not come.", lambda now: now.documents_failed),
    "size": ("Documents of the source, as believed.", lambda now: now.size),
    "size_low": ("The low end of that.", lambda now: now.size_low),
    "size_high": ("The high end of that.", lambda now: now.size_high),
    "requests": ("Requests that were sent.", lambda now: now.requests),
    "requests_left": ("Requests that the budget leaves.", lambda now: now.requests_left),
    "requests_per_second": ("In the last minute.", lambda now: now.rate),
    "searches": ("Different searches that were sent.", lambda now: now.searches),
    "searches_cut": (
        "Searches that the source was seen to cut.",
        lambda now: now.truncated_queries,
    ),
    "ends_at_seconds": ("When it ends as predicted, since 1970.", lambda now: now.ends_at),
    "updated_at_seconds": ("When it wrote last, since 1970.", lambda now: now.updated_at or None),
    "running": ("1 while a process fills it.", lambda now: int(now.is_going)),
}
"""Each number with its explanation."""


def as_text(rows: Iterable[Row]) -> str:
    """Write the numbers of harvests in Prometheus format."""
    return "\n".join(_lines(list(rows))) + "\n"


def _lines(rows: list[Row]) -> Iterator[str]:
    labels = {row.key: f'harvest="{_escaped(row.name)}",key="{row.key}"' for row in rows}
    for name, (meaning, value) in GAUGES.items():
        yield f"# HELP longline_{name} {meaning}"
        yield f"# TYPE longline_{name} gauge"
        for row in rows:
            found = value(row.standing)
            if found is not None:
                yield f"longline_{name}{{{labels[row.key]}}} {found:.10g}"
    yield "# HELP longline_state 1 for the state that a harvest is in, by its name."
    yield "# TYPE longline_state gauge"
    for row in rows:
        now = row.standing
        state = f'state="{now.state}",outcome="{now.outcome}",cause="{now.cause}"'
        yield f"longline_state{{{labels[row.key]},{state}}} 1"


def _escaped(text: str) -> str:
    r"""Escape a label's value.

    >>> _escaped('a "b"')
    'a \\"b\\"'
    """
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


TICK_SECONDS = 1.0
"""Seconds between updates of all harvests."""

AT_ONCE = 4
"""Maximum number of parallel runs started from the dashboard."""

LEAST_TOKEN = 16
"""Minimum length of a token, in characters."""

Ready = Callable[[str], object]


class Door(NamedTuple):
    """Where a dashboard listens, and who may use it.

    Attributes:
        host: Other hosts than this machine's loopback require a token.
        port: 0 takes any free one.
        token: Required from users; "" lets everybody on this machine in.
    """

    host: str = "127.0.0.1"
    port: int = 8770
    token: str = ""


def serve_dashboard(
    folders: Sequence[Path],
    door: Door,
    *,
    fleets: Sequence[Fleet] = (),
    at_once: int = AT_ONCE,
    notify: str = "",
    on_ready: Ready = lambda url: None,
) -> None:
    """Serve the dashboard until it is interrupted; harvests continue without it.

    Args:
        folders: Folders of harvests, or folders that contain such; nothing else is touched.
        door: Where it listens, and who may use it.
        fleets: Fleets whose sources are shown, too.
        at_once: Maximum number of parallel runs started from here.
        notify: Receives notices of these runs; see `notices`.
        on_ready: Called with the URL when the server answers.

    Raises:
        InputError: A folder does not exist, the port is in use, or a token is missing or too short.
    """
    host, port, token = door
    _check(host, token)
    if notify:
        Notices(notify).close()  # refuse an invalid command at once
    desk = Desk(Harvests(folders), Children(at_once), notify, fleets)
    with _listen(host, port) as listener:
        at = listener.getsockname()[1]
        app = Guard(application(desk), at, token)
        shown = f"[{host}]" if ":" in host else host
        config = uvicorn.Config(app, log_level="warning", ws_max_size=1_000_000)
        server = _Server(config, lambda: on_ready(f"http://{shown}:{at}/"))
        server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """Calls a function when it is ready."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], object]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_ready()


def _check(host: str, token: str) -> None:
    if token and len(token) < LEAST_TOKEN:
        raise InputError(
            f"the token has {len(token)} letters", advice=f"give one of {LEAST_TOKEN} or more"
        )
    if host not in LOOPBACK and not token:
        raise InputError(
            f"{host} is reached from other machines, and everybody there could steer harvests",
            advice="set a token in the environment variable LONGLINE_TOKEN, or leave out --host",
        )


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise InputError(
            f"cannot listen on {host}, port {port}: {cause_of(error)}", advice="give another --port"
        ) from None


def application(desk: Desk) -> FastAPI:
    """Return the application, which must run behind a `Guard`."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    _add_pages(desk)
    _add_plain(app, desk)
    ui.run_with(
        app,
        title="longline",
        dark=None,
        language="en-US",
        tailwind=False,
        show_welcome_message=False,
        gzip_middleware_factory=None,
    )
    ticking: list[asyncio.Task[None]] = []

    @app.middleware("http")
    async def tick(request: Request, call_next: Any) -> Response:
        if not ticking:
            ticking.append(asyncio.create_task(_tick(desk)))
        answer: Response = await call_next(request)
        return answer

    return app


async def _tick(desk: Desk) -> None:
    while True:
        try:
            desk.tick()
        except (LonglineError, OSError) as error:
            log(logging.WARNING, str(error))
        await asyncio.sleep(TICK_SECONDS)


def _add_pages(desk: Desk) -> None:
    ui.add_css(style(), shared=True)

    @ui.page("/")
    def overview() -> None:
        overview_page(desk)

    @ui.page("/new")
    def new() -> None:
        new_page(desk)

    @ui.page("/fleet/{place}")
    def fleet(place: int) -> None:
        if 0 <= place < len(desk.fleets):
            fleet_page(desk.fleets[place])

    @ui.page("/harvest/{key}")
    def harvest(key: str) -> None:
        harvest_page(desk, key)


def _add_plain(app: FastAPI, desk: Desk) -> None:
    """Add the read-only routes."""

    @app.get("/metrics")
    def metrics() -> Response:
        desk.harvests.refresh()
        kind = "text/plain; version=0.0.4; charset=utf-8"
        rows = [*desk.rows(), *desk.harvests.unharvested]
        return Response(as_text(rows), media_type=kind)

    @app.get("/harvest/{key}/report")
    def report(key: str) -> Response:
        try:
            written = page([read_figures(desk.row(key).folder)])
        except LonglineError as error:
            return PlainTextResponse(str(error), 404)
        headers = {"Content-Security-Policy": REPORT_POLICY}
        return Response(written, media_type="text/html; charset=utf-8", headers=headers)

    @app.get("/harvest/{key}/documents.{form}")
    def documents(key: str, form: str) -> Response:
        if form not in FORMS:
            return PlainTextResponse(f"take one of: {', '.join(FORMS)}", 404)
        try:
            return download(desk.row(key), form)
        except LonglineError as error:
            return PlainTextResponse(str(error), 404)

    @app.get("/harvest/{key}/certificate")
    def certificate(key: str) -> Response:
        with suppress(LonglineError, OSError):
            found = (desk.row(key).folder / "certificate.json").read_bytes()
            return Response(found, media_type="application/json")
        return PlainTextResponse("there is no certificate yet; it is written at the end", 404)
