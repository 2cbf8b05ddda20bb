"""The source spec, and how to query a source and read its answers. No I/O."""

from longline.source.answer import (
    BESIDE,
    MOST_PARTS,
    Answer,
    absolute_urls,
    address_in,
    asks_itself,
    canonical,
    declared,
    file_name,
    file_text,
    file_type,
    follow,
    form_charset,
    href,
    is_file,
    is_view,
    leads_to_file,
    parse,
    parts_of,
    scripted,
    submit,
    unpacked,
    whole_references,
    without_parts,
)
from longline.source.check import DOCUMENT, EMPTY_STATUSES
from longline.source.newest import newest_first
from longline.source.request import facets_of
from longline.source.search_index import index_pages
from longline.source.source import Source
from longline.source.spec import Spec, write_toml
from longline.source.spec_file import keys_of, read_spec, write_spec
from longline.source.veil import own_urls, veil
