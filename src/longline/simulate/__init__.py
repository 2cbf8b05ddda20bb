"""A corpus as a search-only source, in memory and as a web site.

Names load on first use: the web site's libraries are slow to start.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
