"""Write the documents of a harvest in formats that other programs read."""

from longline.exports.export import Format, export, format_names, writer_of

__all__ = ["Format", "export", "format_names", "writer_of"]
