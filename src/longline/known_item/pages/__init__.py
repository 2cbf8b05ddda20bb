"""What a page says: its links, forms, words and address."""

from longline.known_item.pages.reading import HtmlPage, Reader
from longline.known_item.pages.resemblance import same_text
from longline.known_item.pages.terms import words
from longline.known_item.pages.urls import Site
