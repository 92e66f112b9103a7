"""Bodies in, answers out: strict shapes, fast JSON, caching by what the answer is."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgspec
from flask import Response, request
from msgspec import UNSET, Meta, Struct, UnsetType

from challenge.errors import BadInput, WrongType
from challenge.service.views.games import GameView
from challenge.web import i18n, identity

MAX_NUMBER = 2**31 - 1

Ply = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
Position = Annotated[int, Meta(ge=0, le=5)]

B = TypeVar("B", bound=Struct)


class RollBody(Struct, forbid_unknown_fields=True):
    """``POST …/game/roll``."""

    ply: Ply
    hold: Annotated[list[Position], Meta(max_length=6)]


class ScoreBody(Struct, forbid_unknown_fields=True):
    """``POST …/game/score``."""

    ply: Ply
    box: Annotated[str, Meta(max_length=40)]


class NewPlayerBody(Struct, forbid_unknown_fields=True):
    """``POST /players``; the name may be missing."""

    name: str | UnsetType = UNSET


class NameBody(Struct, forbid_unknown_fields=True):
    """``PATCH /me``."""

    name: str


class CodeBody(Struct, forbid_unknown_fields=True):
    """``POST /transfer``; what cannot be a code is a wrong one."""

    code: str


class GroupBody(Struct, forbid_unknown_fields=True):
    """``POST /groups``."""

    name: str


class InviteBody(Struct, forbid_unknown_fields=True):
    """``POST /groups/join``; the address of an invite, or its last part alone."""

    invite: Annotated[str, Meta(max_length=1000)]


class OwnerBody(Struct, forbid_unknown_fields=True):
    """``PUT /groups/{id}/owner``."""

    player: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$")]


def body(shape: type[B], *, optional: bool = False) -> B:
    """The request's JSON body in this shape.

    Raises:
        WrongType: its content type is not JSON.
        BadInput: not JSON, or another shape; says where.
    """
    raw = request.get_data()
    if optional and not raw and not request.mimetype:
        return shape()
    if request.mimetype != "application/json":
        raise WrongType("Send the body as Content-Type: application/json.")
    try:
        return msgspec.json.decode(raw, type=shape)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"The body is not what this call takes: {error}.") from None


def number(name: str, default: int) -> int:
    """A whole number of the query string.

    Raises:
        BadInput: given, but not a number of up to nine ASCII digits.
    """
    text = request.args.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise BadInput(f"`{name}` is a whole number, not {text[:20]!r}.")
    return int(text)


def language() -> str:
    """The language of names in the answer, by ``Accept-Language``."""
    return i18n.negotiate(request.headers.get("Accept-Language"))


def game_answer(view: GameView) -> GameView:
    """A game with its notice said in words, in the language asked for."""
    if view.notice is None:
        return view
    return msgspec.structs.replace(view, notice=i18n.notice_text(view.notice, language()))


def answer(value: Any, status: int = 200) -> Response:
    """A JSON answer."""
    return Response(msgspec.json.encode(value), status, content_type="application/json")


def nothing() -> Response:
    """The answer of a call after which there is nothing to say."""
    response = Response(status=204)
    del response.headers["Content-Type"]
    return response


def finished(response: Response) -> Response:
    """A public answer that changes no more: may be kept, and is asked for by its ETag.

    What a signed-in caller gets is left alone (and so is not stored anywhere).
    """
    if identity.COOKIE in request.cookies or "Authorization" in request.headers:
        return response
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Vary"] = "Accept-Language, Cookie, Authorization"
    response.add_etag()
    return response.make_conditional(request)  # type: ignore[return-value]
