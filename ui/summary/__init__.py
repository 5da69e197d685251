"""All figures of a finished run, its costs by whom and what was paid for in vain."""
