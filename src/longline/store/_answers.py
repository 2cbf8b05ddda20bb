"""Store failed or cut answers as received, within limits."""

import zlib
from collections.abc import Iterable
from typing import Any

import msgspec
import sqlalchemy as sa

from longline.events import AnyEvent, PageFailed, QueryCut
from longline.model import Query, Response
from longline.store._schema import Scope

KEPT_BYTES = 200_000
"""Maximum stored bytes of an answer; the rest is cut off."""

MOST_ANSWERS = 1_000
"""Default maximum of stored answers per harvest; the newest are kept."""


class Seen(msgspec.Struct, frozen=True):
    """The answer that result page `number` of a query was read from."""

    query: Query
    number: int
    response: Response


class Answer(msgspec.Struct, frozen=True):
    """A stored answer.

    Attributes:
        query: The query, as text for people.
        number: Number of the page, from 1.
        url: The URL it came from.
        body_bytes: Size of the complete body; `body` has at most its first `KEPT_BYTES`.
    """

    query: str
    number: int
    url: str
    status: int
    content_type: str
    body_bytes: int
    body: bytes


def keep(
    connection: sa.Connection, seen: Seen, events: Iterable[AnyEvent], scope: Scope, most: int
) -> bool:
    """Store the answer if an event reports its failure or cut; return whether it was stored."""
    is_odd = any(
        isinstance(event, PageFailed | QueryCut)
        and (event.query, event.number) == (seen.query, seen.number)
        for event in events
    )
    if not is_odd:
        return False
    response = seen.response
    values = {
        "query": msgspec.json.encode(seen.query).decode(),
        "number": seen.number,
        "url": response.url,
        "status": response.status,
        "content_type": response.content_type,
        "body_bytes": len(response.body),
        "body": zlib.compress(response.body[:KEPT_BYTES]),
    }
    answers = scope.tables.answers
    number, mine = answers.c.answer, scope.of(answers)
    connection.execute(sa.insert(answers).values({**values, **scope.own}))
    newest = sa.select(number).where(*mine).order_by(number.desc())
    too_old = newest.offset(most).limit(1).scalar_subquery()
    connection.execute(sa.delete(answers).where(*mine, number <= too_old))
    return True


def read(connection: sa.Connection, query: Query, number: int, scope: Scope) -> list[Answer]:
    """Return the stored answers of a result page, the newest last.

    Raises:
        msgspec.DecodeError: One is damaged.
    """
    answers = scope.tables.answers
    if not sa.inspect(connection).has_table(answers.name):
        return []
    kept = answers.c
    columns = kept.url, kept.status, kept.content_type, kept.body_bytes, kept.body
    asked = msgspec.json.encode(query).decode()
    of_page = *scope.of(answers), *scope.same(kept.query, asked), kept.number == number
    rows = connection.execute(sa.select(*columns).where(*of_page).order_by(kept.answer))
    return [_answer(query, number, tuple(row)) for row in rows]


def _answer(query: Query, number: int, row: tuple[Any, ...]) -> Answer:
    url, status, kind, body_bytes, packed = msgspec.convert(row, tuple[str, int, str, int, bytes])
    try:
        body = zlib.decompress(packed)
    except zlib.error as error:
        raise msgspec.DecodeError(f"an answer of {str(query)!r}: {error}") from None
    return Answer(str(query), number, url, status, kind, body_bytes, body)
