"""Powers of two to the last bit."""

import numpy as np
import pytest

from planner.vpa.recommender.exponential import power_of_two


@pytest.mark.parametrize(
    ("exponent", "power"),
    [
        pytest.param(0.0, 1.0, id="none"),
        pytest.param(7.0, 128.0, id="whole ones are exact"),
        pytest.param(-3.0, 0.125, id="negative ones too"),
        pytest.param(0.43242213368055554, 1.3494973405382074, id="a last bit below numpy"),
        pytest.param(0.09174321284722223, 1.065657041513923, id="a last bit above numpy"),
        pytest.param(-16.856497395833333, 8.427304027510293e-06, id="a sample of long ago"),
        pytest.param(-0.5, 0.7071067811865475, id="half way between two whole ones"),
    ],
)
def test_powers_are_those_of_go(exponent, power):
    assert power_of_two(np.array([exponent]))[0] == power
