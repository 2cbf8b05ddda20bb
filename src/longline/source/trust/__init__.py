"""Whether an answer is what it seems: silent, torn, a placeholder, a stand-in, a passing link."""

from longline.source.trust.change_detector import (
    ENOUGH_DOCUMENTS,
    as_document,
    changed,
    ending_of,
    ending_of_page,
    sign,
)
from longline.source.trust.seen import Seen
from longline.source.trust.stand_ins import NONSENSE
