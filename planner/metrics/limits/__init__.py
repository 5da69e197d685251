"""What limits services."""
