"""Disruption budgets and the eviction API."""
