"""The user guide: its pages, and the site that is made of them."""
