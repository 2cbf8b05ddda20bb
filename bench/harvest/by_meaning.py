"""Coverage of sources that search by meaning, queried with single words.

Each corpus is behind a simulated search that shows the k documents nearest to the query, by latent
semantic analysis, without totals. HR by OR, means over the seeds. "Bound by chance" is the HR of
the same number of rows if each were drawn at random from all documents: HR = 1 - exp(-OR HR).

    python -m bench.harvest.by_meaning [--limit 20] [--size 3000] [--seeds 3]
"""

from math import exp
from pathlib import Path

import numpy as np
from bench.frame import corpus_parser, report_of, run, shared_file

import longline
from longline.simulate import read_corpus

NAMES = ("corpora/reuters.jsonl.gz", "corpora/newsgroups.jsonl.gz")
RATES = (1.5, 2.0, 2.5, 3.0, 4.0)
COLUMNS = ["corpus", "strategy", *(f"OR {rate:g}" for rate in RATES), "pages", "CPU s"]


def by_chance(rate: float) -> float:
    """Return the HR at a given OR for rows drawn at random."""
    share = 1.0
    for _ in range(200):
        share = 1 - exp(-rate * share)
    return share


def main(arguments: list[str] | None = None) -> None:
    parser = corpus_parser(__doc__ or "")
    parser.add_argument("--size", type=int, default=3000, help="documents drawn of each corpus")
    parser.add_argument("--limit", type=int, default=20, help="documents that a search shows")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--strategy", action="append", help="nearest and adaptive by default")
    parser.set_defaults(out=None, json=None)
    options = parser.parse_args(arguments)
    report = report_of("by_meaning", options)
    rows = [["", "by chance", *(round(by_chance(rate), 3) for rate in RATES), None, None]]
    for corpus in options.corpus or [shared_file(NAMES[0]), shared_file(NAMES[1]), "docstrings"]:
        every = read_corpus(corpus)
        drawn = np.random.default_rng(1).permutation(len(every))[: options.size]
        documents = [every[place] for place in drawn]
        for strategy in options.strategy or ["nearest", "adaptive"]:
            runs = longline.compare(
                documents,
                [strategy],
                seeds=options.seeds,
                limit=options.limit,
                page_size=options.limit,
                ranking="meaning",
                counts="none",
            )
            shares = [
                float(np.mean([max(h for o, h in each.curve if o <= rate) for each in runs]))
                for rate in RATES
            ]
            pages = round(float(np.mean([each.result_pages for each in runs])))
            seconds = round(float(np.mean([each.seconds for each in runs])))
            name = Path(corpus).name.partition(".")[0]
            rows.append([name, strategy, *(round(share, 3) for share in shares), pages, seconds])
            print(*rows[-1], sep="  ", flush=True)
    report.table("HR by OR, searched by meaning", COLUMNS, rows)
    report.save()


if __name__ == "__main__":
    run(main)
