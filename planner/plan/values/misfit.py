"""Values of one model that do not fit each other, reported at the value to change instead of at the whole model."""


class Misfit(ValueError):
    """Raised by validators of plan models; `problems_from` makes a problem with place and cure of it.

    `steps` lead from what was validated to the value to change: field names, indexes. Every other reader
    sees an ordinary ValueError whose text is "problem; remedy".
    """

    def __init__(self, steps: tuple[str | int, ...], problem: str, remedy: str) -> None:
        super().__init__(f"{problem}; {remedy}")
        self.steps = steps
        self.problem = problem
        self.remedy = remedy
