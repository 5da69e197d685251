"""Figures made from a run: latency, cost, waste."""
