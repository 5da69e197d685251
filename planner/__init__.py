"""Headroom's core: plan, simulate and report cluster capacity. Knows no screen and no wall clock."""

__version__ = "0.1.0"
