"""Queueing rules: calm, overload, throttling and mixtures of pods."""
