"""Harvest everything behind a search box, and say what could not be reached.

Names are imported on first use, so that `import longline` stays fast; `__init__.pyi` lists them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
