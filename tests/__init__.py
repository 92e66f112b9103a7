"""Tests of Samedice, a folder a room."""
