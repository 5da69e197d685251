"""The workspace of experiments: questions to many runs of a plan and its variants."""
