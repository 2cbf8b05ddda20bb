"""Options of the strategies that papers published, which several commands share."""

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
