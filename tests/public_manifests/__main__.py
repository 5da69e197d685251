"""python -m tests.public_manifests [--mirror DIR] [--only TEXT] [--write]

Imports every set of public manifests and prints a line for each. Exit code 0: none was refused; 1: some were; 2: some
could not be brought, for example without a network.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.public_manifests.bringing import FORGE, BringingProblem, bring, fetched, mirror_of
from tests.public_manifests.manifest_sets import LIST, ManifestSet, manifest_sets
from tests.public_manifests.results import SetResult, imported_set, page, row

PAGE = Path(__file__).resolve().parents[2] / "docs" / "imported-manifests.md"


def main(argv: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(argv)
    results: list[SetResult] = []
    missing = 0
    for wanted in manifest_sets(options.list.read_text()):
        if options.only not in " ".join(wanted):
            continue
        try:
            results.append(_result(wanted, options.mirror, options.forge))
        except BringingProblem as problem:
            missing += 1
            print(problem, file=sys.stderr)
            continue
        print(row(results[-1]), flush=True)
    if missing:
        print(f"{missing} sets could not be brought; the page is not written.", file=sys.stderr)
        return 2
    if options.write is not None:
        options.write.write_text(page(results))
    return int(any(result.imported is None for result in results))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.public_manifests", description="Import public manifests.")
    parser.add_argument("--mirror", type=Path, metavar="DIR", help="take the repositories from this folder of mirrors")
    parser.add_argument("--forge", default=FORGE, metavar="URL", help=f"where repositories are fetched from ({FORGE})")
    parser.add_argument("--list", type=Path, default=LIST, metavar="FILE", help="repositories, commits and paths")
    parser.add_argument("--only", default="", metavar="TEXT", help="only sets whose line in the list contains the text")
    parser.add_argument("--write", type=Path, nargs="?", const=PAGE, metavar="FILE", help="write the page of results")
    return parser


def _result(wanted: ManifestSet, mirrors: Path | None, forge: str) -> SetResult:
    with tempfile.TemporaryDirectory(prefix="headroom-manifests-") as name:
        folder = Path(name)
        git = fetched(forge, wanted, folder) if mirrors is None else mirror_of(mirrors, wanted.repository)
        return imported_set(wanted, bring(git, wanted, folder / "files"))


if __name__ == "__main__":
    sys.exit(main())
