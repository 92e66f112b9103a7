"""The URL of a Redis says whether it is one server, Sentinel or a cluster."""

import pytest

from challenge import config
from challenge.errors import SettingError
from challenge.redis_url import CLUSTER, SENTINEL, SERVER, parse, without_login


@pytest.mark.parametrize(
    ("text", "addresses", "service", "db"),
    [
        ("redis+sentinel://a:1,b:2/dice/3", (("a", 1), ("b", 2)), "dice", 3),
        ("redis+sentinel://a/dice", (("a", 26379),), "dice", 0),
        ("redis+sentinel://[::1]:1,[fe80::2]/dice", (("::1", 1), ("fe80::2", 26379)), "dice", 0),
        ("redis+sentinel://a:1,a:1/d%2Fe/0", (("a", 1),), "d/e", 0),
        ("redis+cluster://a,b:7001", (("a", 6379), ("b", 7001)), "", 0),
        ("redis+cluster://10.0.0.1:1/", (("10.0.0.1", 1),), "", 0),
        ("redis+cluster://10.0.0.1:1/0", (("10.0.0.1", 1),), "", 0),
    ],
)
def test_many_hosts_are_taken_apart(text, addresses, service, db):
    found = parse(text)
    assert (found.addresses, found.service, found.db) == (addresses, service, db)
    assert not found.tls
    assert parse(text.replace("redis+", "rediss+")).tls
    assert config.load({"CHALLENGE_REDIS_URL": text}).redis_url == text


def test_the_kind_follows_from_the_scheme():
    assert parse("redis://a").kind == parse("unix:///a").kind == "server"
    assert parse("redis+sentinel://a/b").kind == "sentinel"
    assert parse("rediss+cluster://a").kind == "cluster"


@pytest.mark.parametrize(
    ("login", "user", "password"),
    [
        ("mia:hush@", "mia", "hush"),
        (":hush@", None, "hush"),
        ("mia@", "mia", None),
        ("mia:p%40ss%2F:word@", "mia", "p@ss/:word"),
        ("mia:p@ss@", "mia", "p@ss"),
        ("", None, None),
    ],
)
def test_user_and_password_stand_before_the_hosts(login, user, password):
    found = parse(f"redis+cluster://{login}a:1,b:2?health_check_interval=3")
    assert (found.user, found.password) == (user, password)
    assert found.addresses == (("a", 1), ("b", 2))
    assert found.query == "health_check_interval=3"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("redis+sentinel://a:1", SENTINEL),
        ("redis+sentinel://a:1/", SENTINEL),
        ("redis+sentinel://a:1/dice/x", SENTINEL),
        ("redis+sentinel://a:1/dice/0/1", SENTINEL),
        ("redis+sentinel:///dice", SENTINEL),
        ("redis+sentinel://a:1,,b:2/dice", SENTINEL),
        ("redis+sentinel://a:70000/dice", "PORT up to 65535"),
        ("redis+sentinel://a:0/dice", SENTINEL),
        ("redis+sentinel://a:b/dice", SENTINEL),
        ("redis+sentinel://[::1/dice", SENTINEL),
        ("redis+cluster://", CLUSTER),
        ("redis+cluster://a:1/1", "a cluster has but one"),
        ("redis+cluster://a:1/0/x", "a cluster has but one"),
        ("redis+cluster://a b", SERVER),
        ("redis+cluster://a:1#x", SERVER),
        ("redis+clusters://a:1", CLUSTER),
        ("sentinel://a:1/dice", SENTINEL),
        ("redis://a:1/x", "DB a number"),
        ("rediss://a:1/0/1", "DB a number"),
        ("redis://:p@ss:w/d@a:1/0", "of a password as %40, %3A and %2F"),
        ("redis://:p@ss/d@a:1/0", "of a password as %40, %3A and %2F"),
    ],
)
def test_a_wrong_url_is_refused_with_what_would_be_right_and_without_its_password(text, right):
    given = text.replace("://", "://mia:hush@", 1)
    with pytest.raises(SettingError) as refused:
        config.load({"CHALLENGE_REDIS_URL": given})
    line = str(refused.value)
    assert right in line
    assert "hush" not in line
    assert line.startswith("CHALLENGE_REDIS_URL=(hidden)")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("redis://mia:hush@a:1/2?x=hush", "redis://a:1/2"),
        ("rediss+sentinel://mia:hush@a,b:2/dice/0?sentinel_password=hush", "rediss+sentinel://a,b:2/dice/0"),
        ("redis+cluster://:hush@a,b", "redis+cluster://a,b"),
        ("redis+cluster://:hu@sh@a,b", "redis+cluster://a,b"),
        ("unix:///run/x?password=hush", "/run/x"),
    ],
)  # fmt: skip
def test_no_login_is_shown(text, shown):
    assert without_login(text) == shown
