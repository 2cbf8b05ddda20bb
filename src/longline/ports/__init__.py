"""The ports: interfaces the engine needs from policies and from the world, and base classes.

Every implementation of a port passes the same contract suite (tests/contract).
"""

from longline.ports.generator_policy import Asking, GeneratorPolicy
from longline.ports.protocols import Fetcher, Policy, SourceClient, Store
from longline.ports.searchable import MORE, Searchable
