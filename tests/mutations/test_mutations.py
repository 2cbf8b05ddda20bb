"""Every line of the list that is made wrong is seen by its own room's tests."""

from pathlib import Path

import pytest
from tests.mutations.listed import MUTATIONS
from tests.mutations.mutation import ROOT, Mutation, run, run_unchanged


@pytest.mark.parametrize("mutation", MUTATIONS, ids=str)
def test_text_still_stands_where_it_is_changed(mutation: Mutation) -> None:
    """Exactly once, it becomes another text, and the tests that have to see it are there."""
    assert mutation.count == 1
    assert mutation.new != mutation.old
    assert all(Path(ROOT, test).exists() for test in mutation.tests)


def test_no_mutation_is_listed_twice() -> None:
    """There are at least forty of them."""
    assert len(set(MUTATIONS)) == len(MUTATIONS) >= 40


@pytest.mark.whole
@pytest.mark.timeout(3600)
def test_tests_pass_without_any_mutation() -> None:
    """Else what they catch says nothing."""
    tried = run_unchanged(MUTATIONS)
    assert tried.ending == "survived", tried.said


@pytest.mark.whole
@pytest.mark.timeout(1000)
@pytest.mark.parametrize("mutation", MUTATIONS, ids=str)
def test_mutation_is_caught(mutation: Mutation) -> None:
    """Some test of its room fails."""
    tried = run(mutation)
    assert tried.ending == "caught", tried.said
