"""Check if an answer is genuine: silent, truncated, a placeholder, a stand-in, a session link."""

from longline.source.trust.admitted import says_partial, withheld_in
from longline.source.trust.change_detector import (
    ENOUGH_DOCUMENTS,
    as_document,
    changed,
    ending_of,
    ending_of_page,
    sign,
)
from longline.source.trust.other_layout import CONTAINERS, main_part
from longline.source.trust.seen import Seen
from longline.source.trust.stand_ins import NONSENSE
from longline.source.trust.unread import ANSWERS
