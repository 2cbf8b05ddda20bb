"""The strategies of the papers."""

from longline.planner.published.df_weighted import RELATIVE_SIZE, DfWeighted
from longline.planner.published.highest_df_or import HighestDfOr
from longline.planner.published.query_list import QueryList
from longline.planner.published.random_dictionary import RandomDictionary
from longline.planner.published.sample_and_cover import GENERATIONS, SampledCover, Selection
from longline.planner.published.term_value import (
    DfBand,
    HighestDf,
    NtoulasIndependence,
    NtoulasZipf,
    TermValue,
    TfIdf,
)
