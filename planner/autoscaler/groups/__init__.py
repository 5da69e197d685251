"""What the autoscaler knows of node groups: templates, requests, health, back-off."""
