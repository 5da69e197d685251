"""Plots as files."""
