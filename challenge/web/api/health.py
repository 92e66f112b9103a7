"""Health and the description: is the process up, does the store take writes, what is this."""

from __future__ import annotations

from importlib.resources import files

from flask import Blueprint, Response

from challenge import __version__
from challenge.web import assets
from challenge.web.api.answers import answer, finished
from challenge.web.current import services

routes = Blueprint("health", __name__)

_DESCRIPTION = files("challenge.web").joinpath("openapi.json").read_bytes()


@routes.get("/healthz")
def healthz() -> Response:
    """The process is up; what a load balancer asks."""
    return answer({"status": "ok"})


@routes.get("/readyz")
def readyz() -> Response:
    """Redis takes a write."""
    services().store.check_write()
    return answer({"status": "ok"})


@routes.get("/api/v1/version")
def get_version() -> Response:
    """The version of the service and of its static files."""
    return answer({"version": __version__, "assets": assets.digest()})


@routes.get("/api/v1/openapi.json")
def get_description() -> Response:
    """This contract."""
    return finished(Response(_DESCRIPTION, content_type="application/json"))
