"""A harvest: a folder, and all parts needed to fill it from one source."""

import os
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from longline.engine import ClassClient, RunLimits, SessionClient, SiteClient
from longline.errors import InputError, PrivateAddressError, option
from longline.events import SourceFound
from longline.fetch import (
    BrowserFetcher,
    VeiledFetcher,
    WebFetcher,
    is_private_host,
    own_headers,
    own_secrets,
    spend,
)
from longline.files import check_room
from longline.harvester.class_source import answering
from longline.harvester.control import begin_control
from longline.harvester.folder import (
    as_before,
    begin,
    check_wire_is_whole,
    held,
    settings_of,
    spec_of_folder,
    with_pace,
    write,
)
from longline.harvester.journal import (
    Site,
    certify,
    replay,
    to_retry,
    write_skipped,
)
from longline.harvester.kept_files import AttachmentFolder, check_wire, kept_wire
from longline.harvester.running import Listeners, Policies, Running
from longline.harvester.settings import (
    Limits,
    Settings,
    abilities_of,
    check_files_wanted,
    check_limits,
    check_settings,
    options_of,
)
from longline.harvester.standing import Standing, begin_standing
from longline.harvester.steering import Steering
from longline.ledger import (
    Certificate,
    Ledger,
    to_json,
)
from longline.logs import about
from longline.model import Capture
from longline.outcomes import SEARCHED
from longline.planner.measure import Aims, Measured
from longline.planner.probe import FieldAware, SearchedField
from longline.planner.strategies import make_planner
from longline.planner.whole_list import WholeList
from longline.ports import Fetcher, Policy, Searchable, SourceClient
from longline.source import Source, Spec, facets_of, own_urls, veil, write_spec
from longline.store import TableStore
from longline.text.seed_words import english

LEAST_DICTIONARY = 1000
"""Minimum number of user's words to draw probes from; fewer are only used for first queries."""


