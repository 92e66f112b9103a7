"""Tests of the daily floor."""
