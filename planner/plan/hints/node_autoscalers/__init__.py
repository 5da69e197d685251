"""Hints on autoscalers of nodes."""
