"""A plan of an experiment: its name in the answer, what each seed draws for it, and the digest of its results."""

import hashlib
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from planner.errors import PlanProblem, PlanProblems
from planner.experiments.variants.uncertainty import UncertainInput, uncertain_inputs
from planner.language.phrases import phrase
from planner.language.translation import tr
from planner.plan.checks.validate import check_plan
from planner.plan.files.io import plan_to_text
from planner.plan.files.nearest import nearest
from planner.plan.model.plan import Plan
from planner.plan.variants.application import with_changes, with_variant, without_experiments

AS_PLANNED = phrase("as planned")
"""Name of the plan itself among its variants."""


@dataclass(frozen=True)
class PlanParcel:
    """A plan on its way to the process that runs it."""

    digest: str
    content: bytes = field(compare=False, repr=False)

    def plan(self) -> Plan:
        """The plan."""
        found = pickle.loads(self.content)
        assert isinstance(found, Plan)
        return found


@dataclass(frozen=True)
class RunnablePlan:
    """A plan with a name; its uncertain inputs are drawn for each seed."""

    name: str
    plan: Plan
    """Without variants and experiments."""
    inputs: tuple[UncertainInput, ...] = ()

    @cached_property
    def digest(self) -> str:
        """64 hex digits over all that runs of the plan depend on, apart from their seeds."""
        state = hashlib.sha256(plan_digest(self.plan).encode())
        for item in self.inputs:
            state.update(f"{item.path}~{item.kind}{item.numbers}".encode())
        return state.hexdigest() if self.inputs else plan_digest(self.plan)

    @cached_property
    def kin(self) -> str:
        """The same for plans that differ only in their events."""
        return replace(self, plan=self.plan.model_copy(update={"events": ()})).digest

    @cached_property
    def parcel(self) -> PlanParcel:
        """The plan as it is, for runs without uncertain inputs."""
        return PlanParcel(plan_digest(self.plan), pickle.dumps(self.plan))

    def drawn(self, seed: int) -> dict[str, float]:
        """What the seed draws, by path."""
        return {item.path: item.drawn(seed) for item in self.inputs}

    def parcel_of(self, seed: int) -> PlanParcel:
        """The plan that runs with this seed. Raises PlanProblems if a drawn number does not fit the plan."""
        if not self.inputs:
            return self.parcel
        plan = with_changes(self.plan, [item.change(item.drawn(seed)) for item in self.inputs])
        return PlanParcel(plan_digest(plan), pickle.dumps(plan))


@dataclass(frozen=True)
class RunnablePlans:
    """The plans that can be run, and what is wrong with the others."""

    ready: tuple[RunnablePlan, ...]
    refused: tuple[PlanProblem, ...] = ()


def plan_digest(plan: Plan) -> str:
    """64 hex digits over what a run depends on: not name, notes and seed, nor variants and experiments."""
    plain = without_experiments(plan)
    simulation = plain.simulation.model_copy(update={"seed": 0})
    plain = plain.model_copy(update={"name": "", "notes": "", "simulation": simulation})
    return hashlib.sha256(plan_to_text(plain).encode()).hexdigest()


def runnable_plan(plan: Plan, name: str = AS_PLANNED) -> RunnablePlan:
    """The plan itself. Raises PlanProblems if it cannot be run."""
    problems = tuple(check_plan(plan))
    if problems:
        raise PlanProblems(problems)
    try:
        return RunnablePlan(name, without_experiments(plan), uncertain_inputs(plan))
    except PlanProblem as problem:
        raise PlanProblems((_at("uncertainInputs", problem),)) from problem


def runnable_variants(plan: Plan, names: Sequence[str] = ()) -> RunnablePlans:
    """Variants by name, all without names; those that the plan refuses are listed, the others run.

    Raises PlanProblem for a name that the plan does not have.
    """
    by_name = {variant.name: variant for variant in plan.variants}
    ready, refused = list[RunnablePlan](), list[PlanProblem]()
    for name in names or by_name:
        if name not in by_name:
            raise unknown_variant(name, by_name)
        try:
            varied = with_variant(plan, by_name[name])
            found = runnable_plan(varied.model_copy(update={"uncertain_inputs": plan.uncertain_inputs}), name)
            ready.append(found)
        except PlanProblems as error:
            refused.extend(_at(tr("variant {name}", name=name), problem) for problem in error.problems)
    return RunnablePlans(tuple(ready), tuple(refused))


def unknown_variant(name: str, known: Iterable[str]) -> PlanProblem:
    """A variant that is not there, with the nearest one that is."""
    names = list(known)
    guess = nearest(name, names)
    listed = (
        tr("Choose one of {names}.", names=", ".join(names[:20])) if names else tr("Add it to the plan's variants.")
    )
    return PlanProblem(
        "variants",
        tr("There is no variant {name!r}.", name=name),
        tr("Did you mean {guess}?", guess=guess) if guess else listed,
    )


def _at(where: str, problem: PlanProblem) -> PlanProblem:
    if problem.where.startswith(where):
        return problem
    return PlanProblem(f"{where}: {problem.where}", problem.problem, problem.remedy)
