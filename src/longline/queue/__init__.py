"""The sources of a fleet and their hosts, as PostgreSQL has them: what is to do, and who may."""

from longline.queue.fleet import Counts, Fleet
from longline.queue.leases import Leases, Taken
from longline.queue.rows import Row, SourceState
