"""Keep what was sent and what came beside the journal, where the user wants it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path

from longline.errors import InputError, option
from longline.harvester.folder import as_before
from longline.model import Capture
from longline.ports import Store
from longline.secrets import Secrets
from longline.source import Spec
from longline.store import Segments


@contextmanager
def kept_wire(
    folder: Path, store: Store, spec: Spec, secrets: Secrets, wanted: bool | None
) -> Iterator[Callable[[Capture], object] | None]:
    """Give what is to be told of each exchange; None where nobody wants them kept.

    Args:
        folder: That the files belong into, which this run holds.
        store: Keeps the answer for later runs.
        spec: Of the source.
        secrets: They are left out.
        wanted: None is as an earlier run was told, else no.

    Raises:
        InputError: The package that writes them is not installed, or there is no web site.
        StorageError: They cannot be written.
    """
    if not as_before(store, "warc", wanted, lambda: check_wire(spec)):
        yield None
        return
    with closing(Segments(folder, secrets.veiled(spec.source.url))) as segments:
        yield lambda capture: segments.keep(secrets.veiled_capture(capture))


def check_wire(spec: Spec) -> None:
    """Refuse a source that is no web site, and a machine without warcio.

    Raises:
        InputError: As it says.
    """
    if spec.source.plugin:
        raise InputError(
            f"{spec.source.name} is searched by a class, so nothing goes over the web",
            advice=f"leave out {option('warc=True')}",
        )
    if find_spec("warcio") is None:
        raise InputError(
            "web archives need warcio, which is not installed",
            advice="install it: pip install 'longline[archive]'",
        )
