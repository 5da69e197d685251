"""Tests that guard the design: import direction, sizes, names, determinism."""
