"""headroom rightsize"""

from pathlib import Path

import click

from planner import api
from planner.cli.experiments.options import (
    Way,
    confidence_option,
    experiment_options,
    figures_option,
    seeded,
    seeds_option_of,
    width_option,
)
from planner.cli.experiments.session import answered
from planner.cli.options.shared import plan_argument
from planner.cli.plan_files import runnable
from planner.cli.terminal import print_line, say
from planner.experiments.answers.answer import ExperimentAnswer
from planner.experiments.kinds.rightsize.rightsize import rightsize
from planner.experiments.runs import Runs
from planner.kube.changes.changes_text import changes_text
from planner.kube.changes.patch_files import write_changes
from planner.language.translation import tr, tr_count
from planner.measured.measured_use import measured_use
from planner.measured.reading import read_measured
from planner.plan.model.experiments.rightsize import Rightsize, UseSource
from planner.plan.variants.application import with_changes

_USUAL_SEEDS = Rightsize.model_fields["seeds"].default


@click.command(name="rightsize")
@plan_argument
@click.option("--workload", default="", metavar="W", help="The workload to size; default: all of them.")
@click.option(
    "--measured",
    "measured_paths",
    type=click.Path(exists=True),
    multiple=True,
    metavar="FILE",
    help="Size by measured series instead of a run: files or folders, as calibrate takes them; repeat for more.",
)
@seeds_option_of(_USUAL_SEEDS)
@width_option
@figures_option
@confidence_option
@experiment_options
def rightsize_command(
    plan_path: str,
    workload: str,
    measured_paths: tuple[str, ...],
    seeds: int | None,
    half_width: float | None,
    figures: tuple[str, ...],
    confidence: float,
    way: Way,
) -> int:
    """Find what the pods of PLAN should request, and what that does to its nodes, latency and cost.

    The use of a run, or the measured one, gives the sizes: those that the Vertical Pod Autoscaler recommends, the
    highest use, and the 95th percentile and 15 %. Each is simulated, with the targets of autoscalers as they are and
    moved with the requests.
    --out also writes the best as patches and a kustomization.
    """
    plan = runnable(plan_path, way.until_us)
    settings = seeded(seeds, half_width, figures, confidence, _USUAL_SEEDS)
    use = UseSource.MEASURED if measured_paths else UseSource.SIMULATED
    parts = {"type": "rightsize", "name": "rightsize", "workload": workload, "use": use}
    question = Rightsize.model_validate(parts | settings)
    known = measured_use(plan, read_measured(measured_paths, plan)) if measured_paths else None
    found: list[ExperimentAnswer] = []

    def ask(runs: Runs) -> ExperimentAnswer:
        found.append(rightsize(plan, question, runs, known))
        return found[0]

    code = answered(plan_path, way, ask)
    if way.out is not None and found:
        _export(plan, found[0], way.out)
    return code


def _export(plan: api.Plan, answer: ExperimentAnswer, folder: Path) -> None:
    """The best sizes as patches."""
    best = next((one for one in answer.variants if one.name == answer.more.get("best")), None)
    if best is None or not best.changes:
        say(tr("There is nothing to apply: the requests stay as they are."))
        return
    changes = changes_text(plan, with_changes(plan, best.changes))
    count = len(write_changes(changes.objects, folder))
    print_line(
        tr_count(
            "Wrote {name} as {count} file of patches into {folder}.",
            "Wrote {name} as {count} files of patches into {folder}.",
            count,
            name=best.name,
            count=count,
            folder=folder,
        )
    )
