"""What a plan keeps of measurements."""
