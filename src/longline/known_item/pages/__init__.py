"""The content of a page: its links, forms, words and URL."""

from longline.known_item.pages.reading import HtmlPage, Reader
from longline.known_item.pages.terms import same_text, words
from longline.known_item.pages.urls import Site
