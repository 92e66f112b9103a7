"""Each request waits for the store no longer than ``challenge.store.patience`` allows."""

from __future__ import annotations

from flask import Flask

from challenge.store import patience


def init_app(app: Flask) -> None:
    """Begin the budget of every request; after its body was read, which the sender delays."""
    app.before_request(patience.begin)
    app.teardown_request(lambda _error: patience.end())
