"""CPU that running pods use and receive."""
