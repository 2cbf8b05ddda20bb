"""Write the documents of a harvest in formats that other programs read."""

from longline.exports.export import export
from longline.exports.formats import Format, format_names
from longline.exports.material import Credit

__all__ = ["Credit", "Format", "export", "format_names"]
