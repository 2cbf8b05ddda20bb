"""Write down how to find hits in JSON answers, and their fields."""

import jmespath  # type: ignore[import-untyped]

from longline.discovery.asking.find_listing import reads_listing
from longline.discovery.reading import DataHits, find_data_hits, is_xml_data, leaves_of_answer
from longline.discovery.session import DiscoverySession, change_results
from longline.source.spec import Results
from longline.text.numbers import counted

SAID = 5
"""Least letters of a text that marks answers without hits."""

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
    _note_empty(session, hits)


def _note_empty(session: DiscoverySession, hits: DataHits) -> None:
    """Write down what answers to made-up words say, if they lack the list of hits."""
    nothing = [shown for shown in session.empty if shown.is_data]
    if not nothing or any(jmespath.search(hits.path, shown.data) is not None for shown in nothing):
        return
    said = set.intersection(*({str(v) for _, v in leaves_of_answer(each.data)} for each in nothing))
    others = [shown.answer.text for shown in session.probes]
    marks = [mark for mark in said if len(mark) >= SAID and not any(mark in o for o in others)]
    if marks:
        mark = f"text:{min(marks, key=lambda each: (len(each), each))}"
        change_results(session, empty=mark)
        seen = "in every answer to made-up words, which lack the list of hits, and in no other"
        session.find("results.empty", mark, "likely", seen)


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
