"""Events and faults of the plan while a run goes: when they come, and what each kind does (one table a file)."""
