"""Values and decisions in words and numbers, for every view."""
