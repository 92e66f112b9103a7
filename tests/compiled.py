"""What an application compiles when it is made, compiled once a test process.

Thousands of tests make an application of their own; it is the same code each time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache
from werkzeug.routing import Rule


class Templates(BytecodeCache):
    """Templates compiled once a test process."""

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fills a bucket where its template was compiled before."""
        code = self._code.get((bucket.key, bucket.checksum))
        if code is not None:
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keeps what was compiled."""
        self._code[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


class Route(Rule):
    """A route whose function that builds addresses is shared by all like it."""

    _builders: ClassVar[dict[tuple[Any, ...], Callable[..., tuple[str, str]]]] = {}

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        # Parts, defaults and names are all it is made from; converters it finds at the call.
        alike = (*self._trace, repr(self.defaults), self.rule, append_unknown)
        if alike not in self._builders:
            self._builders[alike] = super()._compile_builder(append_unknown)
        return self._builders[alike]


def keep() -> None:
    """Let every application of this process share them."""
    Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": Templates()}
    Flask.url_rule_class = Route
