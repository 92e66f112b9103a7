"""Settings: declared once, documented, and refused in one line where they are wrong."""

import os
import re
from pathlib import Path

import pytest

from challenge import config
from challenge.config import DECLARED
from challenge.errors import SettingError

ROOT = Path(__file__).parents[1]
ROW = re.compile(r"^\| `([A-Z_]+)` \| (.*?) \| (.*?) \|$", re.M)
BY_NAME = {setting.name: setting for setting in DECLARED}
AT_HOME = "CHALLENGE_DATA_DIR"  # its default differs from machine to machine


def _documented():
    rows = ROW.findall((ROOT / "deploy" / "README.md").read_text("utf-8"))
    assert len(rows) == len({name for name, *_ in rows})
    return {name: (default, meaning) for name, default, meaning in rows}


def test_every_setting_is_declared_once():
    assert len(BY_NAME) == len(DECLARED)


def test_every_setting_is_documented_and_nothing_else_is():
    assert set(_documented()) == set(BY_NAME)


@pytest.mark.parametrize("name", BY_NAME)
def test_the_documentation_of_a_setting_has_its_default_and_its_meaning(name):
    default, meaning = _documented()[name]
    assert meaning == BY_NAME[name].help
    if name != AT_HOME:
        assert default == (f"`{BY_NAME[name].default}`" if BY_NAME[name].default else "")


def test_no_other_module_reads_a_setting_from_the_environment():
    names = "|".join(BY_NAME)
    readers = {
        file.relative_to(ROOT / "challenge").as_posix()
        for file in (ROOT / "challenge").rglob("*.py")
        if re.search(rf"(environ|getenv)\b[^\n]*\b({names})\b", file.read_text("utf-8"))
    }
    assert readers - {"config.py"} == set()


def test_the_defaults_are_those_of_the_design():
    settings = config.load({})
    assert settings.redis_url is None
    assert settings.stream_secret is None
    assert settings.secret_keys is None
    assert settings.calendar.zone.key == "UTC"
    assert settings.calendar.grace.total_seconds() == 180 * 60
    assert len(settings.rulesets) == 24
    assert settings.default_ruleset == "yacht"
    assert (settings.trusted_proxies, settings.board_shards) == (0, 1)
    assert (settings.port, settings.web_concurrency) == (8000, 2)
    assert (settings.fairplay, settings.operator_token) == ("report", None)
    assert settings.given == frozenset()
    assert settings.warnings() == []


def test_an_empty_setting_is_an_unset_one():
    assert config.load(dict.fromkeys(BY_NAME, "")) == config.load({})


def test_secrets_are_the_bytes_of_the_setting_undecoded():
    settings = config.load(
        {"CHALLENGE_STREAM_SECRET": "Schlüssel ✓", "CHALLENGE_SECRET_KEYS": "a,ü"}
    )
    assert settings.stream_secret == "Schlüssel ✓".encode()
    assert settings.secret_keys == (b"a", "ü".encode())
    raw = os.fsdecode(b"\xff\xfe" * 20)
    assert config.load({"CHALLENGE_STREAM_SECRET": raw}).stream_secret == b"\xff\xfe" * 20


def test_short_secrets_are_warned_about_by_name():
    warnings = config.load({"CHALLENGE_STREAM_SECRET": "x" * 31}).warnings()
    assert warnings == ["CHALLENGE_STREAM_SECRET is shorter than 32 bytes."]
    keys = config.load({"CHALLENGE_SECRET_KEYS": f"{'x' * 32},{'y' * 31}"}).warnings()
    assert keys == ["A key in CHALLENGE_SECRET_KEYS is shorter than 32 bytes."]


def test_offered_sheets_keep_their_order_once_each_and_the_first_is_the_default():
    settings = config.load({"CHALLENGE_RULESETS": " yatzy, generala ,yatzy,"})
    assert settings.rulesets == ("yatzy", "generala")
    assert settings.default_ruleset == "yatzy"
    both = config.load({"CHALLENGE_RULESETS": "yatzy,yacht"})
    assert both.default_ruleset == "yacht"


def test_a_home_directory_is_expanded():
    settings = config.load({"CHALLENGE_DATA_DIR": "~/dice"})
    assert settings.data_dir == Path.home() / "dice"


