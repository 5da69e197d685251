"""Reading manifest files with care: limits, places, and one error per mistake."""
