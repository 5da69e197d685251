"""Commands that make experiments, and the options that they share."""
