"""Campaigns and their stages: begun, reminded of, closed, resolved and archived."""
