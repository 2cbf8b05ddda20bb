"""Find out how to query a source: by a form, an address, or the data behind a page."""

from longline.discovery.asking.as_described import begin_as_described
from longline.discovery.asking.by_meaning import doubt_meaning, note_nearest
from longline.discovery.asking.find_form_page import running_text
from longline.discovery.asking.html_form import (
    FIRST_TRIES,
    SEARCHES,
    as_form,
    begin_by_form,
    begin_by_list,
    try_ask,
)
from longline.discovery.asking.json_address import begin_with_data, try_data
from longline.discovery.asking.json_hits import LEFT_OUT, renew_data_hits, write_data_hits
from longline.discovery.asking.real_words import DrawnError
from longline.discovery.asking.refusals import needs_script, unread
from longline.discovery.asking.write_hits import see_again
