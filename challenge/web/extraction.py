"""What ``pybabel extract`` finds in the sheet data: names of sheets and of their boxes.

See ``translations/babel.cfg`` for how it is called.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from challenge.game.rulesets import RULESETS

Found = tuple[int, str, tuple[str, str], list[str]]
"""Line, function, (context, message), comments: what Babel expects of an extractor."""


def sheets(
    fileobj: Any,  # noqa: ARG001 (Babel's signature; the data are imported instead)
    keywords: Any,  # noqa: ARG001
    comment_tags: Any,  # noqa: ARG001
    options: Any,  # noqa: ARG001
) -> Iterator[Found]:
    """Every name of the sheet data with its message context, each once."""
    named = {("sheet", ruleset.name): None for ruleset in RULESETS}
    named |= {("sheet-short", ruleset.short): None for ruleset in RULESETS}
    for ruleset in RULESETS:
        named |= {(ruleset.names, category.name): None for category in ruleset.categories}
    for context, message in named:
        yield 1, "pgettext", (context, message), []
