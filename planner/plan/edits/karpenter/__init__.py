"""Edits of Karpenter's part of a plan: machine types from a catalogue, pools from node groups and back."""
