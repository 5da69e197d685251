"""What follows from a plan by calculation: total requests, zones as groups, reserves, call order."""
