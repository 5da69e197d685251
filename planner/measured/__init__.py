"""Measured series of a real cluster: reading, matching to the plan, calibration and back-test."""
