"""The algebra of requirements on labels."""
