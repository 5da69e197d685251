"""All key figures of a finished run.

Names are snake_case with the subject in brackets; percentiles are interpolated linearly between the sorted values.
"""

from planner.metrics.figures.capacity import capacity, room_for_pods
from planner.metrics.figures.inputs import FigureInputs
from planner.metrics.figures.money import CURRENCY, cost, waste
from planner.metrics.figures.pods import disruption, endings, reaction, waiting
from planner.metrics.figures.scaling import scaling
from planner.metrics.figures.service import service
from planner.record.result import Figure

_PARTS = (service, waiting, reaction, disruption, endings, scaling, capacity, room_for_pods, cost, waste)


def key_figures(inputs: FigureInputs) -> dict[str, Figure]:
    """All key figures by name, in the order of summary.csv."""
    figures: dict[str, Figure] = {}
    for part in _PARTS:
        figures.update(part(inputs))
    return {name: _in_currency(figure, inputs.plan.costs.currency) for name, figure in figures.items()}


def _in_currency(figure: Figure, currency: str) -> Figure:
    return Figure(figure.value, currency) if figure.unit == CURRENCY else figure
