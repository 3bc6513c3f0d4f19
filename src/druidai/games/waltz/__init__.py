"""Druidenwalzer for people: drawings, positions by hand, hidden facts in words."""
