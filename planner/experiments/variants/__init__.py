"""The plans of an experiment: the plan itself, its variants, and the numbers drawn for each seed."""
