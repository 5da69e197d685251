"""Figures of pods: rows of the report, states, waiting times."""
