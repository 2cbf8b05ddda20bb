"""From what a user calls a source to a source spec, and to the spec in a harvest's folder."""

from longline.learn.kept_spec import begin, keep, relearn, renames
from longline.learn.learn import (
    Found,
    LearnOptions,
    Listeners,
    Spent,
    find_list,
    find_spec,
    is_url,
    learn_source,
    recognise,
    run_on_pages,
    spec_in,
)

__all__ = [
    "Found",
    "LearnOptions",
    "Listeners",
    "Spent",
    "begin",
    "find_list",
    "find_spec",
    "is_url",
    "keep",
    "learn_source",
    "recognise",
    "relearn",
    "renames",
    "run_on_pages",
    "spec_in",
]
