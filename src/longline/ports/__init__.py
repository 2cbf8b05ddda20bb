"""The ports: what the engine needs from a policy and from the world, and classes to begin from.

Every implementation of a port passes the same contract suite (tests/contract).
"""

from longline.ports.generator_policy import Asking, GeneratorPolicy
from longline.ports.protocols import Fetcher, Policy, SourceClient, Store
from longline.ports.searchable import MORE, Searchable
