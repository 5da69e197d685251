"""The command line without a screen: headroom simulate, validate, digest.

Exit codes: 0 good, 1 internal error, 2 bad input, 3 a check the user asked for fails, 130 interrupted.
"""

import contextlib
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
from planner.errors import PlannerError, PlanProblem, PlanProblems, ResultFileError, RunStopped
from planner.plan.hints import find_hints
from planner.units import US_PER_S, format_duration, parse_duration_us

GOOD, INTERNAL_ERROR, BAD_INPUT, CHECK_FAILED, INTERRUPTED = 0, 1, 2, 3, 130
_MAX_SEED = 2**53 - 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code. `argv` is without the program's name."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        with _commands.make_context("headroom", arguments) as context:  # not .main(), which exits by itself
            code = _commands.invoke(context)
        sys.stdout.flush()
        return int(code)
    except click.exceptions.Exit as wish:  # --help
        return wish.exit_code
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        _close_output()
        return GOOD
    except click.ClickException as error:
        error.show()
        return BAD_INPUT
    except (KeyboardInterrupt, click.Abort):
        _say("Interrupted.")
        return INTERRUPTED
    except PlannerError as error:
        for line in _lines(error):
            _say(line)
        return INTERRUPTED if isinstance(error, RunStopped) and error.cancelled else BAD_INPUT
    except Exception:  # the border: whatever arrives here is a bug and is shown in full
        traceback.print_exc()
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


_plan_argument = click.argument("plan_path", metavar="PLAN")
_seed_option = click.option("--seed", type=click.IntRange(0, _MAX_SEED), help="Seed instead of the plan's.")


@click.group(name="headroom", context_settings={"help_option_names": ["-h", "--help"]})
def _commands() -> None:
    """Simulate the capacity of a Kubernetes cluster from a plan file."""


@_commands.command()
@_plan_argument
@_seed_option
@click.option("--until", "until_us", type=_Duration(), help="Simulated time instead of the plan's, such as 2h.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the CSV report into this folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the summary.")
@click.option("--slo", is_flag=True, help="Exit with 3 if an SLO of the plan is missed.")
def simulate(plan_path: str, seed: int | None, until_us: int | None, out: Path | None, as_json: bool, slo: bool) -> int:
    """Run PLAN and print its key figures."""
    plan = _runnable(plan_path, until_us)
    if out is not None:
        _make_folder(out)
    with _interruptible() as cancelled, _Progress() as progress:
        result = api.run_plan(plan, seed=seed, until_us=until_us, on_progress=progress.show, cancelled=cancelled)
    if out is not None:
        written = reports.write_all(result, out)
        _say(f"Wrote {len(written)} files into {out}.")
    click.echo(_as_json(result) if as_json else _as_text(result))
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


def _runnable(plan_path: str, until_us: int | None = None) -> api.Plan:
    """The plan of a file, checked. The file's name is put in front of each problem."""
    try:
        plan = api.load_plan(plan_path)
        api.check_before_run(plan, until_us)
    except PlanProblems as error:
        raise PlanProblems(_in_file(problem, plan_path) for problem in error.problems) from error
    except PlanProblem as error:
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


def _as_json(result: api.RunResult) -> str:
    return json.dumps(reports.result_json(result), ensure_ascii=False, allow_nan=False)


def _as_text(result: api.RunResult) -> str:
    return "\n".join(_printable(line) for line in reports.summary_text(result).split("\n"))


@contextlib.contextmanager
def _interruptible() -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C asks the run to end in good order, the second one breaks it off."""
    wanted = threading.Event()

    def on_interrupt(_signal: int, _frame: FrameType | None) -> None:
        if wanted.is_set():
            raise KeyboardInterrupt
        wanted.set()

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
        self._on_terminal = sys.stderr.isatty()
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
        click.echo(f"\r{line:<60}" if self._on_terminal else line, err=True, nl=not self._on_terminal)

    def __exit__(self, *_error: object) -> None:
        if self._on_terminal and self._last:
            click.echo("", err=True)


def _lines(error: PlannerError) -> list[str]:
    return [str(problem) for problem in error.problems] if isinstance(error, PlanProblems) else [str(error)]


def _say(text: str) -> None:
    with contextlib.suppress(BrokenPipeError):
        click.echo(_printable(text), err=True)


def _printable(text: str) -> str:
    """One line without control characters, which a plan's names might smuggle into the terminal."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def _close_output() -> None:
    """Send what is still buffered nowhere, so that the interpreter does not complain at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
