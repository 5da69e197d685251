"""What the autoscaler knows about node groups: templates, requests, health, back-off."""
