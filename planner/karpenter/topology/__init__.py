"""Spread and affinity of pods over domains, with domains that do not exist yet."""
