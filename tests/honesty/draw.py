"""Select the cases to judge: every fault alone, and random pairs of faults."""

from dataclasses import replace

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.honesty.site import Case
from tests.honesty.stage import Kind
from tests.honesty.switches import SWITCHES

KINDS = (
    Kind(),
    Kind(counts="none"),
    Kind(boolean=False),
    Kind(counts="approximate", boolean=False),
    Kind(form="json"),
    Kind(form="json", counts="none", boolean=False),
    Kind(lists_all=True),
)
"""Kinds of sites for pairs of faults."""


def alone(*, everywhere: bool = False) -> list[Case]:
    """Return honest sites, and every fault alone.

    Args:
        everywhere: Put each fault on every kind of site that can have it, instead of its own kind.
    """
    found = [Case(kind=kind) for kind in KINDS]
    for switch in SWITCHES.values():
        kinds = [kind for kind in KINDS if switch.only in ("", kind.form)]
        found += [Case((switch.name,), kind) for kind in (kinds if everywhere else [switch.kind])]
    return found


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Draw two faults that can be combined, and a site that can have both."""
    one = SWITCHES[draw(st.sampled_from(sorted(SWITCHES)))]
    others = sorted(name for name, other in SWITCHES.items() if one.goes_with(other))
    other = SWITCHES[draw(st.sampled_from(others))]
    kind = draw(st.sampled_from(KINDS))
    form = one.only or other.only or kind.form
    return Case((one.name, other.name), replace(kind, form=form), seed=draw(st.integers(1, 1000)))


def pairs(number: int) -> list[Case]:
    """Draw this many pairs, the same on every call."""
    found: dict[str, Case] = {}

    @settings(
        max_examples=max(1, number),
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases())
    def keep(case: Case) -> None:
        found.setdefault(str(case), case)

    if number:
        keep()
    return list(found.values())[:number]
