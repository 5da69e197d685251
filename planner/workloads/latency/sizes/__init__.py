"""How unequal requests are."""
