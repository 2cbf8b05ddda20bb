"""Find where the text of a document is on its page."""

from longline.discovery.document.by_script import learn_opened
from longline.discovery.document.container import find_container
from longline.discovery.document.fields import learn_fields
from longline.discovery.document.json_document import learn_data_document
from longline.discovery.document.own_page import KNOWN, searches_more
from longline.discovery.document.page import learn_document, take_words
from longline.discovery.document.text_link import find_text_link
