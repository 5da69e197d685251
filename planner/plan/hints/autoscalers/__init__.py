"""Hints on autoscalers of pods and on what measures for them."""
