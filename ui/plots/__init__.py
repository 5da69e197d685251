"""Linked plots of a run over simulated time."""
