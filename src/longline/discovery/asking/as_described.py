"""Query a source as it describes itself, and as its examples do."""

from collections.abc import Sequence

import msgspec

from longline.discovery.answer import literal
from longline.discovery.asking.json_address import try_data
from longline.discovery.asking.real_words import PROBES
from longline.discovery.findings import Way
from longline.discovery.reading import DataHits, data_hits_in
from longline.discovery.session import Asking, DiscoverySession

BESIDE_TRIED = 2
"""How many other examples of the same address are tried for what they send as well."""

MORE = 2.0
"""Rows must have texts this many times as long to be asked for as another example does."""


def begin_as_described(session: DiscoverySession, ways: Sequence[Way]) -> Asking[bool]:
    """Try the ways to query that a source describes; return whether one brings hits."""
    for ask, documents, beside, settings in ways[:PROBES]:
        before = (session.kind, session.ask)
        if not (yield from try_data(session, ask, [])):
            session.described = documents
            session.settings = () if ask.body else settings
            yield from _try_beside(session, beside)
            known = session.findings.get("ask.body") or session.findings["ask.url"]
            session.find(
                known.name,
                known.value,
                known.sure,
                f"as the source itself describes it; {known.evidence}",
            )
            return True
        session.kind, session.ask = before
    return False


def _try_beside(session: DiscoverySession, beside: Sequence[str]) -> Asking[None]:
    """Send what other examples send as well, such as names of fields, if rows then say more."""
    hits, ask = session.data_hits, session.ask
    if hits is None or ask is None:
        return
    for sent in beside[:BESIDE_TRIED]:
        wider = msgspec.structs.replace(ask, url=f"{ask.url}&{literal(sent)}")
        words = session.probes[0].words
        with session.trying("ask"):
            session.ask = wider
            shown = yield from session.get(session.request(words), words)
        other = None if shown is None or not shown.is_data else data_hits_in(shown, hits.path)
        if other is None or other.key != hits.key or _said(other) < MORE * _said(hits):
            continue
        with session.trying() as keep:
            if not (yield from try_data(session, wider, [], [words])):
                keep()
        return


def _said(hits: DataHits) -> float:
    """Return the mean length of the texts of hits, or of their titles."""
    path = hits.text or hits.title
    return hits.leaves[path].length if path else 0.0
