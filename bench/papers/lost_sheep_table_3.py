"""Lost Sheep, Table 3: accuracy and downloads of every algorithm at threshold 0.75, and ours."""

from collections.abc import Sequence

from bench.frame import run
from bench.sites.lists import site_parser, site_report, table


def main(arguments: Sequence[str] | None = None) -> None:
    options = site_parser(__doc__).parse_args(arguments)
    report = site_report("lost_sheep_table_3", options)
    for pages in options.pages:
        table(report, "Lost Sheep, Table 3, threshold 0.75", pages, 0.75)
    report.save()


if __name__ == "__main__":
    run(main)
