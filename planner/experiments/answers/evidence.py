"""What an answer rests on besides its figures: how its plans differ, its worst seeds, where their runs part, and what a
search has found besides the best plan."""

from collections.abc import Iterator
from functools import partial

from planner.experiments.answers.answer import ExperimentAnswer
from planner.experiments.answers.numbers import in_shown_unit, number, percent
from planner.experiments.answers.parted import parted_decision
from planner.language.phrases import said
from planner.language.translation import tr

_MOST_CHANGES = 20
_MOST_KINDS = 4
_MOST_REGRETS = 5


def evidence(answer: ExperimentAnswer, mark: str = "") -> list[str]:
    """Paragraphs, each of one or more lines. `mark` stands on both sides of what the plan file says."""
    return [*_changes(answer, mark), *_worst_seeds(answer), *_parting(answer), *_of_search(answer)]


def _changes(answer: ExperimentAnswer, mark: str) -> Iterator[str]:
    """How compared plans differ; other kinds name their plans by what differs."""
    if answer.kind != "compare":
        return
    first, *others = answer.variants
    for plan in others:
        if not plan.changes:
            yield tr("{plan} is the same plan as {first}.", plan=said(plan.name), first=said(first.name))
            continue
        lines = [tr("{plan} differs from {first}:", plan=said(plan.name), first=said(first.name))]
        lines += [f"- {mark}{change}{mark}" for change in plan.changes[:_MOST_CHANGES]]
        more = len(plan.changes) - _MOST_CHANGES
        yield "\n".join([*lines, *([f"- {tr('and {more} more', more=more)}"] if more > 0 else [])])


def _worst_seeds(answer: ExperimentAnswer) -> Iterator[str]:
    """The run of each plan that attains least of an SLO, where some run breaks it."""
    for workload, slo in answer.slos.items():
        for plan, seed in slo.worst_seed.items():
            if slo.broken[plan].mean > 0.0:
                yield tr(
                    "The worst seed of {plan} for the SLO of {workload}: headroom simulate PLAN --seed {seed}",
                    plan=said(plan), workload=workload, seed=seed,
                )  # fmt: skip


def _parting(answer: ExperimentAnswer) -> Iterator[str]:
    """The first decision at which the runs of the first two plans part, and which decisions differ most in number."""
    parting = answer.first_parting
    if parting is None:
        return
    lines = [
        tr("With seed {seed}, the runs part after {time} s:", seed=parting["seed"], time=said(number(parting["atS"])))
    ]
    for side, plan in zip("ab", answer.variants, strict=False):
        if parting[side] is None:
            lines.append(f"- {said(plan.name)}: {tr('no more decisions')}")
        else:
            one = parted_decision(parting[side])
            lines.append(f"- {said(plan.name)}: {one.actor}, {one.subject}: {one.what} ({one.why})")
    yield "\n".join(lines)
    kinds = parting["decisions"][:_MOST_KINDS]
    if kinds:
        heading = tr("Decisions whose number differs most:")
        yield "\n".join(
            [heading, *(f"- {tr(one['actor'])}, {tr(one['verdict'])}: {one['a']} → {one['b']}" for one in kinds)]
        )


def _of_search(answer: ExperimentAnswer) -> Iterator[str]:
    """The front of the objective against the constraints, regret, and the least that any plan could cost."""
    if answer.kind != "search":
        return
    front, regrets, bound = (answer.more.get(key) for key in ("pareto", "regret", "clairvoyant"))
    figure = answer.figures.get(answer.more["minimise"])
    write = partial(in_shown_unit, unit=figure.unit if figure is not None else "")
    if front:
        lines = [tr("Plans that no other beats in both {figure} and constraints kept:", figure=answer.more["minimise"])]
        lines += [f"- {one['name']}: {said(write(one['objective']))}, {percent(one['kept'])}" for one in front]
        yield "\n".join(lines)
    if regrets:
        lines = [tr("Regret, which is how much dearer than the best good plan of each seed:")]
        for one in regrets[:_MOST_REGRETS]:
            mean, worst, missed = write(one["mean"]), write(one["worst"]), percent(one["missed"])
            text = tr("{mean} on average, {worst} at worst; constraints missed in {missed}",
                mean=mean, worst=worst, missed=missed)  # fmt: skip
            lines.append(f"- {one['name']}: {text}")
        yield "\n".join(lines)
    if bound:
        yield tr(
            "Had the load been known, the CPU used would have cost {mean}: no plan on these machines can cost less.",
            mean=write(bound["mean"]),
        )
