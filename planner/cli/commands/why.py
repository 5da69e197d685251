"""headroom why"""

import difflib

import click

from planner import api
from planner.cli.exit_codes import BAD_INPUT
from planner.cli.interruption import interruptible
from planner.cli.options.shared import at_option, plan_argument, preset_option, seed_option
from planner.cli.plan_files import runnable
from planner.cli.terminal import print_line, say
from planner.cli.verdict import verdict
from planner.language.translation import tr
from planner.record.text.questions import RunFacts, why_no_scale_up, why_node_stays
from planner.units import US_PER_S, format_duration


@click.command()
@plan_argument
@click.argument("name", metavar="NAME")
@at_option
@seed_option
@preset_option
def why(plan_path: str, name: str, at_us: int | None, seed: int | None, presets: tuple[str, ...]) -> int:
    """Run PLAN and say why a node is still there, or why no node was added for a pod.

    NAME is the name of a node or of a pod, as in nodes.csv and pods.csv."""
    plan = runnable(plan_path, presets=presets)
    end_us = plan.simulation.duration if at_us is None else min(at_us, plan.simulation.duration)
    with interruptible() as cancelled:
        result = api.run_plan(plan, seed=seed, until_us=end_us, cancelled=cancelled)
    if result.stopped is not None:
        return verdict(result, cancelled)
    answers = _answers(plan, result, name, end_us)
    if answers is None:
        names = [str(row["node"]) for row in result.nodes] + [str(row["pod"]) for row in result.pods]
        near = difflib.get_close_matches(name, names, n=1)
        meant = tr("; did you mean {near}?", near=near[0]) if near else ""
        say(
            tr(
                "No node or pod is called {name} up to {end}{meant}",
                name=name,
                end=format_duration(end_us),
                meant=meant,
            )
        )
        return BAD_INPUT
    for answer in answers:
        print_line(answer)
    return verdict(result, cancelled)


def _answers(plan: api.Plan, result: api.RunResult, name: str, at_us: int) -> list[str] | None:
    """None where there is no such node or pod."""
    facts = RunFacts(plan.cluster_autoscaler, result.decisions, result.statuses)
    if any(row["node"] == name for row in result.nodes):
        return why_node_stays(facts, name, at_us)
    pod = next((row for row in result.pods if row["pod"] == name), None)
    if pod is None:
        return None
    return why_no_scale_up(facts, name, round((pod["created_s"] or 0) * US_PER_S), at_us)
