"""`python -m tests.replay [SEEDS]`: the distance of replays from logged runs, by family."""

import sys

from tests.replay.comparison import distance, table
from tests.replay.hpa_runs import logged_runs, runs_file


def main() -> None:
    """Print a table."""
    seeds = range(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
    found = []
    for run in logged_runs(runs_file()):
        found.append(one := distance(run, seeds))
        hours = 100 * (one.pod_hours / one.real_pod_hours - 1)
        print(
            f"{one.name:45} {one.error:5.2f} {one.naive_error:5.2f} {hours:6.1f} % {100 * one.covered:4.0f} %",
            flush=True,
        )
    for name, count, error, rule, hours, covered in table(found):
        print(f"{name:36} {count:3} {error:5.2f} {rule:5.2f} {hours:6.1f} % {covered:4.0f} %")


main()
