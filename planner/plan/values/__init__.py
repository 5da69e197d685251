"""Values of plan fields: quantities, durations, shares, patterns, thresholds; their text and their numbers."""
