"""One scheduling cycle: search, scores, choice."""
