from .corpus import read_corpus as read_corpus
from .memory import MemoryHand as MemoryHand
from .searcher import Searcher as Searcher
from .server import running_site as running_site
from .server import serve as serve
from .website import website as website
