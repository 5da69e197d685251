"""Tests of the runs of the window."""
