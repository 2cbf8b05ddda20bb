"""Who is told how far a function is, what it gives, and what several of them may cost."""

from longline.fetch import Allowance, allowing, sharing_hosts
from longline.finder import FindListeners, FoundPage
from longline.harvester import Limits, Settings, is_harvest
from longline.learn import Found, Listeners, renames

__all__ = [
    "Allowance",
    "FindListeners",
    "Found",
    "FoundPage",
    "Limits",
    "Listeners",
    "Settings",
    "allowing",
    "is_harvest",
    "renames",
    "sharing_hosts",
]
