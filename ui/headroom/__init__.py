"""How much more the open plan bears: the search in its thread, and the tab that shows what it found."""
