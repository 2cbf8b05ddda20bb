"""Published strategies that need more than words: OR, or the size of the source."""

import json
from pathlib import Path

import pytest

from longline.cli.main import app
from longline.errors import InputError
from longline.simulate import read_corpus

pytestmark = pytest.mark.slow


def certificate_of(folder: Path) -> dict[str, object]:
    """Read the certificate of a harvest."""
    found: dict[str, object] = json.loads((folder / "certificate.json").read_text())
    return found


def harvest(folder: Path, *options: object) -> None:
    """Run `longline harvest` in this process."""
    more = ("-o", folder / "got", "--allow-private", "--max-requests", 400)
    app(["harvest", *map(str, (*options, *more))], standalone_mode=False)


def test_alternatives_are_sent_through_a_form(site: str, tmp_path: Path) -> None:
    """HDF5 harvests a web site with queries of five terms joined by OR."""
    harvest(tmp_path, f"{site}/", "--strategy", "hdf5", "--size", 400)
    certificate = certificate_of(tmp_path / "got")
    assert certificate["strategy"] == "hdf5"
    assert isinstance(certificate["documents"], int)
    assert certificate["documents"] > 50
    truncations = certificate["truncations"]
    assert isinstance(truncations, list)
    assert any(each["query"].count(" OR ") == 4 for each in truncations)


def test_sample_may_be_a_share_of_a_known_size(site: str, tmp_path: Path, corpus: Path) -> None:
    """DF-Weighted samples a tenth of 400 documents; a second run keeps that sample."""
    words = {word for each in read_corpus(str(corpus)) for word in each.title.lower().split("_")}
    (tmp_path / "words.txt").write_text("\n".join(sorted(words)))
    options = ("--strategy", "df-weighted", "--size", 400, "--words", tmp_path / "words.txt")
    harvest(tmp_path, f"{site}/", *options, "--sample", "10%")
    first = certificate_of(tmp_path / "got")
    harvest(tmp_path, tmp_path / "got")
    again = certificate_of(tmp_path / "got")
    assert first["strategy"] == "df-weighted"
    assert isinstance(first["documents"], int)
    assert first["documents"] > 40
    assert again["requests"] == first["requests"]


def test_share_of_an_unknown_size_is_refused(site: str, log: list[str], tmp_path: Path) -> None:
    """A share as sample is refused without --size, before any request."""
    with pytest.raises(InputError, match="--size"):
        harvest(tmp_path, f"{site}/", "--sample", "5%")
    assert log == []
