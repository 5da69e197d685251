"""Stress: the plan under faults and loads beyond the planned ones, and how much load it bears."""
