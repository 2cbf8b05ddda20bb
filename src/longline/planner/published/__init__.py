"""Strategies as published in papers."""

from longline.planner.published.df_weighted import RELATIVE_SIZE, DfWeighted
from longline.planner.published.sample_and_cover import GENERATIONS, SampledCover, Selection
from longline.planner.published.term_value import (
    DfBand,
    HighestDf,
    HighestDfOr,
    NtoulasIndependence,
    NtoulasZipf,
    TermValue,
    TfIdf,
)
from longline.planner.published.word_lists import QueryList, RandomDictionary
