"""The command line without a screen: headroom simulate, validate, import, export, digest.

Exit codes: 0 good, 1 internal error, 2 bad input, 3 a check the user asked for fails, 130 interrupted.
"""

import contextlib
import errno
import io
import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import click

from planner import api, reports
from planner.errors import ImportProblems, PlannerError, PlanProblem, PlanProblems, ResultFileError, RunStopped
from planner.plan.hints import find_hints
from planner.sweeps.headroom_text import headroom_text
from planner.units import US_PER_S, format_duration, parse_duration_us

GOOD, INTERNAL_ERROR, BAD_INPUT, CHECK_FAILED, INTERRUPTED = 0, 1, 2, 3, 130
_MAX_SEED = 2**53 - 1
_MAX_LOSSES = 300
_OUTPUT_LOST = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""Errors of a stream that its owner has to mend."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code. `argv` is without the program's name."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _accept_any_character()
    try:
        return _code_of(arguments)
    finally:
        _leave_quietly()


def _code_of(arguments: list[str]) -> int:
    try:
        with _commands.make_context("headroom", arguments) as context:  # not .main(), which exits by itself
            return int(_commands.invoke(context))
    except click.exceptions.Exit as wish:  # --help
        return wish.exit_code
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        return GOOD
    except click.ClickException as error:
        with contextlib.suppress(OSError):
            error.show()
        return BAD_INPUT
    except (KeyboardInterrupt, click.Abort):
        _say("Interrupted.")
        return INTERRUPTED
    except PlannerError as error:
        for line in _lines(error):
            _say(line)
        return INTERRUPTED if isinstance(error, RunStopped) and error.cancelled else BAD_INPUT
    except MemoryError:
        _say("The run does not fit into the memory of this computer. Use fewer nodes and pods, or a shorter run.")
        return BAD_INPUT
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _OUTPUT_LOST and error.filename is None:
            _say(f"The output cannot be written ({error.strerror}). Free some space or send it elsewhere.")
            return BAD_INPUT
        with contextlib.suppress(OSError):
            traceback.print_exc()  # the border: whatever arrives here is a bug and is shown in full
        return INTERNAL_ERROR


