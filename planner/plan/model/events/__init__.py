"""When events of a plan happen, and changes of its own numbers."""
