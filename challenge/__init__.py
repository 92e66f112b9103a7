"""Samedice: once a day, the same dice for everyone."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("samedice")
except PackageNotFoundError:  # a source tree that nobody installed
    __version__ = "0+unknown"
