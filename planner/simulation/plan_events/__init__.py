"""Events and faults of the plan during a run: when they happen, and the effect of each kind (one table per file)."""
