"""Sources implemented by a class: make a spec for one, and get the object from a spec."""

import msgspec

from longline import plugins
from longline.errors import InputError
from longline.ports import Searchable
from longline.source import Spec

OBJECT = "object"
"""The `plugin` of a source that a program passes as an object."""


def spec_of_class(source: Searchable, plugin: str = OBJECT) -> Spec:
    """Return the spec of a source for a harvest's folder.

    Args:
        source: An object that answers queries.
        plugin: The entry point that made it.

    Raises:
        InputError: It has no name.
    """
    if not source.name:
        raise InputError(
            f"the source class {type(source).__name__} has no name", advice="give it one: `name`"
        )
    dialect = {
        "not": "-{term}" if source.negation else "",
        "or": " OR " if source.disjunction else "",
        "max_terms": source.max_terms,
        "all": "*" if source.lists_all else None,
    }
    tables = {
        "source": {"name": source.name, "url": source.url, "plugin": plugin},
        "ask": {"limit": source.limit, "page_size": source.page_size, "dialect": dialect}
        | ({"newest": {}} if source.newest_first else {}),
        "results": {"hit": ""},
    }
    return msgspec.convert(tables, Spec)


def made_from(address: str) -> Searchable | None:
    """Return the source that NAME:ADDRESS names, or None if no package has this name.

    Raises:
        InputError: The class cannot be loaded, or refuses the address.
    """
    plugin, colon, rest = address.partition(":")
    return _made(plugin, rest) if colon and plugin in plugins.names("longline.sources") else None


def answering(spec: Spec, given: Searchable | None) -> Searchable | None:
    """Return the object that answers for a spec, or None if a site does.

    Args:
        spec: The source's spec.
        given: The object, if the program passes one; otherwise None.

    Raises:
        InputError: The package with the class is not installed, or no object is passed.
    """
    plugin = spec.source.plugin
    if given is not None or not plugin:
        return given
    if plugin == OBJECT:
        raise InputError(
            f"{spec.source.name} is searched by an object of a program",
            advice="harvest it from Python, with that object as the source",
        )
    return _made(plugin, spec.source.url)


def _made(plugin: str, address: str) -> Searchable:
    make = plugins.load("longline.sources", plugin)
    if make is None:
        raise InputError(
            f"no installed package has the source {plugin!r}",
            advice="install the package that has it",
        )
    found = make(address)
    if not isinstance(found, Searchable):
        raise InputError(
            f"the source {plugin!r} gave {type(found).__name__}, not a Searchable",
            advice="repair the package that has it",
        )
    found.url = found.url or address
    return found
