"""Test how a finished update replaces the harvest before."""

import shutil
from pathlib import Path

import longline
from longline.ledger import LEFT_OUT, LINKED
from longline.updates.history import UNDER_WAY, take_over


def test_the_lists_of_addresses_are_those_of_the_update(tmp_path: Path) -> None:
    """Its list replaces the old one; a list that it does not have is only in the history."""
    with longline.demo_site() as url:
        longline.harvest(url, tmp_path / "old", allow_private=True, max_requests=40)
    done = tmp_path / "old" / UNDER_WAY
    shutil.copytree(tmp_path / "old", done)
    for name in (LEFT_OUT, LINKED):
        (tmp_path / "old" / name).write_text("old")
    (done / LINKED).write_text("new")
    take_over(tmp_path / "old")
    assert (tmp_path / "old" / LINKED).read_text() == "new"
    assert not (tmp_path / "old" / LEFT_OUT).exists()
    kept = tmp_path / "old" / "history" / "1"
    assert [(kept / name).read_text() for name in (LEFT_OUT, LINKED)] == ["old", "old"]
