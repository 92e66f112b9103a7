"""The web floor: one Flask application over the services, for pages and API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask

from challenge.service.services import Services
from challenge.web import (
    api,
    assets,
    budget,
    canonical,
    compression,
    i18n,
    identity,
    limits,
    once,
    pages,
    problems,
    promise,
    security,
    signing,
    watch,
)
from challenge.web.current import EXTENSION
from challenge.web.proxies import Proxies


class _App(Flask):
    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Nothing here is a coroutine: to ask a dozen times a request would cost 5 % of a move."""
        return func


def create_app(services: Services) -> Flask:
    """The application of these services; nothing is sent to Redis yet."""
    app = _App(__name__, static_folder=None)
    # One byte more than allowed: a body without a length is cut here, and so betrays itself.
    app.config["MAX_CONTENT_LENGTH"] = security.MAX_BODY + 1
    app.config["MAX_FORM_PARTS"] = 40
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.url_map.strict_slashes = False
    app.extensions[EXTENSION] = services
    watch.init_app(app)  # first, so that it sees all of the others
    hops, base_url = services.settings.trusted_proxies, services.settings.base_url
    app.wsgi_app = Proxies(app.wsgi_app, hops, base_url)  # type: ignore[method-assign,assignment]
    for part in (
        compression,
        i18n,
        assets,
        promise,
        security,
        canonical,
        budget,
        limits,
        identity,
        once,
        signing,
        problems,
        api,
    ):
        part.init_app(app)
    app.register_blueprint(pages.pages)
    return app
