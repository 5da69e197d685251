"""Kinds that describe the cluster and its rules."""
