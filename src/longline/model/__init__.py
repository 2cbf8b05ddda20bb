"""The nouns: what is asked, what is sent, what comes back.

All are frozen and hashable where it matters, and travel as JSON through `msgspec`.
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
