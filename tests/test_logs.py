"""What processes say on stderr: one line a record, JSON or plain, and nothing of a player."""

from __future__ import annotations

import json
import logging
import os
import pty
import subprocess
import sys
from typing import Any

import pytest

from challenge import logs

SECRET = "Ottilie-4711"
UNCAUGHT = """
import threading
from challenge import logs
logs.begin("on")
def fail(): raise ValueError("Ottilie-4711")
thread = threading.Thread(target=fail)
thread.start()
thread.join()
import warnings
warnings.warn("something is old")
fail()
"""


def record(name: str, message: Any, *args: Any, error: BaseException | None = None) -> Any:
    """A record as a logger makes it."""
    told = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord(name, logging.WARNING, __file__, 1, message, args, told)


def failure() -> Exception:
    """An error that came from another, both with a text that quotes what was sent."""
    try:
        try:
            int(SECRET)
        except ValueError as first:
            raise RuntimeError(SECRET) from first
    except RuntimeError as error:
        return error


def run(code: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """A Python of its own."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, **more
    )


def test_a_record_is_one_line_of_json_with_its_time_in_utc() -> None:
    made = record("challenge.worker", "closed %s", "2026-11-30:yacht")
    made.created = 1_796_040_000.25
    assert json.loads(logs.JsonLine().format(made)) == {
        "time": "2026-11-30T12:00:00.250Z",
        "level": "warning",
        "logger": "challenge.worker",
        "message": "closed 2026-11-30:yacht",
    }


def test_a_record_is_written_as_the_lines_of_requests_are_so_that_one_search_finds_both() -> None:
    assert '"level":"warning","logger":"challenge.worker"' in logs.JsonLine().format(
        record("challenge.worker", "closed")
    )


def test_line_ends_in_a_message_stay_inside_its_line() -> None:
    assert "\n" not in logs.JsonLine().format(record("challenge", 'one\ntwo "three"\r\x1b[31m'))


@pytest.mark.parametrize("form", [logs.JsonLine(), logs.PlainLine()])
def test_an_error_is_told_by_class_and_place_without_its_text(form: logging.Formatter) -> None:
    line = form.format(record("challenge.web", "it failed", error=failure()))
    assert SECRET not in line
    assert "RuntimeError" in line
    assert "ValueError" in line  # where it came from
    assert "test_logs.py:" in line


def test_a_trace_stays_inside_its_line_of_json() -> None:
    line = logs.JsonLine().format(record("challenge.web", "it failed", error=failure()))
    found = json.loads(line)
    assert "\n" not in line
    assert found["error"] == "RuntimeError"
    assert [part for part in found["trace"] if " " not in part] == ["RuntimeError", "ValueError"]


def test_an_endless_chain_of_errors_is_cut() -> None:
    first = second = RuntimeError("a")
    for _ in range(30):
        second, second.__cause__ = RuntimeError("b"), second
    assert len(list(logs.trace(second))) <= 10
    first.__cause__ = second
    assert len(list(logs.trace(first))) <= 10


@pytest.mark.parametrize("name", ["redis", "flask-limiter", "urllib3.pool", "challenger"])
def test_of_another_library_only_the_template_is_written(name: str) -> None:
    line = logs.JsonLine().format(record(name, "limit %s exceeded", SECRET))
    assert json.loads(line)["message"] == "limit %s exceeded"


def test_an_error_in_place_of_a_message_is_its_class() -> None:
    made = record("gunicorn.error", ValueError(SECRET))
    assert json.loads(logs.JsonLine().format(made))["message"] == "ValueError"


def test_lines_are_chosen_by_the_setting_and_by_who_watches() -> None:
    ask = "from challenge import logs; print([logs.wants_lines(m) for m in ('on', 'off', 'auto')])"
    assert run(ask).stdout.strip() == "[True, False, True]"
    ours, theirs = pty.openpty()
    watched = subprocess.run(
        [sys.executable, "-c", ask], stdout=subprocess.PIPE, stderr=theirs, text=True, check=True
    )
    os.close(ours)
    os.close(theirs)
    assert watched.stdout.strip() == "[True, False, False]"


def test_what_nobody_caught_and_warnings_become_lines_too() -> None:
    done = run(UNCAUGHT)
    assert done.returncode == 1
    told = [json.loads(line) for line in done.stderr.splitlines()]
    assert [line["level"] for line in told] == ["critical", "warning", "critical"]
    assert [line.get("error") for line in told] == ["ValueError", None, "ValueError"]
    assert "something is old" in told[1]["message"]
    assert SECRET not in done.stderr


def test_for_people_an_error_is_left_to_python_itself() -> None:
    done = run(UNCAUGHT.replace('"on"', '"off"'))
    assert "Traceback" in done.stderr


@pytest.mark.parametrize("broken", ["os.close(2)", "sys.stderr = None", "sys.stderr.close()"])
def test_a_stderr_that_is_gone_takes_nobody_down(broken: str) -> None:
    code = (
        "import logging, os, sys\nfrom challenge import logs\n"
        f"logs.begin('on')\n{broken}\n"
        "logging.getLogger('challenge').warning('hello')\nlogs.write(b'x\\n')\nprint('alive')"
    )
    assert run(code).stdout.strip() == "alive"


def test_a_stream_without_a_file_is_written_to_as_well() -> None:
    code = (
        "import io, logging, sys\nfrom challenge import logs\nlogs.begin('off')\n"
        "sys.stderr = io.StringIO()\nlogging.getLogger('challenge.x').warning('hello')\n"
        "print(sys.stderr.getvalue())"
    )
    assert run(code).stdout.strip() == "challenge.x: hello"


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="there is no /proc here")  # noqa: PTH110
def test_a_pipe_that_nobody_reads_holds_nobody_up() -> None:
    code = (
        "import logging\nfrom challenge import logs\nlogs.begin('on')\n"
        "for _ in range(2000): logs.write(b'x' * 299 + b'\\n')\n"
        "logging.getLogger('challenge').warning('hello')\nprint('alive')"
    )
    done = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert done.stdout is not None
    assert done.stdout.read() == "alive\n"
    kept = done.communicate()[1].splitlines()
    assert 100 < len(kept) < 2000
    assert {line for line in kept if line[0] != "{"} == {"x" * 299}  # none is cut
