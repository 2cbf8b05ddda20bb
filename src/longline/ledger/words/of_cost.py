"""What a harvest cost, in words."""

from collections.abc import Iterator

from longline.ledger.certificate import Certificate
from longline.text.numbers import counted


def cost_in_words(certificate: Certificate) -> str:
    """Say how many requests a harvest sent, and for what; the parts add up to the whole."""
    whole = counted(certificate.requests, "request")
    said = ", ".join(text for number, text in _parts(certificate) if number)
    return f"{whole}: {said}" if said else whole


def _parts(certificate: Certificate) -> Iterator[tuple[int, str]]:
    pages, tests = certificate.result_pages, certificate.probe_pages
    searches = counted(certificate.queries, "search")
    yield pages, f"{counted(pages, 'result page')} of {searches}"
    yield tests, f"{counted(tests, 'page')} of {counted(certificate.probes, 'test search')}"
    yield certificate.document_pages, counted(certificate.document_pages, "document page")
    yield certificate.discovery_requests, f"{certificate.discovery_requests:,} to learn the source"
    yield certificate.other_requests, counted(certificate.other_requests, "other")
