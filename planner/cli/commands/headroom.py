"""headroom headroom"""

import json

import click

from planner import api
from planner.api import LoadHeadroom
from planner.cli.exit_codes import GOOD
from planner.cli.interruption import interruptible
from planner.cli.options.shared import json_option, plan_argument, seed_option, until_option
from planner.cli.plan_files import runnable
from planner.cli.progress import Progress
from planner.cli.terminal import print_block
from planner.cli.verdict import stopped
from planner.experiments.kinds.stress.headroom_text import headroom_text
from planner.units import US_PER_S


@click.command()
@plan_argument
@seed_option
@until_option
@json_option
def headroom(plan_path: str, seed: int | None, until_us: int | None, as_json: bool) -> int:
    """Find how much more load and how many more pods PLAN can take.

    Runs the plan at different loads until it knows at which factor an SLO breaks. The number of pods is what would have
    fitted at the worst moment of the unchanged plan.
    """
    plan = runnable(plan_path, until_us)
    with interruptible() as cancelled, Progress() as progress:
        found = api.load_headroom(plan, seed, until_us, progress.show_search, cancelled)
    room = found.tried[0].room if found.tried else {}
    if as_json:
        click.echo(json.dumps({"load": _load(found), "room": room}, ensure_ascii=False, allow_nan=False))
    else:
        print_block(headroom_text(found, room))
    return GOOD if found.stopped is None else stopped(found.stopped, cancelled)


def _load(found: LoadHeadroom) -> dict[str, object]:
    first = found.first_break
    return {
        "factor": found.factor,
        "broken_at": found.broken_at,
        "missed": found.missed,
        "first_missed": first.workload if first is not None else None,
        "first_missed_at_s": first.at_us / US_PER_S if first is not None and first.at_us is not None else None,
        "edges": [{"below": one.below, "above": one.above, "breaks": one.breaks} for one in found.edges],
        "runs": found.runs,
        "tried": {f"{one.factor:.6g}": one.kept for one in found.tried},
    }
