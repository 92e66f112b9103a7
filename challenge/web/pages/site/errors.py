"""An error as a page in the look of all others."""

from __future__ import annotations

from typing import Any

from flask import Response, render_template, request

from challenge.web import watch
from challenge.web.pages.blueprint import respond
from challenge.web.pages.place import Place
from challenge.web.pages.site import problem_words


def problem_page(problem: Any) -> Response:
    """An error as a page; ``problem`` is a :class:`challenge.web.problems.Problem`.

    A form that could not be taken is kept on it, holds included, to be sent again. That is
    safe: a move has its number, and everything else that needs one its name (``once``).
    """
    return respond(
        render_template(
            "error.html",
            place=Place("error"),
            posted=request.method == "POST",
            fields=list(request.form.items(multi=True)) if problem.status == 503 else [],
            reference=watch.request_id() if problem.status >= 500 else None,
            **problem_words.of(problem.slug, problem.status, problem.facts | problem.told),
        )
    )
