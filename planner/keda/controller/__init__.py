"""KEDA in a run: what it reads of series and calendars, and what it does to workloads."""
