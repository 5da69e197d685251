"""headroom report"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from planner import api
from planner.cli.experiments.options import Way, jobs_option
from planner.cli.experiments.session import made_answer
from planner.cli.experiments.size import refuse_too_many, yes_option
from planner.cli.interruption import interruptible
from planner.cli.options.shared import plan_argument, preset_option, seed_option, until_option
from planner.cli.plan_files import runnable
from planner.cli.progress import Progress
from planner.cli.terminal import say
from planner.cli.verdict import verdict
from planner.errors import ResultFileError
from planner.experiments.answers.answer_section import answer_section
from planner.experiments.kinds.registry import experiment_named, run_count, run_experiment
from planner.language.translation import tr
from planner.reports.content.against import against_section
from planner.reports.content.assembly import report_of
from planner.reports.content.report import ReportSection
from planner.reports.formats.registry import FORMATS, Writer, format_of
from planner.reports.formats.writing import check_place, write_report


@click.command()
@plan_argument
@click.option("--format", "format_name", type=click.Choice(list(FORMATS)), help="Default: by the ending of FILE.")
@click.option("-o", "--output", "out", type=click.Path(path_type=Path), metavar="FILE", required=True,
              help="File to write; a file of that name is replaced.")  # fmt: skip
@click.option("--against", "other_path", metavar="OTHER", help="Compare with this plan, run with the same seed.")
@click.option("--experiment", "names", multiple=True, metavar="NAME",
              help="Add the answer of this experiment of the plan; repeat for several.")  # fmt: skip
@yes_option
@jobs_option
@seed_option
@until_option
@preset_option
@click.pass_context
def report(
    context: click.Context,
    plan_path: str,
    format_name: str | None,
    out: Path,
    other_path: str | None,
    names: tuple[str, ...],
    yes: bool,
    jobs: int | None,
    seed: int | None,
    until_us: int | None,
    presets: tuple[str, ...],
) -> int:
    """Run PLAN and write a report for people: HTML, PDF, XLSX or Markdown.

    The same plan, seed and version give the same bytes. Runs of experiments that are kept beside the plan
    (NAME.headroom-results) are not made again.
    """
    writer = _writer(format_name or format_of(out), out, context.obj)
    check_place(out)
    plan = runnable(plan_path, until_us, presets)
    other = None if other_path is None else runnable(other_path, until_us, presets)
    asked = [experiment_named(plan, name) for name in dict.fromkeys(names)]
    way = Way(jobs, None, until_us)
    for one in asked:
        refuse_too_many(plan, run_count(plan, one), way, yes=yes, where=f"experiment {one.name}")
    with interruptible() as cancelled:
        sections = list[ReportSection]()
        with Progress() as progress:

            def run(one: api.Plan, with_seed: int | None) -> api.RunResult:
                return api.run_plan(
                    one, seed=with_seed, until_us=until_us, on_progress=progress.show, cancelled=cancelled
                )

            result = run(plan, seed)
            if other is not None and result.stopped is None:
                sections.append(against_section(plan, result, other, run(other, result.seed)))
        for one in asked if result.stopped is None else ():
            answer = made_answer(plan_path, way, partial(run_experiment, plan, one), cancelled)
            sections.append(answer_section(one.name, answer))
        write_report(out, writer(report_of(plan, result, sections)))
        say(tr("Wrote {out}.", out=out))
        return verdict(result, cancelled)


def _writer(name: str, out: Path, pdf: Callable[[], Writer] | None) -> Writer:
    """Raises ResultFileError where nothing here can write that format."""
    known = FORMATS[name].writer
    if known is not None:
        return known
    if pdf is None:
        raise ResultFileError(
            str(out), tr("PDF needs the program's window libraries."), tr("Write .html and print that.")
        )
    return pdf()
