"""Rounds that place pods on nodes and on machines to be launched."""