@pytest.mark.parametrize(
    ("name", "value", "right"),
    [
        ("CHALLENGE_REDIS_URL", "localhost:6379", "redis://HOST:PORT/DB"),
        ("CHALLENGE_REDIS_URL", "http://localhost", "redis://HOST:PORT/DB"),
        ("CHALLENGE_REDIS_URL", "redis://", "redis://HOST:PORT/DB"),
        ("CHALLENGE_REDIS_URL", "unix://", "redis://HOST:PORT/DB"),
        ("CHALLENGE_REDIS_URL", "redis://localhost:port/0", "redis://HOST:PORT/DB"),
        ("CHALLENGE_REDIS_URL", "redis://localhost:70000/0", "redis://HOST:PORT/DB"),
        ("CHALLENGE_REDIS_URL", "redis://[::1/0", "redis://HOST:PORT/DB"),
        ("CHALLENGE_TIMEZONE", "Mars/Olympus", "Europe/Berlin"),
        ("CHALLENGE_TIMEZONE", "../../etc/passwd", "Europe/Berlin"),
        ("CHALLENGE_TIMEZONE", "Europe", "Europe/Berlin"),
        ("CHALLENGE_TIMEZONE", "UTC\x00", "Europe/Berlin"),
        ("CHALLENGE_GRACE_MINUTES", "-1", "from 0 to 1440"),
        ("CHALLENGE_GRACE_MINUTES", "1441", "from 0 to 1440"),
        ("CHALLENGE_GRACE_MINUTES", "0000000009999", "from 0 to 1440"),
        ("CHALLENGE_GRACE_MINUTES", "3h", "from 0 to 1440"),
        ("CHALLENGE_GRACE_MINUTES", "1.5", "from 0 to 1440"),
        ("CHALLENGE_GRACE_MINUTES", "１８０", "from 0 to 1440"),
        ("CHALLENGE_DATA_DIR", "/srv/bad\udcff", "a path in UTF-8"),
        ("CHALLENGE_DATA_DIR", "~nobody-of-this-name/data", "unknown user"),
        ("CHALLENGE_GRACE_MINUTES", "9" * 5000, "from 0 to 1440"),
        ("CHALLENGE_RULESETS", "yacht,kniffel", "'kniffel' is none"),
        ("CHALLENGE_RULESETS", ",", "yacht,yatzy"),
        ("CHALLENGE_BASE_URL", "dice.example.org", "https://dice.example.org"),
        ("CHALLENGE_BASE_URL", "ftp://dice.example.org", "https://dice.example.org"),
        ("CHALLENGE_BASE_URL", "https://", "https://dice.example.org"),
        ("CHALLENGE_BASE_URL", "https://a.example/?x=1", "https://dice.example.org"),
        ("CHALLENGE_BASE_URL", "https://a.example:port", "https://dice.example.org"),
        ("CHALLENGE_BASE_URL", "https://[::1", "https://dice.example.org"),
        ("CHALLENGE_BASE_URL", "https://a b.example", "https://dice.example.org"),
        ("CHALLENGE_BASE_URL", "https://mia:secret@a.example", "https://dice.example.org"),
        ("CHALLENGE_BASE_URL", "https://a..example", "https://dice.example.org"),
        ("CHALLENGE_CONTACT", "Mia", "a mail address"),
        ("CHALLENGE_CONTACT", "mia@example", "a mail address"),
        ("CHALLENGE_CONTACT", "mia@example.org?bcc=x@example.org", "a mail address"),
        ("CHALLENGE_CONTACT", "javascript:alert(1)", "a mail address"),
        ("CHALLENGE_CONTACT", "http://example.org", "https://example.org/contact"),
        ("CHALLENGE_TRUSTED_PROXIES", "11", "from 0 to 10"),
        ("CHALLENGE_BOARD_SHARDS", "0", "from 1 to 64"),
        ("CHALLENGE_SOLVE", "yes", "on or off"),
        ("CHALLENGE_FAIRPLAY", "on", "off, report or apart"),
        ("PORT", "0", "from 1 to 65535"),
        ("PORT", "65536", "from 1 to 65535"),
        ("WEB_CONCURRENCY", "none", "from 1 to 64"),
    ],
)
def test_a_wrong_setting_is_named_in_one_line_with_what_would_be_right(name, value, right):
    with pytest.raises(SettingError) as refused:
        config.load({name: value})
    line = str(refused.value)
    assert line.startswith(f"{name}=")
    assert right in line
    assert len(line) < 300
    assert line.isprintable()


def test_the_password_of_a_wrong_redis_url_is_not_shown():
    with pytest.raises(SettingError) as refused:
        config.load({"CHALLENGE_REDIS_URL": "http://user:hush@localhost"})
    assert "hush" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "redis://localhost",
        "redis://user:pass@host:6379/2",
        "rediss://host:6380/0?ssl_cert_reqs=none",
        "unix:///run/valkey.sock?db=1",
        "redis://[::1]:6379/0",
    ],
)
def test_a_url_of_a_single_server_is_taken_as_it_is(url):
    assert config.load({"CHALLENGE_REDIS_URL": url}).redis_url == url


def test_a_base_url_loses_its_last_slash():
    assert config.load({"CHALLENGE_BASE_URL": "https://a.example/dice/"}).base_url == (
        "https://a.example/dice"
    )


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://Dice.Example.org", "https://dice.example.org"),
        ("HTTPS://dice.example.org:443/Sub/", "https://dice.example.org/Sub"),
        ("http://dice.example.org:80", "http://dice.example.org"),
        ("http://dice.example.org:443", "http://dice.example.org:443"),
        ("https://w\u00fcrfel.example", "https://xn--wrfel-kva.example"),
        ("http://[2001:DB8::1]:8000", "http://[2001:db8::1]:8000"),
        ("http://dice_box:8000", "http://dice_box:8000"),
    ],
)
def test_a_base_url_is_kept_as_browsers_name_an_origin(given, kept):
    assert config.load({"CHALLENGE_BASE_URL": given}).base_url == kept


def test_a_contact_is_a_link_and_an_imprint_has_lines():
    given = {"CHALLENGE_CONTACT": "dice@example.org", "CHALLENGE_IMPRINT": "Mia ; Road 1;; Town"}
    settings = config.load(given)
    assert settings.contact == "mailto:dice@example.org"
    assert settings.imprint == ("Mia", "Road 1", "Town")
    page = "https://example.org/contact"
    assert config.load({"CHALLENGE_CONTACT": page}).contact == page
    assert config.load({}).contact is None
    assert config.load({}).imprint == ()
