"""`python -m tests.reference [SEEDS]`: all experiments, Headroom beside the reference."""

import sys

from tests.reference.comparison import HEADER, headroom, reference, row
from tests.reference.experiments import BURSTS, POISSON


def main() -> None:
    """Print a table."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    print("| " + " | ".join(HEADER) + " |\n" + "|---" * len(HEADER) + "|")
    for experiment in (*POISSON, *BURSTS):
        known, found = reference(experiment, range(4 * seeds)), headroom(experiment, range(seeds))
        print("| " + " | ".join(row(experiment, found, known)) + " |", flush=True)


main()
