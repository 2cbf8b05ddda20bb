"""A planner by its name, those of other packages included."""

from __future__ import annotations

import numpy as np

from longline import plugins
from longline.errors import UnknownNameError
from longline.planner.strategies import STRATEGIES, Options, make_planner
from longline.ports import Policy


def strategy_names() -> list[str]:
    """Return every name, our own first."""
    others = plugins.names("longline.planners")
    return [*STRATEGIES, *(name for name in others if name not in STRATEGIES)]


def named_planner(name: str, options: Options, rng: np.random.Generator) -> Policy:
    """Return a fresh planner; the same name, options and generator state plan the same.

    Raises:
        UnknownNameError: No strategy has this name.
        InputError: The package that has it cannot be imported.
    """
    if name in STRATEGIES:
        return make_planner(name, options, rng)
    make = plugins.load("longline.planners", name)
    if make is None:
        raise UnknownNameError("strategy", name, strategy_names())
    planner: Policy = make(options, rng)
    return planner
