"""Count a journal's figures slowly from the file itself, without code of the package."""

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KINDS = {
    "PageReceived": "result pages",
    "PageFailed": "result pages",
    "DocumentReceived": "document pages",
    "DocumentFailed": "document pages",
    "SourceFound": "learning the source",
    "RobotsRead": "robots.txt",
    "FormReceived": "search form",
    "NonsenseAnswered": "checks",
    "SourceChecked": "checks",
}
NO_COST = {"PageFailed", "DocumentFailed", "Concluded", "Stopped", "QueryCut"}


def entries(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the kind and the payload of each line of a journal."""
    connection = sqlite3.connect(folder / "harvest.db")
    for event, payload in connection.execute("SELECT event, payload FROM journal ORDER BY entry"):
        yield event, json.loads(payload)
    connection.close()


def cost(event: str, payload: dict[str, Any]) -> int:
    """Return the requests of an entry; a missing number means one or none, by kind."""
    return int(payload.get("requests", 0 if event in NO_COST else 1))


def requests_by_kind(folder: Path) -> dict[str, int]:
    """Return the number of requests by purpose."""
    found: Counter[str] = Counter()
    for event, payload in entries(folder):
        kind = "test search pages" if payload.get("probe") else KINDS.get(event)
        if kind and cost(event, payload):
            found[kind] += cost(event, payload)
    return dict(found)


def documents_after(folder: Path) -> dict[int, set[int]]:
    """Return, for each number of requests, the numbers of documents held at that time."""
    requests, held = 0, set[str]()
    found: dict[int, set[int]] = defaultdict(set)
    for event, payload in entries(folder):
        requests += cost(event, payload)
        if event == "DocumentReceived":
            held.add(payload["key"])
        found[requests].add(len(held))
    return found


def chart(folder: Path) -> list[dict[str, int]]:
    """Return for each search the reported, received and new documents."""
    seen: set[str] = set()
    rows: dict[str, dict[str, int]] = {}
    for event, payload in entries(folder):
        if event not in ("PageReceived", "PageFailed") or payload.get("probe"):
            continue
        row = rows.setdefault(json.dumps(payload["query"]), {"received": 0, "new": 0})
        if event == "PageFailed":
            continue
        keys = [hit["key"] for hit in payload["page"].get("hits", [])]
        row["received"] += len(keys)
        row["new"] += len(set(keys) - seen)
        seen.update(keys)
        if "total" in payload["page"]:
            row["reported"] = payload["page"]["total"]["documents"]
    return list(rows.values())


def filled(folder: Path) -> dict[str, int]:
    """Return the number of documents with a value in each field."""
    connection = sqlite3.connect(folder / "harvest.db")
    found = {}
    for name in ("url", "title", "text", "language"):
        statement = f"SELECT count(*) FROM documents WHERE {name} <> ''"
        found[name] = connection.execute(statement).fetchone()[0]
    connection.close()
    return found
