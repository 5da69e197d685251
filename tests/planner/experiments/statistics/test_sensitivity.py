"""Screening and Sobol indices against functions whose indices are known."""

import numpy as np
import pytest

from planner.experiments.statistics.morris import elementary_effects, trajectories
from planner.experiments.statistics.sobol import sobol_design, sobol_indices


def test_elementary_effects_of_a_line_are_its_slopes():
    points = trajectories(3, 6, seed=1)
    effects = elementary_effects(points, points @ np.array([2.0, -5.0, 0.0]) + 1.0)
    assert [one.importance for one in effects] == pytest.approx([2.0, 5.0, 0.0], abs=1e-12)
    assert [one.mean for one in effects] == pytest.approx([2.0, -5.0, 0.0], abs=1e-12)
    assert [one.spread for one in effects] == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)


def test_inputs_that_act_together_have_a_spread():
    points = trajectories(2, 10, seed=1)
    effects = elementary_effects(points, points[:, :, 0] * points[:, :, 1])
    assert all(one.spread > 0.1 for one in effects)


def test_trajectories_move_one_input_at_a_time_within_the_cube():
    points = trajectories(4, 5, seed=3)
    moved = np.diff(points, axis=1) != 0.0
    assert (moved.sum(axis=2) == 1).all() and (moved.sum(axis=1) == 1).all()
    assert points.min() >= 0.0 and points.max() <= 1.0
    assert (points == trajectories(4, 5, seed=3)).all() and (points != trajectories(4, 5, seed=4)).any()


def test_sobol_indices_are_those_of_the_ishigami_function():
    """Ishigami and Homma 1990, with a = 7 and b = 0.1: first 0.3139, 0.4424, 0; total 0.5576, 0.4424, 0.2437."""
    design = sobol_design(3, 2048, seed=1)
    x = np.pi * (2.0 * design.points - 1.0)
    values = np.sin(x[:, 0]) + 7.0 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])
    found = sobol_indices(design, values)
    assert [one.first for one in found] == pytest.approx([0.3139, 0.4424, 0.0], abs=0.03)
    assert [one.total for one in found] == pytest.approx([0.5576, 0.4424, 0.2437], abs=0.03)


def test_a_single_input_explains_all_of_the_variance():
    design = sobol_design(1, 8, 0)
    (only,) = sobol_indices(design, design.points[:, 0] ** 2)
    assert (only.first, only.total) == (1.0, 1.0)


def test_a_figure_that_does_not_vary_has_no_indices():
    design = sobol_design(2, 8, seed=1)
    assert sobol_indices(design, np.ones(len(design.points))) == ()
