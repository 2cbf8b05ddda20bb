"""Read an answer by a spec: links, totals, texts, languages."""

from longline.source.answer.answer import Answer, parse, whole_references
from longline.source.answer.article import ARTICLE, main_text_reader, no_text, read_document
from longline.source.answer.fields import (
    LINKED_DATA,
    declared,
    linked_data,
    page_fields,
    row_fields,
)
from longline.source.answer.file import (
    file_name,
    file_text,
    file_type,
    is_file,
    leads_to_file,
)
from longline.source.answer.language import document_language, language_of, page_language
from longline.source.answer.link_parts import parts_of, without_parts
from longline.source.answer.links import (
    absolute,
    asks_itself,
    canonical,
    follow,
    form_charset,
    get,
    href,
    is_view,
    scripted,
    submit,
)
from longline.source.answer.packed import unpacked
from longline.source.answer.total import read_total, total_of

__all__ = [
    "ARTICLE",
    "LINKED_DATA",
    "Answer",
    "absolute",
    "asks_itself",
    "canonical",
    "declared",
    "document_language",
    "file_name",
    "file_text",
    "file_type",
    "follow",
    "form_charset",
    "get",
    "href",
    "is_file",
    "is_view",
    "language_of",
    "leads_to_file",
    "linked_data",
    "main_text_reader",
    "no_text",
    "page_fields",
    "page_language",
    "parse",
    "parts_of",
    "read_document",
    "read_total",
    "row_fields",
    "scripted",
    "submit",
    "total_of",
    "unpacked",
    "whole_references",
    "without_parts",
]
