"""Statements that run for every page and document, compiled once."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa


class Prepared:
    """A statement compiled for a database's driver.

    SQLAlchemy looks up each statement again, which takes longer than running it in SQLite.

    Args:
        statement: Inserts rows with all columns except the generated number.
        dialect: Of the database.
    """

    def __init__(self, statement: sa.Insert, dialect: sa.Dialect) -> None:
        table: Any = statement.table
        given = table.primary_key.columns.values()[-1]
        names = [column.name for column in table.c if column is not given]
        compiled: Any = statement.inline().compile(dialect=dialect, column_keys=names)
        self._text: str = compiled.string
        self._order: list[str] | None = compiled.positiontup  # None if the driver takes names
        self._written = {
            name: write
            for name, bind in compiled.binds.items()
            if (write := bind.type.dialect_impl(dialect).bind_processor(dialect)) is not None
        }

    def run(self, connection: sa.Connection, *rows: Mapping[str, Any]) -> None:
        """Run it for some rows, each with every parameter."""
        connection.exec_driver_sql(self._text, [self._row(row) for row in rows])

    def _row(self, row: Mapping[str, Any]) -> Any:
        if self._written:
            row = dict(row) | {name: write(row[name]) for name, write in self._written.items()}
        return row if self._order is None else tuple(row[name] for name in self._order)
