"""From what the user calls a source to a source spec: shown while it is looked for, and said."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from longline.cli._progress import showing, waiting
from longline.cli._said import note
from longline.logs import log

if TYPE_CHECKING:
    from longline.discovery import Discoverer
    from longline.fetch import Manners
    from longline.learn import Found, Listeners
    from longline.source import Spec


@contextmanager
def looking_at(url: str) -> Iterator[Listeners]:
    """Show how many requests it has cost by now; yield who is to be told of them."""
    from longline.learn import Listeners

    with showing(f"learning {url}", lines=False) as tell:

        def count(requests: int) -> None:
            tell(f"learning {url}: request {requests}", requests, None)

        yield Listeners(on_request=count, on_wait=waiting())


def spec_of(source: str, manners: Manners) -> Spec:
    """Read the spec that a path or a URL stands for; raises as `found_spec`."""
    return found_spec(source, manners).spec


def found_spec(source: str, manners: Manners, max_requests: int | None = None) -> Found:
    """Read or learn the spec that a path or a URL stands for, and say how it was come by.

    Args:
        source: A path, or a URL.
        manners: How the site is asked.
        max_requests: That it may cost.

    Raises:
        InputError, SpecError: As `learn.find_spec`.
    """
    from longline.learn import find_spec

    with looking_at(source) as listeners:
        found = find_spec(source, manners, max_requests=max_requests, listeners=listeners)
    _tell_preset(source, found)
    if found.learnt is not None:
        note(f"{source}: no ready-made description; worked out how its search works")
        tell(found.learnt)
    return found


def described(url: str, manners: Manners) -> Found | None:
    """Read the spec that a URL leads to, or that of a preset; None where there is none."""
    from longline.learn import recognise

    with looking_at(url) as listeners:
        found = recognise(url, manners, listeners=listeners)
    if found is not None:
        _tell_preset(url, found)
    return found


def _tell_preset(source: str, found: Found) -> None:
    if found.preset:
        note(f"{source}: using {found.preset}")


def tell(learnt: Discoverer) -> None:
    """Say in a few lines what was learnt, and what needs a person's eye."""
    sure = sum(finding.sure == "sure" for finding in learnt.findings)
    note(f"{learnt.requests} requests; {len(learnt.findings)} facts, {sure} of them checked")
    for finding in learnt.findings:
        log(logging.INFO, f"{finding.name} = {finding.value}", sure=finding.sure)
        if finding.warning:
            note(f"  please check {finding.name} ({finding.value or 'unknown'}): {finding.warning}")
    for reason in learnt.review:
        note(f"  before you harvest: {reason}")
