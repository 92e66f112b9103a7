"""``python -m challenge``."""

from challenge.cli import main

main()
