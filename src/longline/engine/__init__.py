"""The one loop: ask a thinker, use a hand, tell the thinker; bear with what fails."""

from longline.engine.asker import Happening
from longline.engine.class_hand import ClassHand
from longline.engine.engine import QUERIES_WITHOUT_A_HIT, Engine
from longline.engine.hand import WebHand
from longline.engine.known_hand import KnownHand
from longline.engine.page_hand import PageHand
from longline.engine.session import SessionHand
from longline.engine.settings import Callbacks, Conclude, Judge, Keep, Observer, RunLimits

__all__ = [
    "QUERIES_WITHOUT_A_HIT",
    "Callbacks",
    "ClassHand",
    "Conclude",
    "Engine",
    "Happening",
    "Judge",
    "Keep",
    "KnownHand",
    "Observer",
    "PageHand",
    "RunLimits",
    "SessionHand",
    "WebHand",
]
