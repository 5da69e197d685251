"""Tests of the way into the program."""
