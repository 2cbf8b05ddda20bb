"""Remove secrets from a store that was written before secrets were left out."""

import base64
from collections.abc import Iterator
from typing import Any

import msgspec
import sqlalchemy as sa

from longline.events import DocumentReceived, FormReceived, ResponseReceived
from longline.secrets import Secrets
from longline.store._rows import Stub
from longline.store._schema import Scope

_WITH_BODIES = (FormReceived.__name__, ResponseReceived.__name__)


def veil(connection: sa.Connection, secrets: Secrets, scope: Scope) -> None:
    """Replace secrets by placeholders in an entire store.

    Documents whose URL contains a key are then identified by the placeholder, like new ones.
    """
    journal, documents = scope.tables.journal, scope.tables.documents
    entries = sa.select(journal.c.entry, journal.c.event, journal.c.query, journal.c.payload)
    entries = entries.where(*scope.of(journal))
    for entry, event, query, payload in connection.execute(entries).all():
        asked = None if query is None else secrets.veiled(query)
        told = secrets.veiled(payload)
        told = _with_body(told, secrets) if event in _WITH_BODIES else told
        veiled = {"query": asked, "payload": told}
        if veiled != {"query": query, "payload": payload}:
            if scope.own and event == DocumentReceived.__name__:
                veiled["document"] = msgspec.json.decode(told, type=Stub).key
            of_it = *scope.of(journal), journal.c.entry == entry
            connection.execute(sa.update(journal).where(*of_it).values(veiled))
    names = ("key", "url", "title", "text", "fields", "attachments")
    held = sa.select(documents.c.arrival, *(documents.c[name] for name in names))
    for arrival, *values in connection.execute(held.where(*scope.of(documents))).all():
        changes = dict(_changes(zip(names, values, strict=True), secrets))
        if changes:
            of_it = *scope.of(documents), documents.c.arrival == arrival
            connection.execute(sa.update(documents).where(*of_it).values(changes))


def _changes(values: Any, secrets: Secrets) -> Iterator[tuple[str, str]]:
    for name, value in values:
        if (veiled := secrets.veiled(value)) != value:
            yield name, veiled


def _with_body(payload: str, secrets: Secrets) -> str:
    """Return an entry without secrets in its answer's body, which is in base 64."""
    fields = msgspec.json.decode(payload)
    body = secrets.veiled_bytes(base64.b64decode(fields["response"].get("body", "")))
    fields["response"]["body"] = base64.b64encode(body).decode()
    return msgspec.json.encode(fields).decode()
