"""A plan becomes a world of arrays and templates."""
