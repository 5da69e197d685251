"""Hints on autoscalers besides the horizontal one and that of nodes."""
