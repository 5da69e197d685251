"""Plays measured load in a plan and lays what happens beside what was measured."""
