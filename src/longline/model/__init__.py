"""The data types: queries, requests, and what comes back.

All are frozen and hashable where needed, and are serialised as JSON by `msgspec`.
"""

from longline.model.document import (
    Attachment,
    Document,
    Hit,
    Page,
    Total,
)
from longline.model.http import (
    Browsing,
    Capture,
    Exchange,
    Header,
    Request,
    Response,
)
from longline.model.query import (
    Asked,
    Facet,
    Filter,
    Finish,
    Probe,
    Query,
    Search,
)
