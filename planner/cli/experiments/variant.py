"""headroom variant"""

import click

from planner import api
from planner.cli.exit_codes import GOOD
from planner.cli.options.shared import new_plan_option, plan_argument
from planner.cli.plan_files import PlanToEdit
from planner.cli.terminal import print_line
from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.edits.edit import replace_at
from planner.plan.model.experiments.variants import Variant
from planner.plan.model.plan import Plan
from planner.plan.variants.application import with_variant
from planner.plan.variants.between import changes_between


@click.command(name="variant")
@plan_argument
@click.argument("name", metavar="NAME")
@click.argument("changes", metavar="CHANGE...", nargs=-1)
@click.option("--from", "other_path", metavar="OTHER", help="Take the changes from what differs in this plan.")
@new_plan_option
def variant_command(
    plan_path: str, name: str, changes: tuple[str, ...], other_path: str | None, new_path: str | None
) -> int:
    """Add the variant NAME to PLAN, made of changes such as 'nodeGroups[general].maxSize = 40'.

    A variant of that name is replaced. With --from, the changes are those that lead from PLAN to OTHER, before the ones
    that are typed.
    """
    other = api.load_plan(other_path) if other_path is not None else None
    source = PlanToEdit(plan_path)

    def added(plan: Plan) -> Plan:
        found = (*(changes_between(plan, other) if other is not None else ()), *changes)
        if not found:
            raise PlanProblem(
                f"variant {name}", tr("It changes nothing."), tr("Type a change, or another plan with --from.")
            )
        kept = tuple(one for one in plan.variants if one.name != name)
        after = replace_at(plan, ("variants",), (*kept, {"name": name, "changes": found}))
        with_variant(after, after.variants[-1])
        return after

    after = source.edited(added)
    made: Variant = after.variants[-1]
    for change in made.changes:
        print_line(change)
    source.save(after, new_path, f"variant {name} written")
    return GOOD
