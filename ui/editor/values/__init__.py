"""Single values: their text, inputs, defaults and edits."""
