"""The pages of `docs/` in a window of their own."""
