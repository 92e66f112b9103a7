"""Tests of the game floor."""
