"""Many runs of one plan, to find something out that a single run does not tell."""
