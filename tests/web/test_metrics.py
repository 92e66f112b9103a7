"""/metrics: what is counted, who may read it, and what it says while the store is away."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from challenge import bootstrap
from challenge.errors import IllegalAction
from challenge.service.services import Services
from challenge.web import create_app
from challenge.web.watch import door
from tests.api.contract import Api, game, play
from tests.conftest import Clock, make_settings
from tests.service.players import play_out
from tests.web.boards import DAY, browser_of
from tests.web.figures import Figures
from tests.web.reader import read, send

TOKEN = "a token of the operator, long enough: ünïcödé"
OUTSIDE = {"REMOTE_ADDR": "203.0.113.9"}
ROLL = "/api/v1/challenges/<date>/<ruleset>/game/roll"


@pytest.fixture
def api(app: Flask) -> Api:
    """An anonymous caller of the API."""
    return Api(app.test_client(use_cookies=False))


@pytest.fixture
def mia(api: Api) -> Api:
    """A player."""
    return api.signed("Mia")


@pytest.fixture
def seated(mia: Api) -> Api:
    """A player with dice on the table."""
    mia.post(game())
    mia.post(game(tail="roll"), {"ply": 0, "hold": []})
    return mia


def own_browser(app: Flask, services: Services) -> FlaskClient:
    """A browser whose forms are our own."""
    browser = browser_of(app, services.players.new_id())
    browser.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
    return browser


def look(app: Flask) -> Figures:
    """What /metrics says at this moment."""
    answer = app.test_client().get("/metrics")
    assert answer.status_code == 200
    return Figures(answer.text)


def ask(client: FlaskClient, host: str = "localhost", **environ: Any) -> int:
    """The status for a caller of this kind."""
    return client.get("/metrics", headers={"Host": host}, environ_overrides=environ).status_code


def bearer(value: str, scheme: str = "Bearer") -> dict[str, str]:
    """The environ of who sends this token, as a server reads its UTF-8 bytes."""
    return {"HTTP_AUTHORIZATION": f"{scheme} {value.encode().decode('latin-1')}"}


# -- the door --------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
@pytest.mark.parametrize("peer", ["127.0.0.1", "127.0.0.53", "::1", "::ffff:127.0.0.1"])
def test_who_asks_on_this_machine_is_answered(client: FlaskClient, peer: str, host: str) -> None:
    assert ask(client, host, REMOTE_ADDR=peer) == 200


@pytest.mark.parametrize(
    "peer", ["203.0.113.9", "10.0.0.2", "2001:db8::1", "", "unix:", "localhost"]
)
def test_who_asks_from_elsewhere_finds_nothing(client: FlaskClient, peer: str) -> None:
    assert ask(client, REMOTE_ADDR=peer) == 404


@pytest.mark.parametrize(
    "host", ["samedice.example", "127.0.0.1.example", "192.0.2.7", "localhost.x"]
)
def test_another_name_that_leads_here_finds_nothing(client: FlaskClient, host: str) -> None:
    assert ask(client, host) == 404


@pytest.mark.parametrize(
    "header",
    ["X_FORWARDED_FOR", "X_FORWARDED_PROTO", "X_FORWARDED_HOST", "FORWARDED", "VIA", "X_REAL_IP"],
)
@pytest.mark.parametrize("value", ["127.0.0.1", ""])
def test_what_was_forwarded_finds_nothing(client: FlaskClient, header: str, value: str) -> None:
    assert ask(client, **{f"HTTP_{header}": value}) == 404


@pytest.mark.parametrize("hops", ["1", "2"])
@pytest.mark.parametrize("sent", [None, "127.0.0.1", "127.0.0.1, 127.0.0.1", "::1, 127.0.0.1"])
def test_behind_proxies_loopback_is_not_enough_whatever_is_forged(
    make_services: Callable[..., Services], hops: str, sent: str | None
) -> None:
    client = create_app(make_services(CHALLENGE_TRUSTED_PROXIES=hops)).test_client()
    assert ask(client, **({} if sent is None else {"HTTP_X_FORWARDED_FOR": sent})) == 404


def test_for_a_site_over_https_loopback_is_not_enough(
    make_services: Callable[..., Services],
) -> None:
    """What speaks TLS in front may hand on whatever host somebody sends, and say nothing else."""
    for base, status in (("http://127.0.0.1:8000", 200), ("https://dice.example.org", 404)):
        client = create_app(make_services(CHALLENGE_BASE_URL=base)).test_client()
        assert ask(client) == status


@pytest.mark.parametrize("hops", ["0", "1"])
def test_who_knows_the_token_is_answered_from_anywhere(
    make_services: Callable[..., Services], hops: str
) -> None:
    services = make_services(CHALLENGE_METRICS_TOKEN=TOKEN, CHALLENGE_TRUSTED_PROXIES=hops)
    client = create_app(services).test_client()
    forwarded = {"HTTP_X_FORWARDED_FOR": "198.51.100.4"} if hops == "1" else {}
    assert ask(client, "samedice.example", **OUTSIDE, **forwarded, **bearer(TOKEN)) == 200
    assert ask(client, "samedice.example", **OUTSIDE, **forwarded, **bearer(TOKEN, "bearer")) == 200


@pytest.mark.parametrize(
    "sent",
    [
        {},
        bearer(""),
        bearer(TOKEN[:-1]),
        bearer(f"{TOKEN}x"),
        bearer(TOKEN, "Basic"),
        bearer("€" * 50),
    ],
)
def test_a_wrong_token_finds_nothing(
    make_services: Callable[..., Services], sent: dict[str, str]
) -> None:
    client = create_app(make_services(CHALLENGE_METRICS_TOKEN=TOKEN)).test_client()
    assert ask(client, **OUTSIDE, **sent) == 404


@pytest.mark.parametrize("value", ["", "None", "null"])
def test_without_a_token_set_none_opens(client: FlaskClient, value: str) -> None:
    assert ask(client, **OUTSIDE, **bearer(value)) == 404


def test_a_token_is_compared_in_constant_time(
    make_services: Callable[..., Services], monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = []
    monkeypatch.setattr(
        door.hmac,
        "compare_digest",
        lambda a, b, compare=hmac.compare_digest: compared.append((a, b)) or compare(a, b),
    )
    client = create_app(make_services(CHALLENGE_METRICS_TOKEN=TOKEN)).test_client()
    assert ask(client, **OUTSIDE, **bearer("wrong")) == 404
    assert (b"wrong", TOKEN.encode()) in compared


def test_who_may_not_read_sees_what_any_wrong_address_shows(client: FlaskClient) -> None:
    refused = client.get("/metrics", environ_overrides=OUTSIDE)
    nowhere = client.get("/metricz", environ_overrides=OUTSIDE)
    differing = {"Request-Id", "Content-Length"}
    assert refused.text.replace("/metrics", "/metricz") == nowhere.text
    assert {h for h in refused.headers if h[0] not in differing} == {
        h for h in nowhere.headers if h[0] not in differing
    }


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"])
def test_no_method_betrays_to_others_that_there_is_something(
    app: Flask, client: FlaskClient, method: str
) -> None:
    def at(path: str) -> tuple[int, list[str], str]:
        where = f"http://localhost{path}"
        answer = client.open(where, method=method, environ_overrides=OUTSIDE)
        return answer.status_code, sorted(answer.allow), answer.text.replace(path, "")

    assert at("/metrics") == at("/meters!")


def test_the_figures_are_plain_text_that_nobody_stores(client: FlaskClient) -> None:
    answer = client.get("/metrics")
    assert answer.content_type == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"


# -- what is counted -------------------------------------------------------------------


def test_each_move_of_a_game_is_counted_once_and_its_end_too(app: Flask, mia: Api) -> None:
    before = look(app)
    view = play(mia)
    after = look(app)

    def grown(name: str, **labels: str) -> float:
        return after.sum(name, **labels) - before.sum(name, **labels)

    assert grown("samedice_moves_total", kind="roll", mode="daily") == view["rounds"]
    assert grown("samedice_moves_total", kind="score", mode="daily") == view["rounds"]
    assert grown("samedice_moves_total") == view["ply"]
    assert grown("samedice_finished_games_total", ruleset="yacht", mode="daily") == 1
    assert (
        grown("samedice_requests_total", route=ROLL, method="POST", status="200") == view["rounds"]
    )


def test_a_move_sent_again_is_a_request_and_no_move(app: Flask, mia: Api) -> None:
    mia.post(game())
    before = look(app)
    for _ in range(3):
        assert mia.post(game(tail="roll"), {"ply": 0, "hold": []}).status_code == 200
    after = look(app)
    assert after.sum("samedice_moves_total") - before.sum("samedice_moves_total") == 1
    counted = "samedice_requests_total"
    assert after.sum(counted, route=ROLL) - before.sum(counted, route=ROLL) == 3


def test_an_archived_day_counts_as_archive(app: Flask, mia: Api) -> None:
    before = look(app)
    play(mia, date="2026-11-01", ruleset="yatzy", turns=1)
    moves = "samedice_moves_total"
    assert look(app).sum(moves, mode="archive") - before.sum(moves, mode="archive") == 2


def test_moves_by_form_are_counted_like_those_of_the_api(app: Flask, services: Services) -> None:
    browser = own_browser(app, services)
    path = f"/{DAY}/yacht"
    before = look(app)
    send(browser, path, read(browser.get(path)), do="roll")
    send(browser, path, read(browser.get(path)), box="chance")
    moves = "samedice_moves_total"
    assert look(app).sum(moves) - before.sum(moves) == 2


def test_refused_moves_are_counted_by_reason(app: Flask, seated: Api) -> None:
    roll, score = game(tail="roll"), game(tail="score")
    before = look(app)
    for path, body in (
        (roll, {"ply": 1, "hold": [0, 1, 2, 3, 4]}),
        (roll, {"ply": 7, "hold": []}),
        (roll, {"ply": 1, "hold": [9]}),
        (roll, {"ply": 1, "hold": [1, 1]}),
        (score, {"ply": 1, "box": "nonsense"}),
    ):
        assert seated.post(path, body).status_code >= 400
    seated.signed().post(roll, {"ply": 0, "hold": []})
    Api(seated.client).post(roll, {"ply": 0, "hold": []})
    after, name = look(app), "samedice_refused_moves_total"
    grown = {
        reason: after.sum(name, reason=reason) - before.sum(name, reason=reason)
        for reason in after.values(name, "reason")
    }
    assert grown == {
        "nothing_to_roll": 1, "ply_conflict": 1, "bad_input": 3, "not_found": 1, "not_signed": 1,
    }  # fmt: skip


def test_a_move_refused_on_a_page_is_counted_by_its_reason(app: Flask, services: Services) -> None:
    browser = own_browser(app, services)
    path = f"/{DAY}/yacht"
    page = read(browser.get(path))
    send(browser, path, page, do="roll")
    fresh = read(browser.get(path))
    before = look(app)
    assert send(browser, path, fresh, do="roll", hold=list("01234")).status_code == 422
    assert send(browser, path, page, box="chance").status_code == 409
    after, name = look(app), "samedice_refused_moves_total"
    for reason in ("nothing_to_roll", "ply_conflict"):
        assert after.sum(name, reason=reason) - before.sum(name, reason=reason) == 1


def test_looking_is_no_move_whatever_it_answers(app: Flask, mia: Api) -> None:
    before = look(app)
    assert mia.get(game()).status_code == 404
    name = "samedice_refused_moves_total"
    assert look(app).sum(name) == before.sum(name)


def test_requests_have_their_route_method_and_status_and_were_timed(app: Flask, api: Api) -> None:
    api.get("/healthz")
    api.client.head("/healthz")
    found = look(app)
    for method in ("GET", "HEAD"):
        assert (
            found.sum("samedice_requests_total", route="/healthz", method=method, status="200") == 1
        )
    assert found.sum("samedice_request_seconds_count", route="/healthz") == 2
    assert found.sum("samedice_request_seconds_bucket", route="/healthz", le="+Inf") == 2


def test_whatever_is_asked_the_routes_and_methods_stay_few(app: Flask) -> None:
    client = app.test_client()
    for n in range(40):
        client.get(f"/{n}/{n}/{n}/{n}?q={n}")
        client.open("/healthz", method=f"ODD{n}")
        client.open(f"/odd{n}", method="TRACE")
    found = look(app)
    rules = {rule.rule for rule in app.url_map.iter_rules()}
    assert found.values("samedice_requests_total", "route") <= rules | {"unknown"}
    assert found.sum("samedice_requests_total", route="unknown") == 120
    assert found.values("samedice_requests_total", "method") <= {"GET", "other"}


def test_a_limit_that_refuses_is_counted(make_services: Callable[..., Services]) -> None:
    app = create_app(make_services(CHALLENGE_GUESSES_PER_HOUR="1"))
    stranger = Api(app.test_client(use_cookies=False))
    before = look(app)
    wrong = {"code": "ABCD-EFGH-JKLM"}
    assert [stranger.post("/api/v1/transfer", wrong).status_code for _ in range(2)] == [404, 429]
    name = "samedice_limits_hit_total"
    assert look(app).sum(name, limit="guesses") - before.sum(name, limit="guesses") == 1


def test_boards_players_and_what_waits_are_read_from_the_store(
    app: Flask, services: Services
) -> None:
    play_out(services, services.players.new_id(), DAY, "yacht")
    services.play.begin(services.players.new_id(), DAY, "yacht", services.clock())
    found = look(app)
    board = {"ruleset": "yacht", "state": "open"}
    assert found.sum("samedice_board_players", **board, stage="started") == 2
    assert found.sum("samedice_board_players", **board, stage="finished") == 1
    assert found.sum("samedice_boards", state="open") == 1
    assert found.sum("samedice_unsettled_games") == 1
    assert found.sum("samedice_store_up") == 1
    assert "samedice_worker_round_age_seconds" not in found.samples
    services.worker.round()
    found = look(app)
    assert found.sum("samedice_unsettled_games") == 0
    assert found.sum("samedice_worker_round_age_seconds") == 0


def test_what_is_running_is_told(app: Flask) -> None:
    from challenge import __version__

    assert look(app).sum("samedice_build_info", version=__version__) == 1


def test_while_the_store_is_away_the_figures_say_so_and_are_answered(clock: Clock) -> None:
    app = create_app(bootstrap.build(make_settings("redis://127.0.0.1:1/0"), clock))
    before = look(app)
    assert app.test_client().get("/readyz").status_code == 503
    found = look(app)
    assert found.sum("samedice_store_up") == 0
    assert "samedice_boards" not in found.samples
    errors = "samedice_redis_errors_total"
    assert found.sum(errors) > before.sum(errors)
    assert found.sum("samedice_requests_total", route="/readyz", status="503") == 1


def test_every_reason_of_the_rules_is_a_reason_here() -> None:
    from challenge.web.watch.requests import _reason

    assert {_reason(IllegalAction(reason)) for reason in IllegalAction.REASONS} == set(
        IllegalAction.REASONS
    )
