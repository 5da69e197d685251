"""A formula over the values of triggers, as KEDA accepts and computes it.

Source: KEDA 2.18, apis/keda/v1alpha1/scaledobject_webhook.go (validateScalingModifiersFormula) and
pkg/scaling/modifiers/formula.go.
"""

from collections.abc import Mapping

from planner.language.translation import tr
from planner.plan.values.formula.grammar import FormulaReader
from planner.plan.values.formula.kinds import ANY
from planner.plan.values.formula.nodes import Frame
from planner.plan.values.formula.operators import as_number

_TRIAL = -1.0
"""What every trigger says when a formula is tried."""


class FormulaFailed(Exception):
    """A formula has no number as its result."""


class Formula:
    """A formula that can be computed. Raises ValueError, written "problem; remedy", if it is none.

    As KEDA does, it is tried with -1 for every trigger: one that fails then is refused.
    """

    def __init__(self, text: str, names: frozenset[str]) -> None:
        """`names`: of the triggers with an external metric."""
        self._root = FormulaReader(text, names).root()
        kind = self._root.kind
        if not (kind is ANY or kind.is_number):
            raise ValueError(tr("the formula gives no number; write for example first > 5 ? 1 : 0"))
        try:
            self(dict.fromkeys(sorted(names), _TRIAL))
        except FormulaFailed:
            raise ValueError(
                tr("the formula fails if every trigger says -1, with which KEDA tries it; make it fit such values")
            ) from None

    def __call__(self, values: Mapping[str, float]) -> float:
        """The value, which may be infinite or nan; raises FormulaFailed if the formula has none."""
        try:
            return float(as_number(self._root.value(Frame(values))))
        except (ArithmeticError, TypeError, ValueError, IndexError) as error:
            raise FormulaFailed(str(error)) from error
