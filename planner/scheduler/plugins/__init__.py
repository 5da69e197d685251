"""The filter and score plugins of the default profile, one module each."""
