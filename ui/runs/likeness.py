"""Whether figures belong together: those of a run to the plan that is shown, and those of two runs to each other."""

from PySide6.QtCore import QCoreApplication

from planner.api import Plan
from planner.units import US_PER_S
from ui.runs.run_data import RunData, RunState
from ui.wording.names import short_name
from ui.wording.numbers import clock_text

translate = QCoreApplication.translate

_CHANGES_NO_RUN = frozenset(
    {"schema_version", "name", "notes", "measured", "uncertain_inputs", "variants", "experiments"}
)
"""Fields of a plan that say nothing about what a run simulates."""
_FIELDS = tuple(name for name in Plan.model_fields if name not in _CHANGES_NO_RUN)


def is_of_older_plan(run: RunData, plan: Plan) -> bool:
    """Whether a run of this plan would be another one."""
    if run.plan is plan:
        return False
    pairs = ((getattr(run.plan, name), getattr(plan, name)) for name in _FIELDS)
    return any(before is not after and before != after for before, after in pairs)


def is_like(run: RunData, baseline: RunData) -> bool:
    """Whether the two differ by changes of one plan alone."""
    return baseline.state is not RunState.FAILED and not unlike(run, baseline)


def unlike(run: RunData, baseline: RunData) -> tuple[str, ...]:
    """What the two differ by besides changes of the plan, as parts of a sentence about the baseline."""
    found = []
    if baseline.plan_number != run.plan_number:
        name = short_name(baseline.plan.name) or translate("Likeness", "Untitled plan")
        found.append(translate("Likeness", "is of another plan, “{name}”").format(name=name))
    if baseline.until_us != run.until_us:
        text = translate("Likeness", "simulates {its} instead of {this}")
        found.append(text.format(its=_clock(baseline.until_us), this=_clock(run.until_us)))
    if baseline.state is RunState.STOPPED:
        found.append(translate("Likeness", "was stopped at {time}").format(time=_clock(baseline.done_us)))
    return tuple(found)


def _clock(time_us: int) -> str:
    return clock_text(time_us / US_PER_S)
