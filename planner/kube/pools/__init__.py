"""Nodes and the pools they form."""
