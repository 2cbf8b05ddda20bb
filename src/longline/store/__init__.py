"""Store the journal and the documents of a harvest."""

from longline.store._answers import Answer
from longline.store._leases import HOSTS, NOW, Lease, LeaseLostError
from longline.store._rows import Entry
from longline.store.memory import MemoryStore
from longline.store.segments import Segments
from longline.store.sqlite import SqliteStore
from longline.store.tables import TableStore
