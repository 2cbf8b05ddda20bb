"""Run slices on a Ray cluster until no source waits."""

import asyncio
import functools
import os
import socket
import time
from collections.abc import Callable
from math import ceil
from typing import Any

from longline.errors import InputError, StorageError
from longline.fleet.slices import Slice, Work, run_slices, sweep
from longline.plugins import needed
from longline.queue import Counts, Fleet

AWAY_SECONDS = 60.0
"""Seconds without the database after which the driver gives up; workers retry by themselves."""

LOOK_SECONDS = 1.0
"""Seconds between checks for work, while workers are idle."""

REACH_SECONDS = 10.0
"""Seconds without an answer after which a cluster counts as down."""


def run(
    database: str,
    *,
    address: str | None = None,
    workers: int | None = None,
    work: Work = Work(),
    on_look: Callable[[Counts], object] = lambda counts: None,
) -> Counts:
    """Harvest until no source of a fleet waits.

    The driver stores nothing: if it was killed, or lost its cluster, start it again to continue.

    Args:
        database: URL of the fleet's PostgreSQL database, reachable from every node.
        address: Address of a running Ray cluster; None starts one on this machine.
        workers: Maximum number of processes; None means one per processor of the cluster.
        work: The amount of work of each, and the number of parallel slices.
        on_look: Called with the counts of sources, about once a second.

    Raises:
        InputError: Ray is not installed, or the cluster cannot be reached.
        StorageError: The database cannot be opened.
    """
    ray = _connected(address, workers)
    task = ray.remote(num_cpus=1, max_retries=0)(_slices)
    open_tasks: list[Any] = []
    try:
        with Fleet(database) as fleet:
            while True:
                most = workers or int(ray.cluster_resources().get("CPU", 1))
                counts, due = _looked(fleet, most * work.at_once)
                on_look(counts)
                if not counts.waiting and not open_tasks:
                    return counts
                wanted = min(most - len(open_tasks), ceil(due / work.at_once))
                open_tasks += [task.remote(database, work) for _ in range(wanted)]
                if open_tasks:
                    open_tasks = _left(ray, open_tasks)
                else:
                    time.sleep(LOOK_SECONDS)
    finally:
        ray.shutdown()


def _looked(fleet: Fleet, most: int) -> tuple[Counts, int]:
    """Return the counts of sources, and how many hosts are ready; wait if the database restarts."""
    until = time.monotonic() + AWAY_SECONDS
    while True:
        try:
            return fleet.counts(), fleet.due(most)
        except StorageError:
            if time.monotonic() > until:
                raise
            time.sleep(LOOK_SECONDS)


_fleet_of = functools.lru_cache(maxsize=1)(Fleet)


def _slices(database: str, work: Work) -> list[Slice]:
    """Run slices on a node; wait a moment if there are none."""
    sweep()
    worker = f"{os.uname().nodename}:{os.getpid()}"
    done = asyncio.run(run_slices(_fleet_of(database), work, worker=worker))
    if not done:
        time.sleep(LOOK_SECONDS / 2)
    return done


def _left(ray: Any, tasks: list[Any]) -> list[Any]:
    """Wait for tasks to end; return the others. The results are in the database."""
    ended, left = ray.wait(tasks, num_returns=len(tasks), timeout=LOOK_SECONDS)
    for each in ended:
        try:
            ray.get(each)
        except (ray.exceptions.RayError, OSError):
            continue  # its lease expires, and another worker continues
        except Exception:  # a problem of the node, such as no database
            continue
    return list(left)


def _check_answers(address: str) -> None:
    """Raise an `OSError` if nothing listens at HOST:PORT; Ray would retry that endlessly."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdecimal() and "/" not in host:
        socket.create_connection((host, int(port)), REACH_SECONDS).close()


def _connected(address: str | None, workers: int | None) -> Any:
    ray = needed("ray", "fleet", "a fleet")
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address is None:
        options |= {
            "num_cpus": workers,
            "include_dashboard": False,
            "_node_ip_address": "127.0.0.1",
        }
    try:
        _check_answers(address or "")
        ray.init(address=address or "local", **options)
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(
            f"cannot reach the Ray cluster at {address}: {error}",
            advice="start it with `ray start --head`, or leave the address out",
        ) from None
    return ray
