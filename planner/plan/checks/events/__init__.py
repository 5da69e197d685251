"""Checks of what happens during a run."""
