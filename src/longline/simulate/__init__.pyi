from .documents.corpus import read_corpus as read_corpus
from .search.memory import MemoryClient as MemoryClient
from .search.searcher import Searcher as Searcher
from .site.server import running_site as running_site
from .site.server import serve as serve
from .site.website import website as website
