"""Powers of two as Go computes them, to the last bit.

Go 1.26, math/exp.go (exp2, expmulti). numpy's differ in the last bit for one argument in twelve, and weights that are
summed for months bring such a bit to the border of a bucket's share.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""The natural logarithm of 2, and what is missing of it."""
_REMEZ = (
    1.66666666666666657415e-01,
    -2.77777777770155933842e-03,
    6.61375632143793436117e-05,
    -1.65339022054652515390e-06,
    4.13813679705723846039e-08,
)


def power_of_two(exponents: Floats) -> Floats:
    """2 to the power of each; exponents lie between -1000 and 1000."""
    whole = np.trunc(exponents + np.copysign(0.5, exponents))
    rest = exponents - whole
    high, low = rest * _LN2_HIGH, -rest * _LN2_LOW
    reduced = high - low
    square = reduced * reduced
    series: Floats | float = _REMEZ[4]
    for factor in _REMEZ[3::-1]:
        series = factor + square * series
    folded = reduced - square * series
    mantissa = 1.0 - ((low - (reduced * folded) / (2.0 - folded)) - high)
    return np.asarray(np.ldexp(mantissa, whole.astype(np.int32)), np.float64)
