"""Version 1 to 2: `simulation.referenceStandIns` is gone. It only served comparisons with recorded runs."""

from typing import Any


def from_1(data: dict[str, Any]) -> dict[str, Any]:
    """The same plan without the field; what users see of a run does not depend on it."""
    simulation = data.get("simulation")
    if not isinstance(simulation, dict):
        return data
    return data | {"simulation": {key: value for key, value in simulation.items() if key != "referenceStandIns"}}
