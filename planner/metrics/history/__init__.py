"""Nodes and pods over time."""
