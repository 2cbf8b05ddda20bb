"""Processes that are forked from one that is ready to harvest: a new one takes seconds to be."""

from multiprocessing import get_context

PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.honesty.warm"])
