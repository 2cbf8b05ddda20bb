"""Options of published strategies, and completion of names in the shell."""

from collections.abc import Iterator
from typing import Annotated

import typer

DfEstimator = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="How a word's results in the whole source are estimated from a sample: mle, "
        "good-turing, jelinek-mercer, absolute-discounting (Ney), zipf-mandelbrot or regression. "
        "For the strategies of the papers.",
        show_default="as published: mle in df-weighted, none in the others",
    ),
]
Generations = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=0, help="Of genetic: generations.", show_default="50 (the paper: 500)"
    ),
]
Population = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, help="Of genetic: choices in a generation.", show_default="300"
    ),
]
Mutation = Annotated[
    float | None,
    typer.Option(
        metavar="X",
        min=0.0,
        max=1.0,
        help="Of genetic: the share of a choice that a mutation replaces.",
        show_default="0.03",
    ),
]


def strategy_names(incomplete: str) -> Iterator[tuple[str, str]]:
    """Yield names that complete a strategy, with their summaries.

    >>> [name for name, _ in strategy_names("aut")]
    ['auto']
    """
    from longline.api import strategies

    for each in strategies():
        if each.name.startswith(incomplete):
            yield each.name, each.summary


def preset_names(incomplete: str) -> Iterator[tuple[str, str]]:
    """Yield names that complete a kind of source, with their titles.

    >>> list(preset_names("mediaw"))
    [('mediawiki', 'MediaWiki')]
    """
    from longline.api import presets

    for each in presets():
        if each.name.startswith(incomplete):
            yield each.name, each.title


def format_names(incomplete: str) -> Iterator[str]:
    """Yield names that complete a format of exports.

    >>> list(format_names("war"))
    ['warc']
    """
    from longline.api import formats

    yield from (name for name in formats() if name.startswith(incomplete))
