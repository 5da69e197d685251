"""python -m tests.bench [--only FIGURE] [--json]

Prints `name value unit` a line; last the yardstick proxy_s. Exit code 0: all measured; 1: a case failed;
2: an unknown figure.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Iterator, Sequence

from tests.bench.proxy import proxy_s
from tests.bench.runner import BenchProblem, Case, Registry, load_registry, medians, run_here, runs_wanted

PROXY = "proxy_s"
SIGNIFICANT_DIGITS = 6


def main(argv: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(argv)
    try:
        registry, runs = load_registry(), runs_wanted()
        cases = _chosen(registry, options.child or options.only)
    except BenchProblem as problem:
        print(problem, file=sys.stderr)
        return 2
    if options.child:
        print(json.dumps(run_here(cases[0])))
        return 0
    return _measure(registry, cases, runs, as_json=options.json)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure speed and memory.")
    parser.add_argument("--only", metavar="FIGURE", help="run the cases of this figure or family (as growth) alone")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    parser.add_argument("--child", metavar="CASE", help=argparse.SUPPRESS)
    return parser


def _chosen(registry: Registry, figure: str | None) -> Sequence[Case]:
    if figure is None:
        return registry.cases
    return () if figure == PROXY else registry.cases_of(figure)


def _measure(registry: Registry, cases: Sequence[Case], runs: int, as_json: bool) -> int:
    figures: dict[str, dict[str, object]] = {}
    problems: list[BenchProblem] = []
    for name, value, unit in _lines(registry, cases, runs, problems):
        figures[name] = {"value": value, "unit": unit}
        if not as_json:
            print(f"{name} {plain(value)} {unit}", flush=True)
    if as_json:
        print(json.dumps({"figures": figures}, indent=2))
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def _lines(
    registry: Registry, cases: Sequence[Case], runs: int, problems: list[BenchProblem]
) -> Iterator[tuple[str, float, str]]:
    for case in cases:
        try:
            for name, value in medians(case, runs):
                yield name, value, registry.unit_of(name)
        except BenchProblem as problem:
            problems.append(problem)
    yield PROXY, statistics.median(proxy_s() for _ in range(runs)), "s"


def plain(value: float) -> str:
    """A decimal number without exponent or separators, with about six significant digits."""
    whole_digits = len(str(abs(int(value))))
    decimals = max(0, SIGNIFICANT_DIGITS - whole_digits)
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


if __name__ == "__main__":
    sys.exit(main())
