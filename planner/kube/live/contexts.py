"""The contexts that the user's kubectl knows. Reads its configuration only; no cluster is called."""

import shutil
import subprocess
from typing import NamedTuple

from planner.errors import ImportProblem
from planner.kube.live.kubectl import PROGRAM
from planner.language.translation import marked, tr

_LISTED = ("config", "get-contexts", "--output=name")
_CURRENT = ("config", "current-context")
_LONGEST_S = 30
_INSTALL = marked("Install it, or import a dump: kubectl cluster-info dump, or kubectl get -o json.")


class Contexts(NamedTuple):
    """Names of contexts."""

    names: tuple[str, ...]
    current: str
    """Empty if none is chosen."""


def known_contexts() -> Contexts:
    """What the configuration of kubectl holds. Raises ImportProblem if the program is missing or fails."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise ImportProblem(PROGRAM, tr("The program is not installed."), tr(_INSTALL))
    current = _answer(program, _CURRENT)
    names = _answer(program, _LISTED)
    if names is None:
        raise ImportProblem(PROGRAM, tr("Its configuration cannot be read."), tr("Check it with kubectl config view."))
    return Contexts(tuple(sorted(names.split())), (current or "").strip())


def _answer(program: str, arguments: tuple[str, ...]) -> str | None:
    try:
        done = subprocess.run(
            (program, *arguments), stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=_LONGEST_S
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode(errors="replace") if not done.returncode else None
