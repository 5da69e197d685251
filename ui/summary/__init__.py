"""All figures of a finished run, its cost by owner and its waste."""
