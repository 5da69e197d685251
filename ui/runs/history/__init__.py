"""Runs of this session and of earlier ones: kept with their plan and seed, which is all that a run depends on."""
