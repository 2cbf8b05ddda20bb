"""Write the documents of a harvest in formats that other programs read."""

from longline.exports.columns import Table
from longline.exports.export import Format, export, format_names, table_of, writer_of

__all__ = ["Format", "Table", "export", "format_names", "table_of", "writer_of"]
