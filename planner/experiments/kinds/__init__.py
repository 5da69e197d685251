"""The kinds of experiments: one module each."""
