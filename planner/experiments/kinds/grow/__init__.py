"""Grow: the plan month by month under a growing load."""
