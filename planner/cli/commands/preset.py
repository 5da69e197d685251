"""headroom preset"""

import click

from planner.cli.exit_codes import GOOD
from planner.cli.options.shared import new_plan_option, plan_argument
from planner.cli.plan_files import PlanToEdit
from planner.cli.terminal import print_line, say
from planner.language.translation import tr
from planner.plan.edits.differences import differences
from planner.plan.edits.presets import PRESETS

_MOST = 30


def _list_of_presets() -> str:
    return "\b\nNAME is one of\n" + "\n".join(f"  {name:<18}{preset.title}" for name, preset in PRESETS.items())


@click.command(epilog=_list_of_presets())
@plan_argument
@click.argument("name", metavar="NAME", type=click.Choice(list(PRESETS)))
@new_plan_option
def preset(plan_path: str, name: str, new_path: str | None) -> int:
    """Apply the preset NAME to PLAN.

    Changes are listed on standard error. To run a plan under a preset without changing the file, use
    headroom simulate --preset NAME.
    """
    source = PlanToEdit(plan_path)
    after = PRESETS[name].apply(source.plan)
    changes = differences(source.plan, after)
    for change in changes[:_MOST]:
        say(f"  {change}")
    if len(changes) > _MOST:
        say(tr("  and {count} more", count=len(changes) - _MOST))
    if not changes and new_path is None:
        print_line(tr("{path}: the preset changes nothing", path=plan_path))
        return GOOD
    source.save(after, new_path, PRESETS[name].title)
    return GOOD
