"""What the operator sees of the web: figures, a line a request, and who may read them."""

from __future__ import annotations

from flask import Flask

from challenge.web.watch import door, requests
from challenge.web.watch.figures import Meters
from challenge.web.watch.requests import note as note
from challenge.web.watch.requests import request_id as request_id


def init_app(app: Flask) -> None:
    """Watch every request; before anything else is registered, so that all of it is seen."""
    meters = Meters()
    requests.init_app(app, meters)
    door.init_app(app, meters)
