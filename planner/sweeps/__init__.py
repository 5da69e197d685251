"""Many runs of one plan, for questions that a single run cannot answer."""
