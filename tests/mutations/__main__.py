"""Make the source wrong, one line at a time, and see whether its room's own tests notice.

Usage: python -m tests.mutations [--only REGEX]

Each mutation is applied to a copy of src in a temporary folder. Ends with 1 where one survived.
"""

import argparse
import re
import sys

from tests.mutations.listed import MUTATIONS
from tests.mutations.mutation import run, run_unchanged


def main() -> int:
    """Run what the command line asks for, and say what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations")
    parser.add_argument("--only", default="", metavar="REGEX", help="of file, or text")
    only = re.compile(parser.parse_args().only)
    chosen = [each for each in MUTATIONS if only.search(str(each))]
    unchanged = run_unchanged(chosen)
    if unchanged.ending != "survived":
        print(f"the tests fail without any mutation\n{unchanged.said}")
        return 1
    print(f"{len(chosen)} mutations; unchanged, their tests pass in {unchanged.seconds:.0f} s")
    not_caught = 0
    for each in chosen:
        tried = run(each)
        not_caught += tried.ending != "caught"
        print(f"{tried.ending:8} {tried.seconds:5.1f} s  {each}", flush=True)
        if tried.ending == "broken":
            print(tried.said)
    print(f"{len(chosen) - not_caught} of {len(chosen)} caught")
    return int(not_caught > 0)


if __name__ == "__main__":
    sys.exit(main())
