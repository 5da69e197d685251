"""Numbers of a plan that were fitted to a real cluster, and where they come from."""

from planner.plan.values.fields import PlanModel, required, setting


class MeasuredNumber(PlanModel):
    """What a value of the plan was fitted from."""

    path: str = required("Value", "Path of the value, as messages spell it.", min_length=1, max_length=1_000)
    value: str = required("Measured", "What was fitted, as the file writes it.", max_length=100)
    low: str = required("From", "Lower end of its 95 % interval.", max_length=100)
    high: str = required("To", "Upper end of its 95 % interval.", max_length=100)
    samples: int = required("Samples", "Steps or pods that it was fitted to.", ge=1)
    residual: float = setting(
        0.0, "Residual", "Median distance of the samples from the fit, in relation to their median.", ge=0
    )
    source: str = required("Source", "File or server.", max_length=500)
    window: str = required("Window", "Begin and end of what was measured, in UTC.", max_length=100)
