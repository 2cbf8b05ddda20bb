"""Write down how to find hits in JSON answers, and their fields."""

from longline.discovery.asking.find_listing import reads_listing
from longline.discovery.reading import DataHits, find_data_hits, is_xml_data
from longline.discovery.session import DiscoverySession
from longline.source.spec import Results
from longline.text.numbers import counted

LEFT_OUT = "a harvest leaves these out: harvest each by itself"
"""Said of other searches of a site, and of other lists in its answers."""


def write_data_hits(session: DiscoverySession, hits: DataHits) -> None:
    """Write down how to find hits in JSON answers, and their fields."""
    session.data_hits = hits
    # A later step compares with the documents' pages whether the listing holds the full text.
    session.results = Results(
        hit=f"jmes:{_hits_of(hits)}",
        key=_jmes(hits.key),
        link=_jmes(hits.link),
        title=_jmes(hits.title),
        snippet=_jmes(hits.text),
    )
    answers, different = len(hits.items), len(next(iter(hits.leaves.values())).values)
    seen = f"on {counted(answers, 'answer')}, {counted(different, 'different hit')}"
    is_few = answers < 2 and not reads_listing(session)
    few = "seen on one answer only: check that these are the hits" if is_few else ""
    said = f"changes with the words, and is gone for made-up words; {seen}"
    session.find("results.hit", session.results.hit, "likely" if few else "sure", said, few)
    if hits.key:
        session.find(
            "results.key", session.results.key, "likely", f"in every hit, no two alike; {seen}"
        )
    for name, path in (("link", hits.link), ("title", hits.title), ("snippet", hits.text)):
        if path:
            leaf = hits.leaves[path]
            said = f"in {leaf.coverage:.0%} of the hits, {leaf.distinct:.0%} different, "
            said += f"e.g. {next(iter(leaf.texts), '')[:60]!r}"
            session.find(f"results.{name}", f"jmes:{path}", "likely", said)
    if hits.others:
        address = session.probes[0].request.url.partition("#")[0]
        session.left_out = [f"{address}#{name}" for name in hits.others]
        said = f"each answer also has the lists {', '.join(hits.others)}"
        session.find("source.left_out", ", ".join(session.left_out), "sure", said, LEFT_OUT)
    if not hits.title:
        session.find("results.title", "", "unknown", f"nothing in a hit looks like one; {seen}")


def _hits_of(hits: DataHits) -> str:
    """Return the selector of the hits; in XML, a single hit is first wrapped in a list."""
    is_xml = any(map(is_xml_data, hits.items))
    return f"[{hits.path.removesuffix('[*]')}][]" if is_xml else hits.path


def _jmes(path: str) -> str:
    return f"jmes:{path}" if path else ""


def renew_data_hits(session: DiscoverySession) -> None:
    """Find the hits again in the answers now known; those of other kinds stay as they are."""
    if session.kind != "json":
        return
    hits = find_data_hits(session.probes, session.empty, session.list_meant)
    if hits is not None:
        write_data_hits(session, hits)
