"""Serve a corpus as a search-only source, in memory or as a web site.

Names are loaded on first use, because the web site's libraries are slow to start.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
