"""What some forms show beside their fields."""
