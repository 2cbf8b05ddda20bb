"""Values by language: {"en": "Water"} in one row, and {"de": "Wasser"} in another."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from longline.discovery.reading.json_tree import last_name

_CODE = re.compile(r"[a-z]{2}(?:[-_][A-Za-z]{2,4})?")


def joined_languages(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows, by path, with one value for those that stand in a different language in others.

    The path takes the most frequent language, and any other where a row lacks it.

    >>> joined_languages([{"name.en": "Water"}, {"name.en": "Sea"}, {"name.de": "Wasser"}])[2]
    {'name.en || values(name || `{}`)[0]': 'Wasser'}
    >>> joined_languages([{"name.en": "Water", "name.de": "Wasser"}])
    [{'name.en': 'Water', 'name.de': 'Wasser'}]
    """
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        for path in row:
            outer = path.rpartition(".")[0]
            if outer and _CODE.fullmatch(last_name(path)):
                counts.setdefault(outer, Counter())[path] += 1
    for outer, paths in counts.items():
        (most, often), *others = paths.most_common()
        held = sum(any(path in row for path in paths) for row in rows)
        if not others or held == often:
            continue
        named = f"{most} || values({outer} || `{{}}`)[0]"
        rows = [_joined(row, [most, *(path for path, _ in others)], named) for row in rows]
    return list(rows)


def _joined(row: dict[str, Any], paths: Sequence[str], name: str) -> dict[str, Any]:
    found = [row[path] for path in paths if path in row]
    rest = {path: value for path, value in row.items() if path not in paths}
    return rest | ({name: found[0]} if found else {})
