"""Small pieces of the window that know nothing of plans and runs."""
