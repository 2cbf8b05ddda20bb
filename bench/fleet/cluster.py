"""A Ray cluster of several nodes with several processes each, which can be killed and stopped."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

SLICES = b"ray::slices", b"ray::_slices"
"""Process titles of workers."""


class Nodes:
    """A head node and further nodes, with one processor each.

    Attributes:
        address: Address for a driver.
    """

    def __init__(self, number: int) -> None:
        os.environ["PYTHONPATH"] = str(Path.cwd())  # for the workers
        os.environ.setdefault("RAY_worker_niceness", "0")  # otherwise a busy machine starves them
        self._number = number
        self._cluster: Any = None
        self.start()

    def start(self) -> None:
        """Start the cluster, or start it again."""
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
        """All nodes except the head."""
        return list(self._cluster.worker_nodes)

    def workers(self) -> list[int]:
        """Return the ids of the processes that do slices."""
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
        """Kill all processes of the head at once; without it the other nodes are useless."""
        self.kill(self._cluster.head_node)

    def stop(self) -> None:
        """End all processes of the cluster."""
        for node in [*self.others, self._cluster.head_node]:
            found = processes(node)
            node.kill_all_processes(check_alive=False, allow_graceful=False, wait=True)
            for pid in found:
                send(pid, signal.SIGKILL)


@contextmanager
def nodes(number: int) -> Iterator[Nodes]:
    """Run a cluster until the end of the context."""
    found = Nodes(number)
    try:
        yield found
    finally:
        found.stop()


def processes(node: Any) -> list[int]:
    """Return the process ids of a node, with child processes."""
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
    """Send a signal to a process; return whether the process exists."""
    try:
        os.kill(pid, what)
    except ProcessLookupError:
        return False
    return True
