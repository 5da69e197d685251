"""Rounds that are counted instead of played."""
