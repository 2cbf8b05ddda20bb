"""Find or learn the source spec for a user's source, and put it into a harvest's folder."""

from longline.learn.kept_spec import begin, keep, relearn, renames
from longline.learn.learn import (
    Found,
    Learner,
    LearnOptions,
    Listeners,
    spec_in,
)
from longline.learn.memory import Memory
from longline.learn.on_site import find_on_site, find_spec
