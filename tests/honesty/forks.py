"""Processes forked from a prepared one, because starting a new one takes seconds."""

from multiprocessing import get_context

PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.honesty.warm"])
