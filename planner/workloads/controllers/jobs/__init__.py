"""Jobs, and the calendars that make them."""
