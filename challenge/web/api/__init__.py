"""The API, version 1, one module a group of API.md."""

from __future__ import annotations

from flask import Flask

from challenge.web.api import (
    best_play,
    boards,
    challenges,
    devices,
    groups,
    health,
    players,
    playing,
    records,
    rulesets,
)

PREFIX = "/api/v1"


def init_app(app: Flask) -> None:
    """Register every route of the contract."""
    app.url_map.converters["group"] = groups.GroupConverter
    for module in (
        rulesets, challenges, players, records, devices, playing, boards, best_play, groups,
    ):  # fmt: skip
        app.register_blueprint(module.routes, url_prefix=PREFIX)
    app.register_blueprint(health.routes)
