"""Test harvesting a search by meaning that another project's database runs."""

from pathlib import Path

import pytest
from tests.real.vector_server import vector_server

import longline
from longline.simulate import read_corpus

pytest.importorskip("apsw")
pytest.importorskip("sqlite_vec")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

DOCUMENTS = read_corpus("docstrings")[::10]


@pytest.mark.parametrize("fused", [False, True], ids=["vector", "hybrid"])
@pytest.mark.parametrize("kind", ["html", "json"])
def test_a_vector_database_is_named_and_harvested(kind: str, fused: bool, tmp_path: Path) -> None:
    """Nearly all documents are saved, no answer counts as cut, and no size is invented."""
    with vector_server(DOCUMENTS, kind, fused=fused) as url:
        found = longline.discover(url, allow_private=True)
        assert found.spec.ask.ranking == "meaning"
        assert not found.review
        harvest = longline.harvest(found.spec, tmp_path / "saved", allow_private=True)
    certificate = harvest.certificate
    assert certificate.documents >= 0.97 * len(DOCUMENTS)
    assert certificate.cuts == {}
    assert certificate.size is None
    assert (certificate.outcome, certificate.cause) == ("partial", "unknown")
    assert "nearest" in certificate.size_source
