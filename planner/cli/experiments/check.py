"""headroom check"""

from typing import Any

import click

from planner.cli.exit_codes import CHECK_FAILED, GOOD
from planner.cli.experiments.compare import named_plans
from planner.cli.experiments.options import Way, experiment_options
from planner.cli.experiments.session import answered
from planner.cli.plan_files import runnable
from planner.cli.terminal import say
from planner.experiments.answers.answer import ExperimentAnswer
from planner.experiments.answers.conditions import FailCondition, condition
from planner.experiments.answers.tables import answer_markdown
from planner.experiments.kinds.compare import compare_plans
from planner.experiments.runs import Runs
from planner.language.translation import tr
from planner.plan.model.experiments.experiment import Compare
from planner.plan.model.experiments.seeded import MOST_SEEDS

_PARTS = ("cost", "slo_attainment[", "pending_pod_time", "latency_p95_worst[", "nodes_peak")


class ConditionText(click.ParamType[Any]):
    """A condition such as cost>+5%."""

    name = "condition"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, FailCondition):
            return value
        try:
            return condition(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


@click.command(name="check")
@click.argument("old_path", metavar="OLD")
@click.argument("new_path", metavar="NEW")
@click.option(
    "--fail-if",
    "conditions",
    multiple=True,
    type=ConditionText(),
    metavar="CONDITION",
    help="Exit with 3 if this holds, such as 'cost>+5%', 'slo_attainment[shop]<0.99'; repeat for several.",
)
@click.option(
    "--seeds", type=click.IntRange(1, MOST_SEEDS), default=10, show_default=True, metavar="N", help="Runs of each plan."
)
@experiment_options
def check_command(old_path: str, new_path: str, conditions: tuple[FailCondition, ...], seeds: int, way: Way) -> int:
    """Compare plan OLD with plan NEW for a pull request.

    Prints Markdown: cost, SLOs, pending pods, latency, and the first decision at which the runs part. With a sign, a
    condition is about the change from OLD to NEW, else about NEW alone.
    """
    plans = [runnable(path, way.until_us) for path in (old_path, new_path)]
    named = tuple(named_plans((old_path, new_path), plans))
    question = Compare(type="compare", name="check", seeds=seeds)
    failed: list[str] = []

    def checked(runs: Runs) -> ExperimentAnswer:
        answer = compare_plans(named, question, plans[0].simulation.seed, runs)
        if answer.seeds:
            failed.extend(one.text for one in conditions if one.holds(answer))
        return answer

    code = answered(old_path, way, checked, lambda answer: _comment(answer, conditions))
    if code == GOOD and failed:
        say(tr("The check fails: {failed}", failed=", ".join(failed)))
        return CHECK_FAILED
    return code


def _comment(answer: ExperimentAnswer, conditions: tuple[FailCondition, ...]) -> str:
    """What the pull request shows."""
    of_workloads = tuple(part for part in _PARTS if part.endswith("["))
    shown = [name for name in answer.figures if name in _PARTS or name.startswith(of_workloads)]
    outcomes = [f"- {one.outcome(answer)}" for one in conditions] if answer.seeds else []
    parts = [answer_markdown(answer, shown).rstrip()]
    parts += ["**Conditions**\n" + "\n".join(outcomes)] if outcomes else []
    return "\n\n".join(parts)
