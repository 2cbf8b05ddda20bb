from .corpus import read_corpus as read_corpus
from .memory import MemoryHand as MemoryHand
from .searcher import Searcher as Searcher
