"""headroom headroom"""

import json

import click

from planner import api
from planner.cli.exit_codes import GOOD
from planner.cli.interruption import interruptible
from planner.cli.parameters import json_option, plan_argument, seed_option, until_option
from planner.cli.plan_files import runnable
from planner.cli.progress import Progress
from planner.cli.terminal import tell
from planner.cli.verdict import stopped, verdict
from planner.sweeps.headroom_text import headroom_text


@click.command()
@plan_argument
@seed_option
@until_option
@json_option
def headroom(plan_path: str, seed: int | None, until_us: int | None, as_json: bool) -> int:
    """Find how much more load and how many more pods PLAN bears.

    Runs the plan at one load after the other until it knows at which factor an SLO breaks. The pods are those that
    would have fitted at the worst moment of the plan as it is.
    """
    plan = runnable(plan_path, until_us)
    with interruptible() as cancelled:
        with Progress() as progress:
            result = api.run_plan(plan, seed=seed, until_us=until_us, on_progress=progress.show, cancelled=cancelled)
        if result.stopped is not None:
            return verdict(result)
        with Progress() as progress:
            found = api.load_headroom(plan, seed, until_us, progress.show_search, cancelled)
    room = {name: figure.value for name, figure in result.figures.items() if name.startswith("room_")}
    if as_json:
        load = {"factor": found.factor, "broken_at": found.broken_at, "missed": found.missed, "runs": found.runs}
        click.echo(json.dumps({"load": load, "room": room}, ensure_ascii=False, allow_nan=False))
    else:
        tell(headroom_text(found, room))
    return GOOD if found.stopped is None else stopped(found.stopped)
