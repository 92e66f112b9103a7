"""Use cases: playing, days, standings, players. They take store, clock and settings."""
