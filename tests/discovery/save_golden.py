"""Save pages of the sites in servers.py and aside.py with their true content.

python -m tests.discovery.save_golden
"""

import json
import re
from pathlib import Path
from urllib.parse import quote_plus

import httpx2
from tests.discovery.aside import ASIDE
from tests.discovery.servers import MAKES, Make, Site

from longline.simulate import running_site

GOLDEN = Path(__file__).parent / "golden"
NONSENSE = ("wonejacafxq", "voxoqysonxq")


def save(make: Make) -> None:
    """Save a site's page with the form, its answers to nonsense and to three words."""
    site = Site(make)
    folder = GOLDEN / make.name
    folder.mkdir(parents=True, exist_ok=True)
    words = _words(site)
    expected = {
        "field": make.field,
        "method": make.method,
        "path": make.path,
        "charset": make.charset,
        "nonsense": NONSENSE,
        "pages": [_truth(site, word) for word in words],
    }
    with running_site(site.app) as url, httpx2.Client(base_url=url) as client:
        start = client.get(make.path if make.home_links else "/").content
        (folder / "form.html").write_bytes(_neutral(start, url))
        for number, word in enumerate((*NONSENSE, *words)):
            if make.method == "POST":
                answer = client.post(make.path, data={make.field: word, "__token": "t1"})
            else:
                encoded = quote_plus(word, encoding=make.charset)
                answer = client.get(f"{make.path}?{make.field}={encoded}")
            (folder / f"answer{number}.html").write_bytes(_neutral(answer.content, url))
    text = json.dumps(expected, ensure_ascii=False, indent=1)
    (folder / "expected.json").write_text(text + "\n", encoding="utf-8")


def _neutral(page: bytes, url: str) -> bytes:
    return page.replace(url.encode(), b"http://site.example")


def _words(site: Site) -> list[str]:
    sizes = sorted((len(places), word) for word, places in site.engine.index.items())
    plain = [pair for pair in sizes if re.fullmatch(r"\w{5,}", pair[1])]
    size = site.make.page_size
    wanted = (size * 3, size * 2 - 1, size * 5)
    words: list[str] = []
    for number in wanted:
        known = {word[:4] for word in words}
        free = [pair for pair in plain if pair[1][:4] not in known]
        words.append(min(free, key=lambda pair: (abs(pair[0] - number), pair[1]))[1])
    return words


def _truth(site: Site, word: str) -> dict[str, object]:
    shown = site.shown(word, 1)
    has_snippets = site.make.layout != "titles"
    return {
        "word": word,
        "total": shown.reported if site.make.total else None,
        "rows": [
            {"url": row.url, "title": row.title, "snippet": row.snippet if has_snippets else ""}
            for row in shown.rows
        ],
    }


if __name__ == "__main__":
    for make in (*MAKES, *ASIDE):
        save(make)
