"""Decisions as marks over time."""
