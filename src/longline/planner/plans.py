"""Plans written as generators: each says what to ask, and is sent the page that came."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

from longline.model import Page, Search

Result = TypeVar("Result")
Asking = Generator[Search, Page | None, Result]
"""A part of a plan: says what to ask, is sent the page (None where it failed)."""
