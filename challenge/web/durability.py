"""How an answer says that a finished game may yet be lost in a failover."""

from __future__ import annotations

from flask import Response, after_this_request

HEADER, DEGRADED = "Samedice-Durability", "degraded"


def say_degraded() -> None:
    """Marks the answer to this request: too few replicas have what it finished."""

    @after_this_request
    def mark(response: Response) -> Response:
        response.headers[HEADER] = DEGRADED
        return response
