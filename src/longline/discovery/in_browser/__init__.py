"""Learn a search that needs a script, in a browser; a harvest needs none where that is possible."""

from longline.discovery.in_browser.drawn_answer import begin_drawn
from longline.discovery.in_browser.search_box import begin_in_browser
