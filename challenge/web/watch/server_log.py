"""gunicorn's own log in the form of all others, without what it would tell of players.

Its debug lines name paths and headers, so there are none; a request it refuses or that
fails is told without address, path and text.
"""

from __future__ import annotations

import logging

from gunicorn.glogging import Logger

from challenge import config, logs

REFUSED = "Invalid request from "
FAILED = "Error handling request"


class ServerLog(Logger):  # type: ignore[misc]  # gunicorn ships no types
    """gunicorn's logger, whose handlers write what ``challenge.logs`` makes of a record."""

    def setup(self, cfg: object) -> None:
        """As gunicorn does it, at its start and at each reload of its configuration."""
        super().setup(cfg)
        if self.cfg.errorlog == "-":  # stderr, which one of ours never waits for
            self.error_log.handlers[:] = [_marked(logs.Stderr())]
        formatter = logs.formatter(config.load().request_log)
        for handler in self.error_log.handlers:
            handler.setFormatter(formatter)
            handler.addFilter(told)


def _marked(handler: logging.Handler) -> logging.Handler:
    """As one of gunicorn's own, which it drops at the next setup."""
    handler._gunicorn = True  # type: ignore[attr-defined]
    return handler


def told(record: logging.LogRecord) -> bool:
    """Whether a record is written; takes out of it what belongs to a player."""
    if record.levelno <= logging.DEBUG:
        return False
    text = str(record.msg)
    if text.startswith(REFUSED):
        record.msg, record.args = "a request that is not well formed was refused", ()
    elif text.startswith(FAILED):
        record.msg, record.args = "a request failed outside the application", ()
    return True
