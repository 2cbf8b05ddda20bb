"""Search a site page by page, the most promising link first."""

from longline.known_item.best_first.kind import ExampleSite, Kind, train
from longline.known_item.best_first.kind_explorer import KindExplorer
from longline.known_item.best_first.search import BestFirstSearch
from longline.known_item.best_first.search_page import SEARCH, SearchPageExplorer
