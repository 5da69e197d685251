"""Which uncertain input of a plan matters most, as far as its runs say."""

from collections.abc import Mapping, Sequence, Sized
from typing import Any

import numpy as np

from planner.experiments.answers.numbers import number
from planner.experiments.statistics.estimates import Floats
from planner.experiments.statistics.influence import FEWEST, influences
from planner.experiments.variants.runnable_plan import RunnablePlan
from planner.language.phrases import phrase


def influence_json(tested: RunnablePlan, seeds: Sequence[int], values: Mapping[str, Floats]) -> dict[str, Any]:
    """{figure: [{"path", "correlation", "share"}]}, the most important input first, from figures by seed."""
    drawn = [tested.drawn(seed) for seed in seeds]
    inputs = {item.path: np.array([row[item.path] for row in drawn]) for item in tested.inputs}
    return {
        name: [{"path": one.path, "correlation": one.correlation, "share": one.share} for one in found]
        for name, of_seeds in values.items()
        if (found := influences(inputs, of_seeds))
    }


def influence_texts(found: Mapping[str, Any]) -> list[str]:
    """For a sentence: on which input the first figure depends most; nothing where no input is known to matter."""
    for name, ranked in found.items():
        correlation = number(ranked[0]["correlation"])
        return [
            phrase(
                "{name} depends most on {path} (rank correlation {correlation})",
                name=name, path=ranked[0]["path"], correlation=correlation,
            )
        ]  # fmt: skip
    return []


def doubts_of_inputs(tested: RunnablePlan | None, seeds: Sized) -> tuple[str, ...]:
    """A note where there are too few seeds to tell which of several inputs matters most."""
    if tested is None or len(tested.inputs) < 2 or len(seeds) >= FEWEST:
        return ()
    return (phrase("Which uncertain input matters most can be told from {count} seeds on.", count=FEWEST),)
