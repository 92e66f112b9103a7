"""Groups of friends: their boards and tables, their members, two of them head to head."""
