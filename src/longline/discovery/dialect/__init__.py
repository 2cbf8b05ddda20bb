"""Learn how words are combined: operators, phrases, stems, facets."""

from longline.discovery.dialect.check import check_dialect
from longline.discovery.dialect.facets import learn_facets
from longline.discovery.dialect.operators import learn_dialect
from longline.discovery.dialect.phrases import learn_longest
from longline.discovery.dialect.stemming import learn_forms
from longline.discovery.dialect.wider import widen
from longline.discovery.dialect.word_pairs import answer
