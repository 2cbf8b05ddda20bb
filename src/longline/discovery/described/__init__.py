"""What a site says of itself: lists of its documents, and interfaces that it describes."""

from longline.discovery.described.listed import Listed
from longline.discovery.described.lists import any_list, named_list

__all__ = ["Listed", "any_list", "named_list"]
