"""Find one page in each of many web sites."""

from longline.finder.examples import wanted
from longline.finder.find import FindLimits, FindListeners, FoundPage, find_in_sites, find_page
