"""Runs kubectl with the user's configuration, contexts and login plug-ins, and keeps its answers in files."""

import shutil
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from planner.disk.cures import cure_of, reason_of
from planner.errors import ImportProblem, ResultFileError
from planner.kube.draft.left_out import Losses
from planner.kube.live.calls import ClusterCall
from planner.language.translation import tr

PROGRAM = "kubectl"
_NO_SUCH_KIND = ("the server doesn't have a resource type", "could not find the requested resource")
_EXPIRED = ("the provided continue parameter is too old", "Expired", "410")
_FORBIDDEN = "(Forbidden)"
_LONGEST = 500
_AT_ONCE = 4
OnCall = Callable[[int, int], None]
"""Called with the calls that are done and all of them."""


def dump_cluster(calls: Sequence[ClusterCall], folder: Path, losses: Losses, on_call: OnCall | None = None) -> None:
    """Write the answer of each call into a folder; what the cluster does not have or show is added to the losses.

    Raises ImportProblem if kubectl is missing or the cluster cannot be read, and ResultFileError.
    """
    program = shutil.which(PROGRAM)
    if program is None:
        remedy = tr("Install it, or give a dump: kubectl cluster-info dump, or kubectl get -o json.")
        raise ImportProblem(PROGRAM, tr("The program is not installed."), remedy)
    refused: list[ImportProblem] = []
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        answers = [pool.submit(_complaint, program, call, folder) for call in calls]
        try:
            for number, (call, answer) in enumerate(zip(calls, answers, strict=True)):
                said = answer.result()
                if said is not None and any(mark in said for mark in _NO_SUCH_KIND):
                    losses.add("cluster", call.name, tr("the cluster does not have this kind"))
                elif said is not None:
                    refused.append(_problem(call, said))
                    if _FORBIDDEN not in said or len(refused) == len(calls):
                        raise refused[-1]
                if on_call is not None:
                    on_call(number + 1, len(calls))
        finally:
            pool.shutdown(cancel_futures=True)
    losses.skip(refused)


def _problem(call: ClusterCall, said: str) -> ImportProblem:
    remedy = tr("Check the context, the login and the connection.")
    if _FORBIDDEN in said:
        remedy = tr("Ask for the role view in these namespaces, or choose others with --namespace.")
    return ImportProblem(call.text(PROGRAM), said[:_LONGEST].rstrip(".") + ".", remedy)


def _complaint(program: str, call: ClusterCall, folder: Path) -> str | None:
    """Make a call, once more in one piece if the cluster forgot where the last page ended; None if it was answered."""
    said = _called(program, call, folder)
    if said is not None and any(mark in said for mark in _EXPIRED):
        said = _called(program, call.unpaged(), folder)
    return said


def _called(program: str, call: ClusterCall, folder: Path) -> str | None:
    """What kubectl complains about; None if it has answered."""
    path = folder / f"{call.name}.json"
    try:
        with path.open("wb") as file:
            done = subprocess.run((program, *call.arguments), stdin=subprocess.DEVNULL, stdout=file,
                                  stderr=subprocess.PIPE, check=False)  # fmt: skip
        is_empty = not path.stat().st_size
        if done.returncode or is_empty:
            path.unlink()
    except OSError as error:
        problem = tr("The answer of kubectl cannot be kept ({reason}).", reason=reason_of(error))
        raise ResultFileError(str(path), problem, cure_of(error)) from error
    if not done.returncode:
        return None
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else tr("kubectl ended with {code}", code=done.returncode)
