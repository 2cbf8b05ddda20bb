"""What a form carries that nobody types: state that is of one visit."""

from __future__ import annotations

import re
from typing import Any

_STATE = re.compile(
    r"token|csrf|xsrf|nonce|session|sid$|viewstate|eventvalidation|__|state|ticket|jeton", re.I
)


def has_state(form: Any) -> bool:
    """Say whether a form carries hidden state that has to be fetched anew, by its fields' names."""
    hidden = (each for each in form.iter("input") if (each.get("type") or "").lower() == "hidden")
    return any(_STATE.search(each.get("name") or "") and each.get("value") for each in hidden)
