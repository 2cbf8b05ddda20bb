"""Recognise a SPARQL endpoint, which takes queries in its own language instead of words."""

import re

from longline.model import Response

_EDITOR = re.compile(rb"<textarea[^>]+name=[\"']?query\b", re.IGNORECASE)
_SERVICE = b"sparql-service-description#"

ADVICE = "write a source.toml with a SELECT in [ask] url (docs/how-to/sources/sparql.md)"
"""What to do about an endpoint."""


def is_sparql(answer: Response) -> bool:
    """Return whether an address answers with a query editor, or with a service description.

    Source: SPARQL 1.1 Protocol; SPARQL 1.1 Service Description, section 2.

    >>> form = b"<title>SPARQL</title><form><textarea name=query>SELECT</textarea></form>"
    >>> is_sparql(Response(url="https://x.example/sparql", status=200, body=form))
    True
    """
    is_editor = _EDITOR.search(answer.body) is not None and b"sparql" in answer.body.lower()
    return is_editor or _SERVICE in answer.body
