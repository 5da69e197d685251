"""One experiment on the command line: its executor, its file of results, its progress and its output."""

import json
from collections.abc import Callable
from pathlib import Path

import click

from planner import __version__
from planner.cli.exit_codes import GOOD
from planner.cli.experiments.options import Way
from planner.cli.experiments.progress import ExperimentProgress
from planner.cli.interruption import Interruption, interruptible
from planner.cli.output_folder import make_folder
from planner.cli.terminal import print_block, say
from planner.disk.atomic import replace_file
from planner.errors import ResultFileError
from planner.experiments.answers.answer import ExperimentAnswer
from planner.experiments.answers.answer_csv import answer_csv
from planner.experiments.answers.answer_json import answer_json
from planner.experiments.answers.tables import answer_markdown, answer_text
from planner.experiments.execution.opening import executor_for
from planner.experiments.results.results_file import ResultsFile, results_path
from planner.experiments.runs import Runs
from planner.language.translation import tr
from planner.units import format_duration

Question = Callable[[Runs], ExperimentAnswer]


def answered(
    plan_path: str, way: Way, question: Question, show: Callable[[ExperimentAnswer], str] | None = None
) -> int:
    """Ask, print and write the answer; the exit code. `show` makes other text than the usual of the answer.

    Ctrl-C ends the experiment early: what is finished is kept in the file of results, and makes the answer.
    """
    if way.out is not None:
        make_folder(way.out)
    with interruptible() as cancelled:
        answer = made_answer(plan_path, way, question, cancelled)
    _print(answer, way, show)
    if way.out is not None:
        _write(answer, way.out)
    return cancelled.exit_code if answer.stopped else GOOD


def made_answer(plan_path: str, way: Way, question: Question, cancelled: Interruption) -> ExperimentAnswer:
    """The answer, from kept runs and from those that are made now and kept."""
    results = _results(plan_path)
    try:
        with ExperimentProgress() as progress:
            executor = executor_for(way.jobs, way.scheduler)
            try:
                runs = Runs(executor, results, progress.show, cancelled, way.until_us)
                answer = question(runs)
            finally:
                executor.close()
        if runs.saved_us:
            say(tr("Runs with a common start shared {time} of simulated time.", time=format_duration(runs.saved_us)))
        if runs.unkept is not None:
            say(f"{runs.unkept}")
        return answer
    finally:
        results.close()


def _results(plan_path: str) -> ResultsFile:
    """The file beside the plan; where that cannot be used, the experiment does without."""
    try:
        return ResultsFile(results_path(plan_path), __version__)
    except ResultFileError as error:
        say(tr("{error} The results of this experiment are not kept.", error=error))
        return ResultsFile(None, __version__)


def _print(answer: ExperimentAnswer, way: Way, show: Callable[[ExperimentAnswer], str] | None) -> None:
    if way.as_json:
        click.echo(json.dumps(answer_json(answer), ensure_ascii=False, allow_nan=False))
    elif show is not None:
        print_block(show(answer))
    else:
        print_block((answer_markdown(answer) if way.markdown else answer_text(answer)).rstrip("\n"))


def _write(answer: ExperimentAnswer, folder: Path) -> None:
    text = json.dumps(answer_json(answer), ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    try:
        replace_file((folder / "answer.json").resolve(), text.encode())
        replace_file((folder / "answer.md").resolve(), answer_markdown(answer).encode())
        replace_file((folder / "answer.csv").resolve(), answer_csv(answer).encode())
    except OSError as error:
        problem = tr("The answer could not be written ({reason}).", reason=error.strerror or error)
        raise ResultFileError(str(folder), problem, tr("Choose another folder, or free some space.")) from error
    say(tr("Wrote answer.json, answer.md and answer.csv into {folder}.", folder=folder))
