"""Cases of the scheduler."""
