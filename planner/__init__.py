"""Headroom's core: plan, simulate and report cluster capacity. It depends on no GUI and no wall clock."""

__version__ = "0.1.0"
