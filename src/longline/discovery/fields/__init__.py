"""Find the named fields of rows and pages, in addition to a document's title and text."""

from longline.discovery.fields.data_fields import data_fields, kept_paths, rows_of
from longline.discovery.fields.markup_fields import markup_fields
from longline.discovery.fields.of_answer import fields_of_answer
from longline.discovery.fields.page_fields import page_fields
