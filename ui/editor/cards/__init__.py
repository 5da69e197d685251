"""What some forms show above their fields."""