class _Duration(click.ParamType[Any]):
    """A span of simulated time such as 2h, in microseconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, int):
            return value
        try:
            span_us = parse_duration_us(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)
        if span_us < US_PER_S:
            self.fail(f"{value} is too short; give at least 1s", param, ctx)
        return span_us


class _Folder(click.ParamType[Any]):
    """A folder; an empty name is a variable of the shell that was never set, not this folder."""

    name = "folder"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not value:
            self.fail('the name is empty; write "." for this folder', param, ctx)
        return Path(value)


_plan_argument = click.argument("plan_path", metavar="PLAN")
_seed_option = click.option("--seed", type=click.IntRange(0, _MAX_SEED), help="Seed instead of the plan's.")


@click.group(name="headroom", context_settings={"help_option_names": ["-h", "--help"]})
def _commands() -> None:
    """Simulate the capacity of a Kubernetes cluster from a plan file."""


@_commands.command()
@_plan_argument
@_seed_option
@click.option("--until", "until_us", type=_Duration(), help="Simulated time instead of the plan's, such as 2h.")
@click.option("--out", type=_Folder(), help="Write the CSV report into this folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the summary.")
@click.option("--slo", is_flag=True, help="Exit with 3 if an SLO of the plan is missed.")
def simulate(plan_path: str, seed: int | None, until_us: int | None, out: Path | None, as_json: bool, slo: bool) -> int:
    """Run PLAN and print its key figures."""
    plan = _runnable(plan_path, until_us)
    if out is not None:
        _make_folder(out)
    with _interruptible() as cancelled, _Progress() as progress:
        result = api.run_plan(plan, seed=seed, until_us=until_us, on_progress=progress.show, cancelled=cancelled)
    try:
        if out is not None:
            written = reports.write_all(result, out)
            _say(f"Wrote {len(written)} files into {out}.")
    finally:  # a full disk must not cost the figures too
        click.echo(_json_line(result) if as_json else _printable(reports.summary_text(result), "\n"))
    return _verdict(result, check_slo=slo)


@_commands.command()
@_plan_argument
def validate(plan_path: str) -> int:
    """Tell the problems of PLAN (exit code 2) and hints."""
    plan = _runnable(plan_path)
    for hint in find_hints(plan):
        click.echo(_printable(f"hint: {hint}"))
    click.echo(_printable(f"{plan_path}: no problems"))
    return GOOD


@_commands.command()
@_plan_argument
@_seed_option
def digest(plan_path: str, seed: int | None) -> int:
    """Print the digest of a run of PLAN: 64 hex digits that equal runs share."""
    plan = _runnable(plan_path)
    with _interruptible() as cancelled:
        result = api.run_plan(plan, seed=seed, cancelled=cancelled)
    if result.stopped is None:
        click.echo(result.digest())
    return _verdict(result, check_slo=False)


@_commands.command()
@_plan_argument
@_seed_option
@click.option("--until", "until_us", type=_Duration(), help="Simulated time instead of the plan's, such as 2h.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def headroom(plan_path: str, seed: int | None, until_us: int | None, as_json: bool) -> int:
    """Find how much more load and how many more pods PLAN bears."""
    plan = _runnable(plan_path, until_us)
    with _interruptible() as cancelled:
        result = api.run_plan(plan, seed=seed, until_us=until_us, cancelled=cancelled)
        if result.stopped is not None:
            return _verdict(result, check_slo=False)
        with _Progress() as progress:
            found = api.load_headroom(plan, seed, until_us, progress.show_search, cancelled)
    room = {name: figure.value for name, figure in result.figures.items() if name.startswith("room_")}
    if as_json:
        load = {"factor": found.factor, "broken_at": found.broken_at, "missed": found.missed, "runs": found.runs}
        click.echo(json.dumps({"load": load, "room": room}, ensure_ascii=False, allow_nan=False))
    else:
        click.echo(_printable(headroom_text(found, room), "\n"))
    if found.stopped is not None:
        _say(str(found.stopped))
        return INTERRUPTED if found.stopped.cancelled else BAD_INPUT
    return GOOD


@_commands.command()
@_plan_argument
@click.argument("workload")
@click.argument("trace_path", metavar="TRACE")
@click.option("-o", "--output", "new_path", metavar="PLAN", help="Plan file to write; PLAN itself if not given.")
@click.option("--time", "time_column", default="", help="Column of the times (CSV); the first one if not given.")
@click.option("--value", "value_column", default="", help="Column of the rates (CSV); the second one if not given.")
def trace(
    plan_path: str, workload: str, trace_path: str, new_path: str | None, time_column: str, value_column: str
) -> int:
    """Give WORKLOAD of PLAN the load recorded in TRACE: CSV, or JSON of a Prometheus range query."""
    plan = api.with_trace(api.load_plan(plan_path), workload, api.read_trace(trace_path, time_column, value_column))
    api.save_plan(plan, new_path or plan_path)
    click.echo(_printable(f"{new_path or plan_path}: {workload} has the load of {trace_path}"))
    for hint in find_hints(plan):
        if ".traffic." in hint.where:
            click.echo(_printable(f"hint: {hint}"))
    return GOOD


@_commands.command(name="import")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("-o", "--output", "plan_path", metavar="PLAN", required=True, help="Plan file to write (*.headroom).")
@click.option("--place", is_flag=True, help="Place all pods at once and tell what did not fit, and why.")
def import_command(paths: tuple[str, ...], plan_path: str, place: bool) -> int:
    """Make a plan of Kubernetes manifests or dumps (files, folders, - for standard input) or of a known trace."""
    imported = api.import_plan(paths, None if sys.stdin is None else sys.stdin.buffer)
    _tell_losses(imported.losses, "Left out")
    plan = imported.plan
    replaced = Path(plan_path).exists()
    api.save_plan(plan, plan_path)
    nodes, pods = sum(group.initial_size for group in plan.node_groups), sum(w.replicas for w in plan.workloads)
    content = f"{len(plan.node_groups)} node pools, {nodes} nodes, {len(plan.workloads)} workloads, {pods} pods"
    click.echo(_printable(f"{plan_path}: {content}{' (the previous file is kept with ~)' if replaced else ''}"))
    if place:
        click.echo(_printable(reports.fit_summary(api.place_plan(plan)), "\n"))
    return GOOD


@_commands.command()
@_plan_argument
@click.option("-o", "--output", "folder", type=_Folder(), required=True, help="Folder for the manifests.")
def export(plan_path: str, folder: Path) -> int:
    """Write PLAN as Kubernetes manifests, one YAML file per kind."""
    plan = _runnable(plan_path)
    _make_folder(folder)
    written, losses = api.export_manifests(plan, folder)
    _tell_losses(losses, "Not in the manifests")
    click.echo(_printable(f"Wrote {len(written)} files into {folder}."))
    return GOOD


def _tell_losses(losses: api.Losses, title: str) -> None:
    """On stderr: what was left out and why, then what should be filled in."""
    lines = [str(loss) for loss in losses]
    if lines:
        _say(f"{title}:")
    for line in lines[:_MAX_LOSSES]:
        _say(f"  {line}")
    if len(lines) > _MAX_LOSSES:
        _say(f"  and {len(lines) - _MAX_LOSSES} more")
    for remark in losses.remarks:
        _say(f"hint: {remark}")


def _runnable(plan_path: str, until_us: int | None = None) -> api.Plan:
    """The plan of a file, checked. The file's name is put in front of each problem."""
    try:
        plan = api.load_plan(plan_path)
        api.check_before_run(plan, until_us)
    except PlanProblems as error:
        raise PlanProblems(_in_file(problem, plan_path) for problem in error.problems) from error
    except PlanProblem as error:
        if until_us is not None and error.where == "simulation.duration":
            raise PlanProblem("--until", error.problem, error.remedy) from error
        raise _in_file(error, plan_path) from error
    return plan


