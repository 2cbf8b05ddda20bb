"""Decide which process may access a host, if many harvest into one database.

A lease has a fencing token: a number that grows each time a process takes the host. Writing with an
older number is refused in the same transaction, however late it comes.
"""

import msgspec
import sqlalchemy as sa

from longline.errors import StoppedShort
from longline.store._schema import OF_DATABASE

HOSTS = sa.Table(
    "hosts",
    OF_DATABASE.metadata,
    sa.Column("host", sa.Text, primary_key=True),
    sa.Column("fence", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("worker", sa.Text, nullable=False, server_default=""),
    sa.Column("source", sa.BigInteger),  # for which it is leased
    sa.Column("leased_until", sa.Float, nullable=False, server_default="0"),  # the server's clock
    sa.Column("next_at", sa.Float, nullable=False, server_default="0"),  # by pace and Retry-After
    sa.Column("ready_at", sa.Float),  # when a source may be harvested; NULL if none waits
    sa.Column("robots", sa.Text, nullable=False, server_default="[]"),  # copies read, as JSON
    sa.Column("quota", sa.Integer),  # requests a day, UTC
    sa.Column("day", sa.Integer, nullable=False, server_default="0"),  # of `sent`, since 1970
    sa.Column("sent", sa.Integer, nullable=False, server_default="0"),  # or reserved for it
    sa.Index("hosts_by_ready", "ready_at"),
    sa.Index("hosts_by_lease", "leased_until"),
)

NOW = sa.func.extract("epoch", sa.func.statement_timestamp())
"""Seconds since 1970, by the server's clock, as the machines of a fleet may differ. It is constant
during a statement, so that an index can be used for earlier values."""


class Lease(msgspec.Struct, frozen=True):
    """The right to access a host.

    Attributes:
        fence: Number of this lease of the host.
    """

    host: str
    fence: int


class LeaseLostError(StoppedShort):
    """Another process has leased the host since."""

    def __init__(self, host: str) -> None:
        super().__init__(
            f"another worker has taken over {host}", advice="leave the source to that one"
        )


def check_lease(connection: sa.Connection, lease: Lease) -> None:
    """Lock the host's lease until the end of a transaction.

    Raises:
        LeaseLostError: Another process has it.
    """
    held = sa.select(HOSTS.c.fence).where(HOSTS.c.host == lease.host)
    if connection.execute(held.with_for_update(read=True)).scalar() != lease.fence:
        raise LeaseLostError(lease.host)
