"""Experiments: questions to many runs of a plan and its variants."""

from typing import Annotated, Literal

from pydantic import Field

from planner.plan.model.experiments.grow import Grow
from planner.plan.model.experiments.rightsize import Rightsize
from planner.plan.model.experiments.search import Search
from planner.plan.model.experiments.seeded import SeededExperiment
from planner.plan.model.experiments.stress import Stress
from planner.plan.model.experiments.vary import Vary
from planner.plan.values.fields import setting


class Replicate(SeededExperiment):
    """The plan under many seeds: how sure are its figures?"""

    type: Literal["replicate"]
    variant: str = setting("", "Variant", "The variant to run; empty: the plan itself.")


class Compare(SeededExperiment):
    """The plan and its variants under the same seeds: what differs?"""

    type: Literal["compare"]
    variants: tuple[str, ...] = setting((), "Variants", "Compared with the plan; empty: all of them.", max_length=1_000)


Experiment = Annotated[Replicate | Compare | Stress | Vary | Search | Grow | Rightsize, Field(discriminator="type")]
"""A question to many runs."""
