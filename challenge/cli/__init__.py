"""The command line: one group whose commands are imported when they are called.

Importing this module loads click and the errors, nothing of the web or the store.
"""

from __future__ import annotations

import importlib
import io
import keyword
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from challenge import __version__
from challenge.errors import BadInput, BadLog, SamediceError, SettingError, UnknownRuleset

COMMANDS = (
    "serve",
    "worker",
    "doctor",
    "dice",
    "commitments",
    "verify",
    "replay",
    "solve",
    "odds",
    "simulate",
    "prepare",
    "reports",
    "player",
    "fairplay",
    "weigh",
    "compact",
    "export",
    "import",
    "backup",
)
"""Every command in the order of the help; ``x`` is the function ``x`` of module ``cli.x``.

Where Python has the word for itself, an underscore follows: ``import_``.
"""

WRONG_INPUT = (BadInput, BadLog, SettingError, UnknownRuleset)


class Commands(click.Group):
    """A group that imports a command when it is asked for, and says errors in one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of this name, or None."""
        if cmd_name not in COMMANDS:
            return None
        name = f"{cmd_name}_" if keyword.iskeyword(cmd_name) else cmd_name
        module = importlib.import_module(f"challenge.cli.{name}")
        command: click.Command = getattr(module, name)
        return command

    def main(  # type: ignore[override]  # click's overloads differ by version
        self, args: Sequence[str] | None = None, *, standalone_mode: bool = True, **extra: Any
    ) -> Any:
        """Run the command line and exit: 0, 1, or 2 for wrong input and settings."""
        _replace_unprintable()
        run = super().main
        code = exit_code(lambda: run(args, standalone_mode=False, **extra))
        if not standalone_mode:
            return code
        sys.exit(code)


def exit_code(run: Callable[[], Any]) -> int:
    """Call ``run``; an expected error becomes one line on stderr and an exit code."""
    try:
        code = run()
    except click.ClickException as error:
        return fail(error.format_message(), error.exit_code)
    except SamediceError as error:
        return fail(str(error), 2 if isinstance(error, WRONG_INPUT) else 1)
    except (click.Abort, KeyboardInterrupt):
        return 130
    return code if isinstance(code, int) else 0


def _replace_unprintable() -> None:
    """A sign the terminal cannot show must not end the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def fail(why: str, code: int) -> int:
    """Say in one line why the command failed; the exit code comes back."""
    line = " ".join(why.split())
    click.echo(f"challenge: {line}", err=True)
    return code


@click.group(cls=Commands, invoke_without_command=True)
@click.version_option(__version__, prog_name="challenge", message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Samedice: once a day, the same dice for everyone.

    \b
    Example:
      challenge serve --port 8000
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(2)
