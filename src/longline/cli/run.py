"""Run a harvest, show how it goes, and print what came of it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from longline.cli._said import note, say, say_exactly

if TYPE_CHECKING:
    from longline.account import Account, Certificate
    from longline.events import AnyEvent
    from longline.harvester import Harvest

STOPPING = "stopping when the answers to open requests are in; press Ctrl-C again to stop at once"


def run_and_show(harvest: Harvest, *, json: bool, retry: bool = False) -> Certificate:
    """Run a harvest with its progress shown, and print what came of it.

    Args:
        harvest: To be run.
        json: Print the certificate rather than a summary.
        retry: Only try again what did not come.
    """
    from longline.account import to_json
    from longline.cli._progress import waiting
    from longline.cli.show import progress, summary
    from longline.harvester import is_harvest

    folder, is_said = harvest.folder, is_harvest(harvest.folder)
    if is_said:
        note(f"continuing the harvest in {folder}")
    with progress(harvest.limits.max_requests) as observe:

        def observe_and_say(event: AnyEvent, account: Account) -> None:
            nonlocal is_said
            if not is_said and account.documents:
                is_said = True
                note(f"saving to {folder}; to see how far it is: longline status {folder}")
            observe(event, account)

        run = harvest.retry if retry else harvest.run
        certificate = run(observe_and_say, lambda: note(STOPPING), waiting())
    if json:
        say_exactly(to_json(certificate).decode(), nl=False)
    else:
        say(summary(certificate))
        say(f"saved to   {folder} (certificate.json has every detail)")
        if certificate.documents:
            say(f"next       longline export {shlex.quote(str(folder))} writes the documents")
    return certificate
