"""A list that goes on by tokens is begun again where a token has expired."""

from pathlib import Path

from tests.updates.sources import Repository, documents

import longline
from longline.simulate import running_site


def test_a_list_goes_on_after_its_token_has_expired(tmp_path: Path) -> None:
    """The pages that came are asked for again, for the tokens that they give."""
    repository = Repository(documents(200))
    with running_site(repository.site()) as url:
        source, folder = f"{url}/oai", tmp_path / "harvest"
        first = longline.harvest(source, folder, allow_private=True, rate=1000, max_requests=7)
        assert 0 < len(first.documents) < 200
        repository.forget()
        again = longline.harvest(folder, allow_private=True, rate=1000, max_requests=100)
    assert len(again.documents) == 200
    assert again.certificate.outcome == "complete"
