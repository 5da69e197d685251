"""Decisions as text: sentences, short forms and tables, made from the details when someone reads them."""
