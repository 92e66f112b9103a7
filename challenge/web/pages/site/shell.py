"""What makes the site installable: manifest, service worker, and the page for no network.

The service worker keeps nothing but static files and that page; a game is never kept.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from flask import Response, render_template, url_for

from challenge.web import assets, i18n
from challenge.web.i18n import gettext
from challenge.web.pages.blueprint import pages
from challenge.web.pages.place import Place

_IMPORT = re.compile(r'(?:from |import\()"\./([\w.-]+)"')
SHELL = ("page.css", "icon.svg", "retry.js")
ICONS = (
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-maskable-512.png", "512x512", "maskable"),
)


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """How the site looks among a device's applications."""
    icons = [
        {"src": assets.asset_url(name), "sizes": sizes, "type": "image/png", "purpose": purpose}
        for name, sizes, purpose in ICONS
    ]
    vector = {"src": assets.asset_url("icon.svg"), "sizes": "any", "type": "image/svg+xml"}
    facts: dict[str, Any] = {
        "id": "/",
        "name": "Samedice",
        "short_name": "Samedice",
        "description": gettext("Once a day, the same dice for everyone."),
        "lang": i18n.language(),
        "start_url": url_for("pages.home"),
        "scope": "/",
        "display": "standalone",
        "background_color": "#F6F1E4",
        "theme_color": "#F6F1E4",
        "icons": [vector, *icons],
    }
    return Response(json.dumps(facts), content_type="application/manifest+json")


@pages.get("/sw.js")
def service_worker() -> Response:
    """The service worker; it changes with every static file, and so replaces itself."""
    facts = {
        "version": assets.digest(),
        "shell": [assets.asset_url(name) for name in (*SHELL, *modules("page.js"))],
        "offline": {code: url_for("pages.offline", lang=code) for code in i18n.languages()},
    }
    source = assets.assets()["worker.js"].content.decode()
    content = f"const SITE = {json.dumps(facts)};\n{source}"
    return Response(content, content_type="text/javascript; charset=utf-8")


@pages.get("/offline")
def offline() -> str:
    """What stands where a page cannot be fetched; knows no player and no game."""
    return render_template("offline.html", place=Place("offline"))


@cache
def modules(first: str) -> tuple[str, ...]:
    """A script and all it imports, itself first."""
    found = [first]
    for name in found:
        imported = _IMPORT.findall(assets.assets()[name].content.decode())
        found += [each for each in dict.fromkeys(imported) if each not in found]
    return tuple(found)
