"""What containers should request, from what they used."""
