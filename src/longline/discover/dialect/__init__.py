"""How words combine: operators, phrases, stems, facets."""

from longline.discover.dialect.facets import learn_facets
from longline.discover.dialect.operators import DialectLearnt, learn_dialect
from longline.discover.dialect.phrases import learn_longest
from longline.discover.dialect.stemming import learn_forms
from longline.discover.dialect.word_pairs import answer

__all__ = [
    "DialectLearnt",
    "answer",
    "learn_dialect",
    "learn_facets",
    "learn_forms",
    "learn_longest",
]