class HarvestRun:
    """Fill a folder from one source; run it again to continue.

    The folder contains `source.toml`, `harvest.db` (the journal and the documents) and
    `certificate.json`.

    Args:
        folder: Created if it does not exist.
        spec: Needed for a new folder; the folder's own `source.toml` overrides it.
        settings: None takes the folder's own, or the defaults for a new one; a mapping changes some
            of these.
        limits: The limits of this run.
        found: Cost of finding and learning the source, counted by the next run.
        source: The object that answers, if it is not a site.

    Attributes:
        seconds_before: Time for finding and learning the source, counted by the next run.

    Raises:
        FolderError: The folder has no harvest, or one started with other settings.
        InputError: A limit is not a positive number, or `source.toml` is wrong.

    Example:
        ```python
        spec = read_spec(Path("source.toml").read_text())
        certificate = await HarvestRun(Path("shop"), spec).run()
        print(certificate.documents, certificate.truncated_queries)
        ```
    """

    def __init__(
        self,
        folder: Path | str,
        spec: Spec | None = None,
        settings: Settings | Mapping[str, Any] | None = None,
        limits: Limits | None = None,
        *,
        found: SourceFound | None = None,
        source: Searchable | None = None,
    ) -> None:
        self.folder = folder = Path(folder)
        self.limits = limits or Limits()
        check_limits(self.limits)
        self._given = spec_of_folder(folder, spec)
        self.spec, secrets = veil(self._given, os.environ)
        self.limits = self.limits.of(*own_urls(self._given))
        self._secrets = secrets.with_more(own_secrets(self.limits), own_headers(self.limits))
        self._source = answering(self._given, source)
        if self.limits.warc:
            check_wire(self.spec)
            check_wire_is_whole(folder)
        self._found = found
        self.seconds_before = 0.0
        self._files_in = self._steered_in = folder
        self.settings = settings_of(folder, settings)
        check_settings(self.settings)
        check_files_wanted(self.settings, self.limits)
        if self.spec.ask.lists and self.settings.strategy != "auto":
            raise InputError(
                f"{self.spec.source.name} is a list and no search: there is nothing to choose",
                advice=f"leave out {option('strategy')}",
            )

    async def run(self, listeners: Listeners = Listeners(), *, retry: bool = False) -> Certificate:
        """Harvest until the planner finishes, a limit is reached, or the source is down.

        If cancelled, it ends the current request and leaves its ledger consistent.

        Args:
            listeners: Functions to call with events.
            retry: Only repeat what failed.

        Returns:
            What was saved and what was not; also in `certificate.json`.

        Raises:
            InputError: robots.txt or the guard refuses the source, or another run has locked the
                folder.
            PrivateAddressError: It is on a private address, which is not allowed in this run.
            SourceError: The source returned nothing at all.
            StorageError: The disk is full; recorded data is safe.
        """
        with about(self.folder), held(self.folder):
            check_room(self.folder)
            self._check_is_allowed()
            self.limits = begin_control(self._steered_in, self.limits)
            begin_standing(self._steered_in, self._named())
            path = self.folder / "source.toml"
            if not path.exists():
                write(path, write_spec(self._given).encode())
            with closing(begin(self.folder, self.spec, self.settings, self.limits)) as store:
                self.limits = with_pace(store, self.limits)
                store.most_answers = self.limits.keep_answers
                store.veil(self._secrets)
                with kept_wire(
                    self._files_in, store, self.spec, self._secrets, self.limits.warc
                ) as capture:
                    return await self._run(store, listeners, capture, retry=retry)

    def _check_is_allowed(self) -> None:
        """Check that the source's host is allowed; if not, every page would count as unreadable."""
        if self.limits.allow_private or self._source is not None:
            return
        for url in self.limits.origins:
            if is_private_host(url):
                host = urlsplit(url).hostname or url
                raise PrivateAddressError(host, host)

    async def _run(
        self,
        store: TableStore,
        listeners: Listeners,
        capture: Callable[[Capture], object] | None,
        *,
        retry: bool,
    ) -> Certificate:
        if self._found is not None:
            store.record(self._found)
            self._found = None
        ledger, site = replay(self.spec, store)
        self._ledger, self._seen = ledger, site.seen
        # A harvest whose policy was done runs once more; any other only repeats what failed.
        only_failed = retry and ledger.stopped.ending.cause not in SEARCHED
        seconds, self.seconds_before = self.seconds_before, 0.0
        steering = Steering(
            self._steered_in,
            self.limits,
            ledger,
            named=self._named(),
            on_state=listeners.on_state,
            seconds=seconds,
        )
        running = Running(store, ledger, steering, listeners)
        client = self._wrapped(
            self._client(running.fetcher(self._rng(), site, capture), store, site, running)
        )
        policies = Policies(
            lambda: self._policy(ledger.size, store.settings().get("estimate")),
            concludes=not only_failed,
        )
        listing_only = self.settings.listing_only
        follows = not listing_only and self.limits.target_coverage is None
        fixed = RunLimits(listing_only=listing_only, follows_links=follows, retries_all=retry)
        keeps_files = as_before(store, "attachments", self.limits.attachments)
        keep = AttachmentFolder(self._files_in).keep if keeps_files else None
        running.begin(client, policies, fixed, keep, site.seen.links.take)

        def change(limits: Limits) -> None:
            self.limits = limits
            running.allow(limits)

        steering.on_limits = change
        try:
            async with running.steered():
                if only_failed:
                    await running.engine.retry(*to_retry(store, ledger))
                else:
                    if not self._has_to_end(ledger):
                        await running.engine.run()
                    await self._afterwards(running, store, ledger)
        finally:
            await client.close()
            store.set_setting("seconds", f"{running.budget.seconds:.1f}")
            certificate = certify(self.spec, store, ledger)
            write(self.folder / "certificate.json", to_json(certificate))
            write_skipped(self.folder, ledger)
        return certificate

    def _named(self) -> Standing:
        strategy = self.settings.strategy
        source = self.spec.source.url
        return Standing(
            state="running", source=source, strategy=strategy, is_update=self._is_update
        )

    def _client(
        self, web: WebFetcher, store: TableStore, site: Site, running: Running
    ) -> SourceClient:
        if self._source is not None:
            rate = self.limits.rate or self._source.rate
            most = self.limits.whole_seconds

            def send() -> None:
                running.budget.spend()
                spend()

            return ClassClient(self._source, on_send=send, rate=rate, timeout=most)
        source = Source(self.spec)

        def make_client(fetcher: Fetcher) -> SiteClient:
            return SiteClient(
                source,
                fetcher,
                form=site.form,
                on_answer=store.see,
                on_event=running.enter,
                seen=site.seen,
            )

        return SessionClient(source, VeiledFetcher(BrowserFetcher(web), self._secrets), make_client)

    def _wrapped(self, client: SourceClient) -> SourceClient:
        """Return the client for searches; an update wraps it."""
        return client

    def _has_to_end(self, ledger: Ledger) -> bool:
        """Return whether nothing more is to be requested; an update overrides this."""
        return False

    async def _afterwards(self, running: Running, store: TableStore, ledger: Ledger) -> None:
        """Do the remaining work after the policy is done; an update overrides this."""

    _is_update = False

    _reads_few = False
    """Most documents cost no request of their own, as in an update."""

    def _planner(self, size: int | None) -> Policy:
        """Return the policy that chooses the searches; a list is read to its end."""
        if self.spec.ask.lists:
            return WholeList(self.spec.ask.lists, self.spec.holds)
        options = options_of(self.settings, self.spec, size)
        return make_planner(self.settings.strategy, options, self._rng())

    def _policy(self, size: int | None, estimate: str | None) -> FieldAware[Measured]:
        # Titles and snippets alone mislead the estimator; explanations/how-it-estimates.md.
        # Who sends queries of their own wants no others.
        is_own = self.settings.strategy == "list"
        by_default = size is None and not (self.settings.listing_only or is_own)
        # Test searches need words that match documents' texts only.
        ask, matches = self.spec.ask, abilities_of(self.spec).matches
        can_estimate = matches == "words" and ask.ranking != "meaning"
        wanted = by_default if estimate is None else estimate == "yes"
        aims = Aims(
            estimate=wanted and can_estimate,
            size=size,
            target_coverage=self.limits.target_coverage,
            min_return=self.limits.min_return,
            limit=self.spec.ask.limit,
            page_size=self.spec.ask.page_size,
            listing_only=self.settings.listing_only or self._reads_few,
            is_list=size is None and matches == "nothing" and ask.lists != "part",
            needed=tuple(each for each in facets_of(self.spec) if each.required and each.values),
        )
        if aims.target_coverage and not (aims.estimate or aims.is_list) and size is None:
            raise InputError(
                "a target coverage needs the number of documents",
                advice=f"give {option('size')}"
                + (f", or {option('estimate=True')}" if can_estimate else ""),
            )
        words = () if self.settings.strategy == "list" else self.settings.words or ()
        dictionary = (lambda: words) if len(words) >= LEAST_DICTIONARY else english

        def make() -> Measured:
            rng = np.random.default_rng([self.settings.seed, 1])
            return Measured(self._planner(size), aims, rng, dictionary=dictionary)

        scope = SearchedField(self.spec.ask.limit, None if can_estimate else "text")
        return FieldAware(make, scope)

    def _rng(self) -> np.random.Generator:
        return np.random.default_rng(self.settings.seed)
