"""Sites with a random combination of the parts of all others."""

import random

from tests.discovery import aside
from tests.discovery.engines import Rules
from tests.discovery.servers import FORMS, LAYOUTS, PAGERS, TOTALS, Make

assert aside.ASIDE  # its parts are added to the others

_LANGUAGES = ("en", "de", "fr", "es", "ru", "pl", "sv", "it", "nl")
_CORPUS = {"en": "docs", "it": "es", "nl": "sv"}
_NOTS = (("-",), ("NOT",), ("-", "NOT"), ("AND NOT",), ())
_DECOYS = ("nav", "newsletter", "login", "jump", "feedback", "sidebar", "facets", "took", "related")


def mixed(count: int, seed: int) -> list[Make]:
    """Return sites drawn at random; the same seed gives the same sites."""
    rng = random.Random(f"mixed {seed}")
    return [_draw(rng, f"m{seed}-{number}") for number in range(count)]


def _draw(rng: random.Random, name: str) -> Make:
    language = rng.choice(_LANGUAGES)
    nots = rng.choice(_NOTS)
    paging = rng.choice(sorted(set(PAGERS) - {"none", "error"}))
    counts = rng.choice(("exact", "exact", "exact", "about", "floor", "none"))
    shown = {"about": ("about", "approx"), "floor": ("floor",), "none": ("",)}
    total = rng.choice(shown.get(counts, sorted(set(TOTALS) - {"about", "approx", "floor"})))
    size_name = rng.choice(("", "", "limit", "per_page", "pagesize"))
    form = "advanced" if size_name else rng.choice(sorted(set(FORMS) - {"state"}))
    method = "POST" if paging == "post" else "GET"
    if method == "POST":
        form, size_name = "state", ""
    rules = Rules(
        default=rng.choice(("AND", "AND", "AND", "OR")),
        nots=nots,
        phrase=rng.random() < 0.7,
        stems=rng.random() < 0.3,
        wildcard=rng.random() < 0.3,
        stops=rng.random() < 0.5,
        ors=rng.random() < 0.7,
    )
    return Make(
        name,
        layout=rng.choice(sorted(LAYOUTS)),
        form=form,
        paging=paging,
        total=total,
        corpus=_CORPUS.get(language, language),
        language=language,
        rules=rules,
        page_size=rng.choice((5, 10, 10, 15, 20, 25)),
        size_name=size_name,
        clamp=rng.choice((None, 30, 50, 100)) if size_name else None,
        limit=rng.choice((None, None, None, 100, 200, 300)),
        counts=counts,
        decoys=tuple(rng.sample(_DECOYS, rng.randint(1, 5))),
        method=method,
        state=method == "POST",
        field=rng.choice(("q", "query", "s", "text", "words")),
        home_links=rng.random() < 0.2,
    )
