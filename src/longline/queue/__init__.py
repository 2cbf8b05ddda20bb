"""The sources of a fleet and their hosts in PostgreSQL: pending work, and leases."""

from longline.queue.fleet import Counts, Fleet
from longline.queue.leases import Leases, Taken
from longline.queue.rows import Row, SourceState
