"""Write the documents of a harvest in formats for other programs."""

from longline.exports.columns import Table
from longline.exports.export import export, table_of
from longline.exports.formats import Format, format_names
from longline.exports.material import Credit, license_of
