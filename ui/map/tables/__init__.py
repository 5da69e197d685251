"""Nodes and pods as lists."""
