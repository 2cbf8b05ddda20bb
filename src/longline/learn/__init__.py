"""From what a user calls a source to a source spec, and to the spec in a harvest's folder."""

from longline.learn.kept_spec import begin, keep, relearn, renames
from longline.learn.learn import (
    Found,
    LearnOptions,
    Listeners,
    Spent,
    learn_source,
    run_on_pages,
    spec_in,
)
from longline.learn.memory import Memory
from longline.learn.on_site import find_on_site, find_spec
