"""Test that the contracts of the import order hold, and that each refuses what it forbids."""

from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import grimp
import pytest
from importlinter import api
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract
from importlinter.contracts.protected import ProtectedContract
from importlinter.domain.contract import Contract

KINDS: dict[str, type[Contract]] = {
    "acyclic_siblings": AcyclicSiblingsContract,
    "forbidden": ForbiddenContract,
    "independence": IndependenceContract,
    "layers": LayersContract,
    "protected": ProtectedContract,
}

ROOMS = {
    "planner.observed": "documents",
    "planner.cells": "cell",
    "planner.partition": "planner",
    "planner.adaptive": "candidates",
    "planner.nearest": "surroundings",
    "planner.published": "term_value",
    "planner.probe": "survey",
    "planner.measure": "measured",
    "discovery.reading": "selectors",
    "discovery.asking": "html_form",
    "discovery.in_browser": "search_box",
    "discovery.paging": "html_next",
    "discovery.document": "page",
    "discovery.dialect": "operators",
    "discovery.presets": "preset",
    "discovery.routes": "route_finder",
    "discovery.described": "openapi",
    "source.spec": "headers",
    "source.answer": "links",
    "source.request": "paging",
    "source.trust": "silence",
    "covering.model": "matrix",
    "covering.solvers": "greedy",
    "known_item.best_first": "traits",
    "known_item.published": "walks",
    "known_item.pages": "urls",
    "fetch.browser": "visit",
    "engine": "client",
    "harvester": "folder",
    "forecast": "forecaster",
    "finder": "examples",
    "learn": "kept_spec",
    "agents": "tools",
    "fleet": "slices",
    "queue": "leases",
}
"""Each package that is imported through its `__init__.py`, with one of its modules."""


@cache
def configuration() -> dict[str, Any]:
    """Return the contracts' configuration in pyproject.toml."""
    found: dict[str, Any] = dict(api.read_configuration(str(Path("pyproject.toml").absolute())))
    return found


@cache
def whole() -> grimp.ImportGraph:
    """Return the import graph of the package."""
    return grimp.build_graph("longline", include_external_packages=True)


def contract(name: str) -> Contract:
    """Return a contract by name."""
    options = configuration()["contracts_options"]
    (found,) = [each for each in options if each["name"] == name]
    options = {key: value for key, value in found.items() if key not in ("name", "type")}
    return KINDS[found["type"]](name, configuration()["session_options"], options)


def refuses(name: str, importer: str, imported: str) -> bool:
    """Return whether one additional import breaks a contract."""
    graph = deepcopy(whole())
    for module in (importer, imported):
        if module not in graph.modules:
            graph.add_module(module, is_squashed="longline" not in module)
    graph.add_import(importer=importer, imported=imported)
    return not contract(name).check(graph=graph, verbose=False).kept


@pytest.mark.parametrize(
    ("name", "importer", "imported"),
    [
        ("rooms import only downwards", "longline.model", "longline.pool"),
        ("rooms import only downwards", "longline.warehouse", "longline.model"),
        ("inside the planners", "longline.planner.observed.ranking", "longline.planner.sequential"),
        ("inside the planners", "longline.planner.warehouse", "longline.planner.regression"),
        ("inside discovery", "longline.discovery.words", "longline.discovery.session"),
        ("inside discovery", "longline.discovery.paging", "longline.discovery.asking"),
        ("thinking rooms do no I/O and read no clock", "longline.planner.regression", "random"),
        ("thinking rooms do no I/O and read no clock", "longline.discovery.words", "pathlib"),
        ("thinking rooms do no I/O and read no clock", "longline.ledger.ledger", "datetime"),
        (
            "thinking rooms reach no room that does I/O, also through others",
            "longline.ports",
            "longline.fetch",
        ),
        ("no circles", "longline.covering.kernels.arrays", "longline.covering.model.matrix"),
        ("no circles", "longline.planner.cells.size", "longline.planner.cells.split"),
        ("the package's parts never import its root", "longline.planner.regression", "longline"),
        ("inside the source specs", "longline.source.trust.seen", "longline.source.check"),
        ("inside set covering", "longline.covering.bound", "longline.covering.solvers"),
        ("inside the known-item search", "longline.known_item.pages", "longline.known_item.finder"),
        ("inside the simulation", "longline.simulate.search.index", "longline.simulate.site"),
        ("inside the command line", "longline.cli._said", "longline.cli.run"),
        (
            "the command line goes through the functions of the package",
            "longline.cli.commands.plan",
            "longline.forecast",
        ),
        (
            "agents go through the functions of the package",
            "longline.agents.tools",
            "longline.forecast",
        ),
        ("inside the tools for agents", "longline.agents.names", "longline.agents.tools"),
        ("inside the fleet", "longline.fleet.hosts", "longline.fleet.driver"),
        ("inside the queue", "longline.queue.rows", "longline.queue.fleet"),
        ("inside the functions of the package", "longline.api.opened", "longline.api.harvests"),
        ("inside the dashboard", "longline.dashboard.harvests", "longline.dashboard.desk"),
        ("inside the reports", "longline.reports.svg", "longline.reports.page"),
        ("inside the exports", "longline.exports.formats", "longline.exports.export"),
        (
            "commands know nothing of each other",
            "longline.cli.commands.plan",
            "longline.cli.commands.simulated",
        ),
        *(
            (f"{room} is entered by its face", "longline.cli.run", f"longline.{room}.{module}")
            for room, module in ROOMS.items()
        ),
    ],
)
def test_each_contract_refuses_what_it_forbids(name: str, importer: str, imported: str) -> None:
    """Each contract holds for the current imports, and one additional import breaks it."""
    assert contract(name).check(graph=deepcopy(whole()), verbose=False).kept
    assert refuses(name, importer, imported)


def test_every_contract_is_tried() -> None:
    """Every contract, including a new one, has a test case that it refuses."""
    tried = {
        mark[0]
        for mark in test_each_contract_refuses_what_it_forbids.pytestmark[0].args[1]  # type: ignore[attr-defined]
    }
    named = {each["name"] for each in configuration()["contracts_options"]}
    assert named == tried
