"""Harvest a source into a folder, and read a harvest's folder."""

from longline.harvester.class_source import made_from, spec_of_class
from longline.harvester.control import Budgets, budgets_of, pause, place, resume, stop
from longline.harvester.folder import (
    ENDS,
    IDENTIFYING,
    check_harvest,
    field_names,
    held,
    is_learning,
    is_running,
    learnt_anew,
    limits_of_update,
    open_store,
    read_documents,
    settings_of,
    settle,
    spec_of_folder,
    write,
)
from longline.harvester.harvest import HarvestRun
from longline.harvester.journal import contents_of_folder, last_limits
from longline.harvester.reading import Reading, newest_certificate, read_ledger
from longline.harvester.running import Listeners, Running
from longline.harvester.settings import (
    Limits,
    Settings,
    abilities_of,
    check_are_used,
    check_files_wanted,
    check_limits,
    check_settings,
    check_target,
)
from longline.harvester.standing import (
    Brief,
    Standing,
    checked,
    read_standing,
    set_budget,
    standing_of,
)
from longline.harvester.stopping import is_stopped, unless_stopped
from longline.harvester.without_harvest import sources_without_harvest
from longline.store.place import (
    Place,
    begin_beside,
    choose_database,
    database_name,
    harvests_of_database,
    is_harvest,
    journal_file,
    journal_of,
    keep_place,
    move_journal,
    place_of,
)
