"""Estimate document frequencies from a sample, and measure the errors.

Samples are built as in the thesis (section 5.3.1): random dictionary words are queried until a
fifth of the source is held; then their answers, in random order, are combined until they hold 5, 10
or 20 % of it. The error is the mean |log2(estimated / true df)| over the sample's terms. The
design's figures are those of one prototype on its own samples: compare their order.
"""

from collections.abc import Sequence

import numpy as np
from bench.frame import Cell, Collection, collections, parser_of, report_of, run

from longline.estimate.document_frequency import (
    DF_ESTIMATORS,
    NEEDS_PROBES,
    SampleDf,
    estimate_df,
)
from longline.text.seed_words import english

SHARES = (0.05, 0.10, 0.20)
LIMIT = 100
DESIGN: dict[str, float] = {
    "mle": 1.37,
    "good-turing": 1.15,
    "jelinek-mercer": 1.34,
    "absolute-discounting": 1.08,
    "zipf-mandelbrot": 0.90,
    "regression": 0.83,
}
PROBES_PER_BIN = 10
"""Number of terms to probe per range of dfs (1, 2 to 3, 4 to 7, ...): more hardly help."""

BINS = ((1, 1), (2, 3), (4, 7), (8, 15), (16, None))


def probe_terms(
    df: np.ndarray, rng: np.random.Generator, per_bin: int = PROBES_PER_BIN
) -> list[int]:
    """Draw terms to probe: at most `per_bin` from each range of dfs (1, 2-3, 4-7, ...).

    >>> probe_terms(np.array([1, 1, 1, 2, 3, 9]), np.random.default_rng(0), per_bin=2)
    [0, 2, 3, 4, 5]
    """
    bins = np.frexp(df)[1]
    drawn = [rng.permutation(np.flatnonzero(bins == each))[:per_bin] for each in np.unique(bins)]
    return sorted(np.concatenate(drawn).tolist())


class Crawl:
    """The answers of random words, until a fifth of a collection is held.

    Args:
        collection: The source; ranked statically in a random order, answers cut at `LIMIT`.
        words: The dictionary.
        rng: Draws the order and the words.
    """

    def __init__(
        self, collection: Collection, words: Sequence[str], rng: np.random.Generator
    ) -> None:
        whole = collection.whole
        self.size = whole.documents
        rank = rng.permutation(self.size)
        column = {term: place for place, term in enumerate(whole.terms)}
        starts, rows = whole.matrix.starts, whole.matrix.rows
        self.answers: list[np.ndarray] = []
        held: set[int] = set()
        for place in rng.permutation(len(words)).tolist():
            number = column.get(words[place])
            if number is None:
                continue
            matched = rows[starts[number] : starts[number + 1]]
            self.answers.append(matched[np.argsort(rank[matched])][:LIMIT])
            held.update(self.answers[-1].tolist())
            if len(held) >= max(SHARES) * self.size:
                return

    def sample(self, share: float, rng: np.random.Generator) -> list[int]:
        """Return documents of random answers that together hold this share of the source."""
        held: set[int] = set()
        for place in rng.permutation(len(self.answers)).tolist():
            held.update(self.answers[place].tolist())
            if len(held) >= share * self.size:
                break
        return sorted(held)


def errors_of(
    collection: Collection, documents: Sequence[int], rng: np.random.Generator
) -> tuple[np.ndarray, dict[str, np.ndarray], int]:
    """Estimate all dfs from one sample.

    Returns:
        The dfs in the sample, log2(estimated / true df) by method for every term that was not
        probed, and the number of probed terms.
    """
    whole = collection.whole
    in_sample = np.zeros(whole.documents, dtype=np.bool_)
    in_sample[documents] = True
    df = np.bincount(
        np.repeat(np.arange(len(whole.terms)), whole.df),
        in_sample[whole.matrix.rows],
        minlength=len(whole.terms),
    ).astype(np.int64)
    known = df > 0
    seen, true = df[known], whole.df[known]
    asked = probe_terms(seen, rng)
    probes = {term: int(true[term]) for term in asked}
    judged = np.ones(len(seen), dtype=np.bool_)
    judged[asked] = False
    found = {}
    for method in DF_ESTIMATORS:
        known_dfs = probes if method in NEEDS_PROBES else {}
        sample = SampleDf(seen, len(documents), whole.documents, known_dfs)
        found[method] = np.log2(estimate_df(sample, method) / true)[judged]
    return seen[judged], found, len(asked)


def rows_of(errors: dict[float, list[dict[str, np.ndarray]]]) -> list[list[Cell]]:
    """Return a row per method: mean errors by share and over all shares, and the mean excess."""
    rows: list[list[Cell]] = []
    for method in DF_ESTIMATORS:
        by_share = [
            float(np.mean([np.abs(each[method]).mean() for each in errors[share]]))
            for share in SHARES
        ]
        excess = np.mean([each[method].mean() for runs in errors.values() for each in runs])
        mean = float(np.mean(by_share))
        rows.append([method, DESIGN[method], mean, *by_share, float(2**excess)])
    return rows


def rows_by_df(dfs: list[np.ndarray], found: list[dict[str, np.ndarray]]) -> list[list[Cell]]:
    """Return a row per method: mean errors by df in the sample."""
    df = np.concatenate(dfs)
    rows: list[list[Cell]] = []
    for method in DF_ESTIMATORS:
        error = np.abs(np.concatenate([each[method] for each in found]))
        row: list[Cell] = [method]
        for low, high in BINS:
            within = (df >= low) & (df <= (high or df.max()))
            row.append(float(error[within].mean()) if within.any() else None)
        rows.append(row)
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser_of(__doc__, runs=3).parse_args(arguments)
    report = report_of("df_estimators", options)
    words = english()
    for collection in collections(options):
        report.say(f"{collection.name}: {collection.note}")
        errors: dict[float, list[dict[str, np.ndarray]]] = {share: [] for share in SHARES}
        dfs, found, asked = [], [], []
        for seed in range(options.seed, options.seed + options.runs):
            rng = np.random.default_rng([seed, 3])
            crawl = Crawl(collection, words, rng)
            for share in SHARES:
                df, by_method, probes = errors_of(collection, crawl.sample(share, rng), rng)
                errors[share].append(by_method)
                dfs.append(df)
                found.append(by_method)
                asked.append(probes)
        shares = [f"{share:.0%} sample" for share in SHARES]
        report.table(
            f"{collection.name}: mean |log2 error| of df, {np.mean(asked):.0f} probes where needed",
            ("method", "design", "here", *shares, "believed / true, geometric mean"),
            rows_of(errors),
        )
        bins = [f"{low}" if low == high else f"{low}-{high or ''}" for low, high in BINS]
        report.table(
            f"{collection.name}: the same by df in the sample",
            ("method", *bins),
            rows_by_df(dfs, found),
        )
    report.save()


if __name__ == "__main__":
    run(main)
