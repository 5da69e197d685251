"""Karpenter at work: rounds, passes, commands and drains over time."""
