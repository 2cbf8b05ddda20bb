"""Find out how to query a source: by a form, an address, or the data behind a page."""

from longline.discovery.asking.by_meaning import doubt_meaning, note_nearest
from longline.discovery.asking.html_form import begin
from longline.discovery.asking.in_browser import begin_in_browser, prefer_box
from longline.discovery.asking.json_address import begin_as_described
from longline.discovery.asking.json_hits import renew_data_hits
from longline.discovery.asking.write_hits import see_again
