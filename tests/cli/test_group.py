"""The group itself: light to import, helpful, and never a traceback."""

import re
import shlex
import subprocess
import sys

import pytest

from challenge import __version__
from challenge.cli import COMMANDS, main

RUNS_ON = ("serve", "worker")  # until they are stopped; tests/runtime starts them
NEED_A_STORE = ("doctor", "prepare", "reports", "player", "fairplay", "weigh", "compact")
MOVE = ("export", "import", "backup")  # test_moving.py and tests/runtime/test_backup.py run them


def _help(run, name):
    result = run(name, "--help")
    assert result.exit_code == 0
    return result.stdout


def _example(text):
    """The words of the example in a help text."""
    lines = text.partition("Example:\n")[2].split("\n\n")[0]
    command = " ".join(lines.replace("\\\n", " ").split("\n"))
    return [word for word in shlex.split(command) if not re.match(r"[A-Z_]+=", word)]


def test_importing_the_command_line_imports_no_web_and_no_store():
    code = (
        "import sys, challenge.cli, challenge.cli.verify, challenge.cli.replay\n"
        "heavy = {'flask', 'redis', 'babel', 'werkzeug', 'gunicorn', 'precis_i18n'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_help_names_every_command_with_what_it_does(run):
    text = run("--help").stdout
    for name in COMMANDS:
        assert re.search(rf"^  {name} +\S", text, re.M), name


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_says_what_it_does_and_gives_an_example(run, name):
    text = _help(run, name)
    assert re.search(r"^  [A-Z].*\.", text, re.M)
    assert _example(text)[:2] == ["challenge", name]


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in RUNS_ON + MOVE])
@pytest.mark.usefixtures("operator")
def test_the_example_of_a_command_runs(run, name):
    result = run(*_example(_help(run, name))[1:])
    assert result.exit_code == int(name in NEED_A_STORE), result.stderr
    assert result.stdout or "store does not answer" in result.stderr


@pytest.mark.parametrize("name", RUNS_ON)
def test_the_example_of_a_serving_command_is_understood(run, name):
    _, _, *words = _example(_help(run, name))
    command = main.get_command(None, name)
    assert command.make_context(name, words)


@pytest.mark.parametrize(
    "name", ["dice", "commitments", "verify", "replay", "doctor", "odds", "simulate"]
)
def test_a_command_that_prints_data_also_prints_json(run, name):
    assert "--json" in _help(run, name)


def test_the_version_is_that_of_the_package(run):
    assert run("--version").stdout.strip() == f"challenge {__version__}"


def test_without_a_command_the_help_comes_on_stderr(run):
    result = run()
    assert result.exit_code == 2
    assert "Commands:" in result.stderr


@pytest.mark.parametrize(
    "args",
    [
        ("sing",),
        ("verify",),
        ("verify", "2026-11-30"),
        ("verify", "--no-such-option"),
        ("commitments", "--days", "0"),
        ("commitments", "--days", "367"),
        ("dice", "2026-11-30", "yacht", "--rolls", "1.5"),
    ],
)
def test_a_wrong_call_is_answered_in_one_line(args):
    done = subprocess.run(
        [sys.executable, "-m", "challenge", *args],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("challenge: ")
    assert done.stdout == ""


def test_a_wrong_setting_is_named_in_one_line(run):
    result = run("commitments", CHALLENGE_TIMEZONE="Mars/Olympus")
    assert result.exit_code == 2
    assert result.stderr == (
        "challenge: CHALLENGE_TIMEZONE='Mars/Olympus' is wrong; it takes a time zone such as "
        "UTC or Europe/Berlin.\n"
    )


def test_a_terminal_without_the_signs_gets_question_marks_instead_of_a_traceback():
    from tests.cli.golden import SEED

    done = subprocess.run(
        [sys.executable, "-m", "challenge", "verify", "2026-11-30", "yacht", "--seed", SEED],
        capture_output=True,
        env={"PYTHONIOENCODING": "iso8859-5", "PATH": ""},
        check=True,
    )
    assert done.stdout.startswith(b"Samedice #334 ? 2026-11-30 ? yacht")
