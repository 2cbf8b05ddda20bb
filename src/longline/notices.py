"""Send notices about a running harvest to a program or a URL."""

import logging
import queue
import shlex
import shutil
import subprocess
import threading
import time
from contextlib import suppress

import httpx2
import msgspec

from longline.errors import InputError
from longline.harvester import Brief, Standing
from longline.logs import log

EVERY_SECONDS = 3600.0
"""Seconds between two notices of a running harvest."""

PATIENCE_SECONDS = 30.0
"""Maximum seconds for the delivery of a notice."""


class Notice(Brief, frozen=True, kw_only=True):
    """A notice, sent as JSON.

    Attributes:
        event: "running" at intervals; "paused", "blocked", "finished" or "failed".
        words: The harvest's state, in words.
    """

    event: str
    words: str


class Notices:
    """Sends notices about a harvest's state, without delaying the harvest.

    Args:
        target: A URL, which gets a POST of JSON, or a command, which gets the JSON on its standard
            input, and the event as its last argument.
        folder: Of the harvest, as named in the notices.
        every: Seconds between two notices of a running harvest.

    Raises:
        InputError: `target` is not a valid command, or its program does not exist.
    """

    def __init__(self, target: str, folder: str = "", every: float = EVERY_SECONDS) -> None:
        self._is_url = target.startswith(("http://", "https://"))
        self._target = target
        self._command = [] if self._is_url else _split(target)
        self.folder = folder
        self._every = every
        self._told_at = time.monotonic()
        self._last = ""
        self._waiting: queue.Queue[Notice | None] = queue.Queue()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def tell(self, now: Standing) -> None:
        """Receive a harvest's state, and send a notice if it is due."""
        event = event_of(now)
        is_due = event != self._last and not (event == "running" and not self._last)
        if event == "running":
            is_due = time.monotonic() - self._told_at >= self._every
        self._last = event
        if is_due:
            self._told_at = time.monotonic()
            words = now.in_words(time.time())
            self._waiting.put(Notice(event=event, words=words, **now.in_brief(self.folder)))

    @property
    def has_ended(self) -> bool:
        """Whether the harvest has ended."""
        return self._last in ("blocked", "finished", "failed")

    def close(self) -> None:
        """Wait until all notices are sent, for a limited time."""
        self._waiting.put(None)
        self._thread.join(PATIENCE_SECONDS + 1)

    def _work(self) -> None:
        while (notice := self._waiting.get()) is not None:
            try:
                self._send(notice)
            except (OSError, subprocess.SubprocessError, httpx2.HTTPError) as error:
                log(logging.WARNING, f"the notice {notice.event!r} did not arrive: {error}")

    def _send(self, notice: Notice) -> None:
        content = msgspec.json.encode(notice)
        if self._is_url:
            headers = {"Content-Type": "application/json"}
            httpx2.post(
                self._target, content=content, headers=headers, timeout=PATIENCE_SECONDS
            ).raise_for_status()
            return
        subprocess.run(
            [*self._command, notice.event],
            input=content,
            timeout=PATIENCE_SECONDS,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )


def event_of(now: Standing) -> str:
    """Return the event name for a harvest's state.

    >>> event_of(Standing(state="ended", outcome="blocked")), event_of(Standing(state="waiting"))
    ('blocked', 'running')
    """
    if now.state == "paused":
        return "paused"
    if now.state != "ended":
        return "running"
    if now.outcome == "blocked":
        return "blocked"
    return "finished" if now.outcome in ("complete", "partial") else "failed"


def _split(command: str) -> list[str]:
    found: list[str] = []
    with suppress(ValueError):
        found = shlex.split(command)
    if not found:
        raise InputError(f"{command!r} is no command", advice="give a command or a web address")
    if shutil.which(found[0]) is None:
        raise InputError(
            f"notices cannot be sent: there is no program {found[0]!r}",
            advice="give the path of a program that may be run, or a web address",
        )
    return found
