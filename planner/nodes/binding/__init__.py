"""Pods that reach a node without the scheduler."""
