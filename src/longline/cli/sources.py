"""What is said while a source is found and learnt, and of what was learnt."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from longline.cli._progress import showing, waiting
from longline.cli._said import note
from longline.logs import log
from longline.text.numbers import counted

if TYPE_CHECKING:
    from longline.api import Found, Listeners


@contextmanager
def looking_at(source: str) -> Iterator[Listeners]:
    """Show how many requests it has cost by now; yield who is to be told of them."""
    from longline.api import Listeners

    with showing(f"learning {source}", lines=False) as show:

        def count(requests: int) -> None:
            show(f"learning {source}: request {requests}", requests, None)

        yield Listeners(
            on_request=count, on_found=lambda found: tell_found(source, found), on_wait=waiting()
        )


def tell_found(source: str, found: Found) -> None:
    """Say how a spec was come by."""
    if found.preset:
        note(f"{source}: using {found.preset}")
    elif found.findings:
        note(f"{source}: no ready-made description; worked out how its search works")
        tell(found)


def tell(found: Found) -> None:
    """Say in a few lines what was learnt, and what needs a person's eye."""
    sure = sum(finding.sure == "sure" for finding in found.findings)
    cost, facts = counted(found.requests, "request"), counted(len(found.findings), "fact")
    note(f"{cost}; {facts}, {sure} of them checked")
    for finding in found.findings:
        log(logging.INFO, f"{finding.name} = {finding.value}", sure=finding.sure)
        if finding.warning:
            note(f"  please check {finding.name} ({finding.value or 'unknown'}): {finding.warning}")
    for reason in found.review:
        note(f"  before you harvest: {reason}")
