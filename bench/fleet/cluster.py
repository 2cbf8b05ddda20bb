"""A Ray cluster of some nodes, each of some processes, which can be killed and stopped."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

SLICES = b"ray::slices", b"ray::_slices"
"""How the processes of workers call themselves."""


class Nodes:
    """A head and more nodes, each with a processor.

    Attributes:
        address: That a driver is given.
    """

    def __init__(self, number: int) -> None:
        os.environ["PYTHONPATH"] = str(Path.cwd())  # of the workers
        os.environ.setdefault("RAY_worker_niceness", "0")  # a busy machine starves them otherwise
        self._number = number
        self._cluster: Any = None
        self.start()

    def start(self) -> None:
        """Start it, or start it again."""
        from ray.cluster_utils import Cluster

        args = {"num_cpus": 1, "include_dashboard": False}
        self._cluster = Cluster(initialize_head=True, connect=False, head_node_args=args)
        for _ in range(self._number - 1):
            self.add()
        self.address = str(self._cluster.address)

    def add(self) -> None:
        """Add a node."""
        self._cluster.add_node(num_cpus=1)

    @property
    def others(self) -> list[Any]:
        """The nodes beside the head."""
        return list(self._cluster.worker_nodes)

    def workers(self) -> list[int]:
        """Return the processes that do slices."""
        nodes = [self._cluster.head_node, *self.others]
        return [pid for node in nodes for pid in processes(node) if _does_slices(pid)]

    def kill(self, node: Any) -> None:
        """Kill all processes of a node at once."""
        started = [each.process for kind in node.all_processes.values() for each in kind]
        for pid in processes(node):
            send(pid, signal.SIGKILL)
        for process in started:
            process.wait()
        if node in self._cluster.worker_nodes:
            self._cluster.remove_node(node, allow_graceful=False)

    def kill_head(self) -> None:
        """Kill all processes of the head at once; the other nodes are of no use then."""
        self.kill(self._cluster.head_node)

    def stop(self) -> None:
        """Let no process be left."""
        for node in [*self.others, self._cluster.head_node]:
            found = processes(node)
            node.kill_all_processes(check_alive=False, allow_graceful=False, wait=True)
            for pid in found:
                send(pid, signal.SIGKILL)


@contextmanager
def nodes(number: int) -> Iterator[Nodes]:
    """Let a cluster be there until the end of this."""
    found = Nodes(number)
    try:
        yield found
    finally:
        found.stop()


def processes(node: Any) -> list[int]:
    """Return the processes of a node, and theirs."""
    children = _children()
    found = [each.process.pid for kind in node.all_processes.values() for each in kind]
    for pid in found:
        found += children.get(pid, [])
    return found


def _children() -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for each in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = each.read_text().rpartition(")")[2].split()[1]
            found.setdefault(int(parent), []).append(int(each.parent.name))
    return found


def _does_slices(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().startswith(SLICES)
    except OSError:
        return False


def send(pid: int, what: signal.Signals) -> bool:
    """Send a signal to a process, where it is there."""
    try:
        os.kill(pid, what)
    except ProcessLookupError:
        return False
    return True
