"""Read an answer as the spec describes: links, totals, texts, languages."""

from longline.source.answer.answer import Answer, is_page, no_data, parse, whole_references
from longline.source.answer.article import (
    ARTICLE,
    BESIDE,
    document_language,
    language_of,
    linked_files,
    main_text_reader,
    no_text,
    page_language,
    read_document,
)
from longline.source.answer.fields import (
    declared,
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
from longline.source.answer.link_parts import address_in, parts_of, without_parts
from longline.source.answer.links import (
    absolute,
    absolute_urls,
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
from longline.source.answer.parts import MOST_PARTS, may_lead_on, new_text, next_part
from longline.source.answer.places import at_place, place_in
from longline.source.answer.total import may_say_most, read_total, said_most, total_of
