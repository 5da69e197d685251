"""`python -m tests.requests [--renew] [--all]`: the load model beside the simulation, the largest errors first."""

import argparse
from concurrent.futures import ProcessPoolExecutor

from tests.requests.grid import Cell, Figures, cells, errors, excess, keep, kept

_SHOWN = 40


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.requests", description=__doc__)
    parser.add_argument("--renew", action="store_true", help="simulate all cells again and keep the figures")
    parser.add_argument("--all", action="store_true", help=f"all cells, not the {_SHOWN} with the largest errors")
    options = parser.parse_args()
    if options.renew:
        with ProcessPoolExecutor(2) as pool:
            keep(dict(zip(map(str, cells()), pool.map(Cell.simulated, cells(), chunksize=8), strict=True)))
    known = kept()
    rows = []
    for cell in cells():
        found = cell.modelled()
        off = errors(found, known[str(cell)])
        rows.append((excess(off), cell, found, known[str(cell)], off))
    rows.sort(key=lambda row: -row[0])
    within = sum(row[0] <= 1.0 for row in rows)
    print(f"{within} of {len(rows)} cells are within the bounds. Errors; in brackets model / simulation, ms.\n")
    print("| Cell | mean | p50 | p95 | p99 | throttled |\n|---|---|---|---|---|---|")
    for _, cell, found, real, off in rows if options.all else rows[:_SHOWN]:
        print(_row(cell, found, real, off))


def _row(cell: Cell, found: Figures, real: Figures, off: Figures) -> str:
    times = (
        f"{100 * error:+.0f} % ({1000 * one:.3g} / {1000 * other:.3g})"
        for error, one, other in zip(off[:4], found[:4], real[:4], strict=True)
    )
    return f"| {cell} | {' | '.join(times)} | {found.throttled:.2f} / {real.throttled:.2f} |"


if __name__ == "__main__":
    main()
