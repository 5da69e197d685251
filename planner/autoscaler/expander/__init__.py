"""Expanders: filters that choose among possible scale-ups."""
