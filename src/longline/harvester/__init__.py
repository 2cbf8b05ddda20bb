"""Harvest a source into a folder, and read what a folder holds."""

from longline.harvester.class_source import made_from, spec_of_class
from longline.harvester.folder import (
    check_harvest,
    held,
    is_harvest,
    is_running,
    open_store,
    read_documents,
    settings_of,
    settle,
    spec_of_folder,
    write,
)
from longline.harvester.harvest import HarvestRun, Listeners
from longline.harvester.journal import Contents, contents_of_folder
from longline.harvester.reading import Reading, read_books
from longline.harvester.settings import Limits, Settings, abilities_of

__all__ = [
    "Contents",
    "HarvestRun",
    "Limits",
    "Listeners",
    "Reading",
    "Settings",
    "abilities_of",
    "check_harvest",
    "contents_of_folder",
    "held",
    "is_harvest",
    "is_running",
    "made_from",
    "open_store",
    "read_books",
    "read_documents",
    "settings_of",
    "settle",
    "spec_of_class",
    "spec_of_folder",
    "write",
]
