"""python -m tests.conformance [DIR] [--area A] [--family F] [--show N] [--json]

Prints `area/family passed/total` a line and last `conformance P/T`. Exit code 0: every case agrees;
1: some do not; 2: nothing to run (missing folder, unknown area or family, unreadable file).
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.conformance.runner import Failure, Score, run_families
from tests.conformance.vectors import Family, VectorProblem, default_folder, find_families


def main(argv: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(argv)
    try:
        families = find_families(options.dir or default_folder(), options.area, options.family)
        scores = _run(families, quiet=options.json, show=options.show)
    except VectorProblem as problem:
        print(problem, file=sys.stderr)
        return 2
    passed, total = sum(score.passed for score in scores), sum(score.total for score in scores)
    if options.json:
        print(json.dumps(_as_json(scores, options.show), indent=2))
    else:
        print(f"conformance {passed}/{total}")
    if total == 0:
        print("no cases found", file=sys.stderr)
        return 2
    return 0 if passed == total else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description="Compare with recorded decisions.")
    parser.add_argument("dir", metavar="DIR", nargs="?", type=Path, help="folder with <area>/<family>.jsonl.gz")
    parser.add_argument("--area", help="only this area")
    parser.add_argument("--family", help="only families of this name")
    parser.add_argument("--show", metavar="N", type=int, default=0, help="print N failing cases")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    return parser


def _run(families: Sequence[Family], quiet: bool, show: int) -> list[Score]:
    scores: list[Score] = []
    for score in run_families(families):
        scores.append(score)
        if not quiet:
            shown = sum(len(earlier.failures) for earlier in scores[:-1])
            for failure in score.failures[: max(0, show - shown)]:
                _print_failure(score, failure)
            print(score, flush=True)
    return scores


def _print_failure(score: Score, failure: Failure) -> None:
    print(f"--- {score.family} {failure.case.get('id')}")
    print(f"input    {json.dumps(failure.case.get('input'))}")
    print(f"expected {json.dumps(failure.case.get('expect'))}")
    print(f"got      {_as_text(failure.got)}")


def _as_text(got: object) -> str:
    return got if isinstance(got, str) else json.dumps(got, default=repr)


def _as_json(scores: Sequence[Score], show: int) -> dict[str, object]:
    failing = [(score, failure) for score in scores for failure in score.failures]
    return {
        "families": {str(score.family): {"passed": score.passed, "total": score.total} for score in scores},
        "passed": sum(score.passed for score in scores),
        "total": sum(score.total for score in scores),
        "failures": [
            {"family": str(score.family), "case": failure.case, "got": _as_text(failure.got)}
            for score, failure in failing[:show]
        ],
    }


if __name__ == "__main__":
    sys.exit(main())