def _in_file(problem: PlanProblem, plan_path: str) -> PlanProblem:
    return PlanProblem(f"{plan_path}: {problem.where}", problem.problem, problem.remedy)


def _verdict(result: api.RunResult, *, check_slo: bool) -> int:
    """The exit code a result deserves; the reason goes to stderr."""
    if result.stopped is not None:
        _say(str(result.stopped))
        return INTERRUPTED if result.stopped.cancelled else BAD_INPUT
    if check_slo and result.slo_missed:
        _say(f"SLO missed: {', '.join(result.slo_missed)}")
        return CHECK_FAILED
    return GOOD


def _make_folder(folder: Path) -> None:
    """Before the run, so that a long one is not lost to a typing error."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        problem = f"The folder for the report cannot be made ({reason})."
        raise ResultFileError(str(folder), problem, "Choose another folder.") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ResultFileError(str(folder), "The folder is not writable.", "Choose another folder.")


def _json_line(result: api.RunResult) -> str:
    return json.dumps(reports.result_json(result), ensure_ascii=False, allow_nan=False)


@contextlib.contextmanager
def _interruptible() -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C asks the run to end in good order, the second one breaks it off."""
    wanted = threading.Event()

    def on_interrupt(_signal: int, _frame: FrameType | None) -> None:
        if wanted.is_set():
            raise KeyboardInterrupt
        wanted.set()
        if sys.stderr is not None:  # written past the stream, which the signal may have met half way through a line
            with contextlib.suppress(OSError):
                os.write(2, b"\nEnding the run; press Ctrl-C again to break it off.\n")

    try:
        before = signal.signal(signal.SIGINT, on_interrupt)
    except ValueError:  # not the main thread: whoever called handles signals
        yield wanted.is_set
        return
    try:
        yield wanted.is_set
    finally:
        signal.signal(signal.SIGINT, before)


class _Progress:
    """Simulated time on stderr: one changing line on a terminal, a line every tenth elsewhere."""

    def __init__(self) -> None:
        self._on_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._last = 0
        self._step = 1 if self._on_terminal else 10

    def __enter__(self) -> "_Progress":
        return self

    def show(self, now_us: int, until_us: int) -> None:
        """Called by the run as its time goes on."""
        percent = 100 * now_us // max(until_us, 1)
        if percent < self._last + self._step:
            return
        self._last = percent - percent % self._step
        line = f"simulated {format_duration(now_us)} of {format_duration(until_us)} ({self._last} %)"
        with contextlib.suppress(OSError):  # nobody watches: the run goes on, its report is wanted
            click.echo(f"\r{line:<60}" if self._on_terminal else line, err=True, nl=not self._on_terminal)

    def show_search(self, run: int, factor: float, done: float) -> None:
        """Called by a search, which runs a plan at one load after the other."""
        percent = int(100 * done)
        if percent < self._last + self._step and percent >= self._last and percent < 100:
            return
        self._last = percent - percent % self._step if percent < 100 else 0
        line = f"run {run}: {factor:.3g} times the load ({percent} %)"
        with contextlib.suppress(OSError):
            click.echo(f"\r{line:<60}" if self._on_terminal else line, err=True, nl=not self._on_terminal)

    def __exit__(self, *_error: object) -> None:
        if self._on_terminal and self._last:
            _say("")


def _lines(error: PlannerError) -> list[str]:
    if isinstance(error, PlanProblems | ImportProblems):
        return [str(problem) for problem in error.problems]
    return [str(error)]


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        click.echo(_printable(text), err=True)


def _printable(text: str, keep: str = "") -> str:
    """Without control characters, which a plan's names might smuggle into the terminal; `keep` are let through."""
    return "".join(letter if letter.isprintable() or letter in keep else repr(letter)[1:-1] for letter in text)


def _accept_any_character() -> None:
    """A terminal of another encoding shows what it lacks as an escape."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _leave_quietly() -> None:
    """What cannot be written any more is sent nowhere, so that the interpreter does not complain at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # None: closed by whoever started the program
                stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    sys.exit(main())
