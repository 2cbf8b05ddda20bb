"""Compile functions over arrays with numba. Imported only when something is computed."""

from collections.abc import Callable
from typing import TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function, *, fastmath: bool | set[str] = False) -> Function:
    """Compile a function on its first call, and cache the machine code on disk if possible."""
    try:
        return cast(Function, numba.njit(cache=True, nogil=True, fastmath=fastmath)(function))
    except RuntimeError:  # no writable folder, neither next to this file nor in the home folder
        return cast(Function, numba.njit(nogil=True, fastmath=fastmath)(function))


def reordered(function: Function) -> Function:
    """Compile so that sums may be computed in any order, which is faster with vectors."""
    return compiled(function, fastmath={"reassoc", "nsz"})
