"""Confidence of answers, and how often they are right, on sites not used for fitting.

The tasks of `find_sites` on the real sites, searched as on the web. The weights of
`known_item.best_first.search.Reported` are fitted to the answers of all sites except one, by
logistic regression, and judged on that one; "as built" are the weights in longline. --more names a
folder of further sites, each a folder with an index.html. "loss" is the mean negative logarithm of
the probability given to the true outcome; less is better.
"""

import argparse
import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory

import numpy as np
from bench.frame import Cell, report_of, run, shared_file, unpack
from bench.sites.find_sites import SURE, Task, absent, same_page, tasks_of

from longline.finder.find import FindLimits, Way, query_words, search
from longline.known_item.best_first.search import BestFirstSearch
from longline.known_item.best_first.sureness import Reported, Signs

RIDGE = 1.0
ROUNDS = 50
COLUMNS = ("", "n", "right", *(name for sure in SURE for name in (f"> {sure}", "right")), "loss")


@dataclass(frozen=True)
class Judged:
    """An answer: its site, the signs of its confidence, and whether it is right."""

    site: str
    kind: str
    signs: Signs
    is_right: bool


class Noted(BestFirstSearch):
    """A search that keeps the signs of its answer's confidence."""

    noted: Signs | None = None

    def _confidence(self, key: str, chance: float) -> float:
        self.noted = self.signs(key, chance)
        return super()._confidence(key, chance)


def judged(site: str, folder: Path, start: str, task: Task, budget: int) -> Judged | None:
    """Search a site; return None if there is no answer."""
    asked = query_words(task.query)
    made: list[Noted] = []

    def make(first: str) -> Noted:
        made.append(Noted(asked, first, budget=budget))
        return made[-1]

    way = Way(make, asked)
    found = asyncio.run(search(str(folder / start), way, limits=FindLimits(max_downloads=budget)))
    signs = made[-1].noted
    if signs is None:
        return None
    return Judged(site, task.kind, signs, same_page(folder, found.url or "", task.page))


def weights(found: Sequence[Judged]) -> Reported:
    """Return weights fitted to answers by logistic regression with a small ridge."""
    x = np.array([_row(each.signs) for each in found])
    y = np.array([float(each.is_right) for each in found])
    beta = np.zeros(x.shape[1])
    ridge = RIDGE * np.eye(x.shape[1])
    ridge[0, 0] = 1e-6
    for _ in range(ROUNDS):
        p = 1 / (1 + np.exp(-x @ beta))
        curve = (x * (p * (1 - p))[:, None]).T @ x + ridge
        beta += np.linalg.solve(curve, x.T @ (y - p) - ridge @ beta)
    base, share, unnamed, extra = beta.tolist()
    return Reported(base=base, share=share, unnamed=-unnamed, extra=-extra)


def _row(signs: Signs) -> list[float]:
    most = Reported().most
    return [1.0, max(min(signs.odds, most), -most), signs.is_unnamed, signs.has_extra]


def left_out(found: Sequence[Judged]) -> dict[str, Reported]:
    """Return for each site the weights fitted to all other sites."""
    sites = dict.fromkeys(each.site for each in found)
    return {site: weights([each for each in found if each.site != site]) for site in sites}


def row_of(name: str, found: Sequence[Judged], sure: Callable[[Judged], float]) -> list[Cell]:
    """Return a row: how many answers have which confidence, and how many are right."""
    row: list[Cell] = [name, len(found), mean(each.is_right for each in found)]
    for least in SURE:
        right = [each.is_right for each in found if sure(each) > least]
        row += [len(right), mean(right) if right else None]
    losses = [np.log(sure(each) if each.is_right else 1 - sure(each)) for each in found]
    return [*row, f"{-np.mean(losses):.3f}"]


def sites_of(folder: Path, more: Path | None) -> Iterator[tuple[Path, dict[str, str]]]:
    """Yield the shared sites, unpacked into a folder, and further ones."""
    unpack("sites/sites.tar.xz", str(folder))
    for site in json.loads(shared_file("sites/index.json").read_text()):
        yield folder / site["site"], site
    for path in sorted(more.iterdir()) if more else ():
        if (path / "index.html").is_file():
            yield path, {"site": path.name, "start": "index.html"}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure as the options say."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--more", type=Path, metavar="DIR", help="folder of further sites")
    parser.add_argument("--titles", type=int, default=10, help="title queries of each site (10)")
    parser.add_argument("--budget", type=int, default=100, help="pages for each query (100)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw of titles (1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the tables as JSON")
    parser.set_defaults(out=None)
    options = parser.parse_args(arguments)
    report = report_of("sureness", options)
    found: list[Judged] = []
    with TemporaryDirectory() as name:
        sites = list(sites_of(Path(name), options.more))
        every = {
            site["site"]: tasks_of(folder, site, options.titles, options.seed)
            for folder, site in sites
        }
        for folder, site in sites:
            own = site["site"]
            for task in [*every[own], *absent(every, own, folder, options.seed)]:
                each = judged(own, folder, site["start"], task, options.budget)
                found += [] if each is None else [each]
    fitted, built = left_out(found), Reported()
    ways: dict[str, Callable[[Judged], float]] = {
        "left out": lambda each: fitted[each.site].confidence(each.signs),
        "as built": lambda each: built.confidence(each.signs),
        "own odds": lambda each: float(1 / (1 + np.exp(-0.85 * each.signs.odds))),
    }
    for title, sure in ways.items():
        kinds = dict.fromkeys(each.kind for each in found)
        rows = [row_of("all", found, sure)]
        rows += [row_of(kind, [e for e in found if e.kind == kind], sure) for kind in kinds]
        report.table(f"{title}: {len(sites)} sites", COLUMNS, rows)
    report.say(f"fitted to all: {weights(found)}")
    report.save()


if __name__ == "__main__":
    run(main)
