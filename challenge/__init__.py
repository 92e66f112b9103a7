"""Samedice: once a day, the same dice for everyone."""

__version__ = "0.1.0"
