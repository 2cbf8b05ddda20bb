"""Who is told how far a function is, and what it gives."""

from longline.finder import FindListeners, FoundPage
from longline.harvester import Limits, Settings, is_harvest
from longline.learn import Found, Listeners, renames

__all__ = [
    "FindListeners",
    "Found",
    "FoundPage",
    "Limits",
    "Listeners",
    "Settings",
    "is_harvest",
    "renames",
]
