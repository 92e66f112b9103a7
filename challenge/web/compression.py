"""Pages and texts go out compressed, where the reader can read that and it saves a packet.

Compressing beside a secret lets who sees the lengths guess it, if they can ask many times
for the same secret beside text of their choice (BREACH). No page holds such a secret: the
cookie's value is never written into one, and the value that will make a player is another
one in every answer. JSON, tokens among it, is left as it is: a program that wants it small
can put a proxy in front, and one that cannot unpack it is not surprised.
"""

from __future__ import annotations

import gzip

from flask import Flask, Response, request

LEAST = 1400  # bytes; what fits one packet anyway stays as it is
LEVEL = 6
_EVERY_METHOD = ("text/html",)
_READING_ONLY = ("text/plain", "text/javascript", "text/x-python")


def init_app(app: Flask) -> None:
    """Compress as the last thing done to an answer: functions run in reverse order."""
    app.after_request(_compress)


def _compress(answer: Response) -> Response:
    if not _may_shrink(answer):
        return answer
    answer.vary.add("Accept-Encoding")
    if request.accept_encodings.quality("gzip") <= 0:
        return answer
    answer.set_data(gzip.compress(answer.get_data(), LEVEL, mtime=0))
    answer.headers["Content-Encoding"] = "gzip"
    return answer


def _may_shrink(answer: Response) -> bool:
    types = _EVERY_METHOD + (_READING_ONLY if request.method in ("GET", "HEAD") else ())
    return (
        answer.mimetype in types
        and "ETag" not in answer.headers  # it names these very bytes
        and "Content-Encoding" not in answer.headers
        and not answer.is_streamed
        and not answer.direct_passthrough
        and (answer.content_length or 0) >= LEAST
    )
