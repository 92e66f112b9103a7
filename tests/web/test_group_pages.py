"""The pages of groups: made, joined, looked at, left; nothing to see for whoever is not in."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from challenge.service.services import Services
from challenge.web import create_app, identity, invites
from challenge.web.pages import qr
from tests.api.dump import dump
from tests.api.friends import crowd_into
from tests.conftest import Clock
from tests.service.players import begin, play_out
from tests.web.boards import DAY, browser_of

SHEET = "generala"
NAME = "Büro am <i>Kanal</i>"


class Member:
    """A member in a browser of their own."""

    def __init__(self, app: Flask, services: Services, name: str | None = None) -> None:
        self.id = services.players.new_id()
        if name:
            services.players.rename(self.id, name)
        self.browser = browser_of(app, self.id)
        self.browser.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
        self._services = services

    def play(self, seed: int) -> int:
        """Today's sheet to its end; the score."""
        return play_out(self._services, self.id, DAY, SHEET, seed).total


@pytest.fixture
def mia(app: Flask, services: Services) -> Member:
    """Who owns the group."""
    return Member(app, services, "Mia")


@pytest.fixture
def ben(app: Flask, services: Services) -> Member:
    """Another member."""
    return Member(app, services, "Ben")


@pytest.fixture
def group(services: Services, mia: Member, ben: Member) -> str:
    """A group of the two."""
    made = services.groups.create(mia.id, NAME, services.clock()).id
    services.groups.join(ben.id, services.groups.invitation(mia.id, made), services.clock())
    return made


@pytest.fixture
def invite(app: Flask, services: Services, mia: Member, group: str) -> str:
    """The path of the group's invite."""
    return _invite(app, services, mia, group)


def _invite(app: Flask, services: Services, member: Member, group: str) -> str:
    with app.test_request_context():
        return urlsplit(invites.link(services.groups.invitation(member.id, group))).path


def _words(page: TestResponse) -> str:
    main = page.text.partition("<main")[2].partition("</main>")[0]
    return html.unescape(" ".join(re.sub(r"<[^>]*>", " ", main).split()))


def _field(page: TestResponse, name: str = "player") -> str:
    (found,) = re.findall(rf'name="{name}" value="([^"]+)"', page.text)
    return html.unescape(found)


def _people(page: TestResponse, kind: str) -> list[str]:
    """Names under "still playing" or "not begun yet"."""
    found = re.search(rf'<div class="people {kind}">.*?</div>', page.text, re.DOTALL)
    return re.findall(r'class="player">([^<]*)<', found[0]) if found else []


def _ranks(page: TestResponse) -> list[tuple[str, str, str]]:
    """Place, name and points of each row of the board."""
    body = page.text.partition('<table class="ranks">')[2].partition("</table>")[0]
    return re.findall(
        r'<td class="rank">(=?\d+)</td>.*?class="player">(.*?)<.*?score-column">(\d+)<',
        body,
        re.DOTALL,
    )


# -- a list, and a new one -------------------------------------------------------------


def test_a_stranger_reads_what_a_group_is_and_is_given_no_cookie(client: FlaskClient) -> None:
    page = client.get("/groups")
    assert "How a group works" in _words(page)
    assert "Set-Cookie" not in page.headers


def test_a_stranger_who_makes_a_group_becomes_its_owner(
    client: FlaskClient, services: Services
) -> None:
    player = _field(client.get("/groups"))
    done = client.post("/groups", data={"name": "Die Runde", "player": player})
    assert done.status_code == 303
    assert identity.COOKIE in done.headers["Set-Cookie"]
    page = client.get(done.headers["Location"])
    assert "Die Runde" in _words(page)
    assert "owner" in _words(page)
    assert "1 member" in _words(client.get("/groups"))


def test_a_second_press_with_the_same_page_is_the_same_player(
    app: Flask, client: FlaskClient
) -> None:
    form = {"name": "Die Runde", "player": _field(client.get("/groups"))}
    twice = [app.test_client().post("/groups", data=form) for _ in range(2)]
    cookies = {each.headers["Set-Cookie"].split(".")[0] for each in twice}
    assert len(cookies) == 1


def test_what_is_no_name_is_said_beside_its_field(mia: Member) -> None:
    for name in ("", "   ", "x" * 25, "a\u202eb"):
        page = mia.browser.post("/groups", data={"name": name})
        assert page.status_code == 400
        assert "This cannot be a name" in _words(page)
        assert 'aria-invalid="true"' in page.text
        assert "Your groups" not in _words(page)


def test_without_cookie_and_field_nobody_makes_a_group(client: FlaskClient) -> None:
    assert client.post("/groups", data={"name": "Die Runde"}).status_code == 401
    forged = {"name": "Die Runde", "player": "forged"}
    assert client.post("/groups", data=forged).status_code == 401


# -- who may look ----------------------------------------------------------------------

PAGES = ["", "/members", "/leave", "/versus", "/weeks/2026-W49", "/months/2026-11"]


def test_a_group_looks_to_others_like_one_that_is_not_there(
    app: Flask, services: Services, group: str, mia: Member
) -> None:
    unknown, others = "A" * len(group), [app.test_client(), Member(app, services).browser]
    for tail in PAGES:
        assert mia.browser.get(f"/groups/{group}{tail}").status_code == 200
        for browser in others:
            there, nothing = (browser.get(f"/groups/{g}{tail}") for g in (group, unknown))
            assert there.status_code == nothing.status_code == 404
            assert there.text.replace(group, unknown) == nothing.text
            assert "Kanal" not in there.text


def test_who_is_not_in_changes_nothing(
    app: Flask, services: Services, valkey_url: str, ben: Member, group: str
) -> None:
    outsider, member = Member(app, services), f"/members/{ben.id}"
    before = dump(valkey_url)
    for tail, do in (("/invite", ""), ("/leave", ""), (member, "remove"), (member, "own")):
        refused = outsider.browser.post(f"/groups/{group}{tail}", data={"do": do})
        assert refused.status_code == 404
    assert dump(valkey_url) == before


def test_looking_around_changes_nothing_and_sets_no_cookie(
    app: Flask, services: Services, valkey_url: str, mia: Member, ben: Member, group: str,
    invite: str,
) -> None:  # fmt: skip
    mia.play(1)
    before = dump(valkey_url)
    others = [f"/members/{ben.id}", f"?date=2026-11-30&sheet={SHEET}&whole=1"]
    for path in ["/groups", invite, *(f"/groups/{group}{tail}" for tail in PAGES + others)]:
        for browser in (app.test_client(), mia.browser, Member(app, services).browser):
            assert "Set-Cookie" not in browser.get(path).headers
    assert dump(valkey_url) == before


# -- the board of a day ----------------------------------------------------------------


def test_the_group_page_says_who_has_played_who_plays_and_who_has_not_yet(
    app: Flask, services: Services, mia: Member, ben: Member, group: str, invite: str
) -> None:
    zoe = Member(app, services, "Zoe")
    services.groups.join(zoe.id, services.groups.invitation(mia.id, group), services.clock())
    score = mia.play(3)
    begin(services, ben.id, DAY, SHEET)
    page = mia.browser.get(f"/groups/{group}?sheet={SHEET}")
    assert _ranks(page) == [("1", "Mia", str(score))]
    assert _people(page, "playing") == ["Ben"]
    assert _people(page, "waiting") == ["Zoe"]
    assert "1 of 3 done" in _words(page)


def test_the_ranks_are_those_of_the_api_and_count_the_group_alone(
    app: Flask, services: Services, mia: Member, ben: Member, group: str
) -> None:
    for seed in range(5, 12):
        Member(app, services).play(seed)
    mia.play(1), ben.play(2)
    page = mia.browser.get(f"/groups/{group}?sheet={SHEET}")
    entries = mia.browser.get(
        f"/api/v1/challenges/2026-11-30/{SHEET}/leaderboard?group={group}"
    ).get_json()["entries"]
    shown = [(rank.lstrip("="), name, score) for rank, name, score in _ranks(page)]
    assert shown == [(str(e["rank"]), e["name"].split("·")[0], str(e["score"])) for e in entries]
    assert len(shown) == 2


def test_others_sheets_are_linked_once_ones_own_is_finished(
    mia: Member, ben: Member, group: str, clock: Clock
) -> None:
    ben.play(2)
    path, game = f"/groups/{group}?sheet={SHEET}", f"/2026-11-30/{SHEET}/games/{ben.id}"
    assert game not in mia.browser.get(path).text
    clock.set("2026-12-02T12:00")
    assert game in mia.browser.get(f"{path}&date=2026-11-30").text
    clock.set("2026-11-30T13:00")
    mia.play(1)
    assert game in mia.browser.get(path).text


def test_a_past_day_is_a_way_back_and_a_day_ahead_is_not_open(
    mia: Member, ben: Member, group: str, clock: Clock
) -> None:
    ben.play(2)
    clock.forward(days=2)
    today = mia.browser.get(f"/groups/{group}?sheet={SHEET}")
    assert "Nobody in the group has finished this sheet yet." in _words(today)
    assert f"/groups/{group}?date=2026-12-01&amp;sheet={SHEET}" in today.text
    past = mia.browser.get(f"/groups/{group}?date=2026-11-30&sheet={SHEET}")
    assert [name for _, name, _ in _ranks(past)] == ["Ben"]
    assert "7 days up to 30 November" in _words(past)
    assert mia.browser.get(f"/groups/{group}?date=2026-12-03").status_code == 403
    assert mia.browser.get(f"/groups/{group}?date=nonsense").status_code == 404
    assert mia.browser.get(f"/groups/{group}?sheet=nonsense").status_code == 404


# -- tables ----------------------------------------------------------------------------


def _table(page: TestResponse) -> list[list[str]]:
    """Place, name, points, won, played, average, best of each row of the first table."""
    body = page.text.partition('<table class="table">')[2].partition("</table>")[0]
    rows = re.findall(r"<tr.*?</tr>", body.partition("<tbody>")[2], re.DOTALL)
    return [
        [
            *re.findall(r'"rank">.*?</span>(.*?)</td>', row),
            *re.findall(r'"player">(.*?)<', row),
            *re.findall(r'<td(?: class="main")?>(.*?)</td>', row),
        ]
        for row in rows
    ]


@pytest.fixture
def season(mia: Member, ben: Member, group: str, clock: Clock) -> list[tuple[int, int]]:
    """Ten days of the two, from 21 to 30 November; their scores."""
    found = []
    for day in range(21, 31):
        clock.set(f"2026-11-{day}T12:00")
        found.append(tuple(
            play_out(each._services, each.id, clock.now.date(), SHEET, seed).total
            for each, seed in ((mia, day), (ben, 100 + day))
        ))  # fmt: skip
    return found


def _expected(scores: list[tuple[int, int]]) -> list[list[str]]:
    """Rows worked out anew: in a world of two the better one gets 100 points a day."""
    rows = []
    for own, other, name in ((0, 1, "Mia"), (1, 0, "Ben")):
        points = 100 * sum(day[own] > day[other] for day in scores)
        won = sum(day[own] >= day[other] for day in scores)
        mine = [day[own] for day in scores]
        figures = [points, won, len(mine), f"{sum(mine) / len(mine):.1f}", max(mine)]
        rows.append((points, [name, *(f"{n:,}" if isinstance(n, int) else n for n in figures)]))
    rows.sort(key=lambda row: -row[0])
    if rows[0][0] == rows[1][0]:
        return [["=1", *row] for _, row in rows]
    return [["1", *rows[0][1]], ["2", *rows[1][1]]]


def test_the_tables_of_seven_days_of_a_week_and_of_a_month_are_worked_out_anew(
    mia: Member, group: str, season: list[tuple[int, int]]
) -> None:
    paths = {
        f"/groups/{group}?sheet={SHEET}": season[-7:],
        f"/groups/{group}?sheet={SHEET}&date=2026-11-25": season[:5],
        f"/groups/{group}/weeks/2026-W48?sheet={SHEET}": season[2:9],
        f"/groups/{group}/weeks/2026-W49?sheet={SHEET}": season[9:],
        f"/groups/{group}/months/2026-11?sheet={SHEET}": season,
    }
    for path, days in paths.items():
        assert sorted(_table(mia.browser.get(path))) == sorted(_expected(days)), path


def test_a_week_leads_to_its_neighbours_as_far_as_there_are_days(mia: Member, group: str) -> None:
    last = mia.browser.get(f"/groups/{group}/weeks/2026-W49?sheet={SHEET}").text
    assert f"/groups/{group}/weeks/2026-W48?sheet={SHEET}" in last
    assert "2026-W50" not in last
    assert "still running" in last
    first = mia.browser.get(f"/groups/{group}/weeks/2026-W01").text
    assert "2026-W02" in first
    assert "2025-W52" not in first
    month = mia.browser.get(f"/groups/{group}/months/2026-10?sheet={SHEET}")
    assert "No finished game of this sheet in these days." in _words(month)
    for path in ("weeks/2026-W50", "weeks/nonsense", "months/2025-12", "months/2026-12"):
        assert mia.browser.get(f"/groups/{group}/{path}").status_code == 404


def test_two_members_head_to_head(
    mia: Member, ben: Member, group: str, season: list[tuple[int, int]]
) -> None:
    page = mia.browser.get(f"/groups/{group}/versus?sheet={SHEET}")
    wins = [int(n) for n in re.findall(r'class="wins"><b>(\d+)<', page.text)]
    assert wins == [sum(a > b for a, b in season), sum(b > a for a, b in season)]
    rows = re.findall(r'scope="row">.*?<td[^>]*>(\d+)</td><td[^>]*>(\d+)</td>', page.text)
    assert [(int(a), int(b)) for a, b in rows] == season[::-1]
    assert page.text.count('<circle class="a"') == page.text.count('<path class="b"') == len(season)
    turned = mia.browser.get(f"/groups/{group}/versus?sheet={SHEET}&a={ben.id}&b={mia.id}&days=7")
    assert len(re.findall(r'<circle class="a"', turned.text)) == 7


def test_head_to_head_takes_two_members(
    app: Flask, services: Services, mia: Member, group: str
) -> None:
    path, stranger = f"/groups/{group}/versus", Member(app, services)
    assert mia.browser.get(f"{path}?b={stranger.id}").status_code == 404
    same = mia.browser.get(f"{path}?a={mia.id}&b={mia.id}")
    assert "Choose two different members." in _words(same)
    assert mia.browser.get(f"{path}?days=8").status_code == 400
    services.groups.create(mia.id, "Allein", services.clock())
    alone = next(each.id for each in services.groups.mine(mia.id) if each.members == 1)
    assert "For this it takes two." in _words(mia.browser.get(f"/groups/{alone}/versus"))


# -- members ---------------------------------------------------------------------------


def test_only_the_owner_is_offered_and_allowed_what_owners_do(
    mia: Member, ben: Member, group: str
) -> None:
    members = f"/groups/{group}/members"
    assert "New link" in _words(mia.browser.get(members))
    assert "New link" not in _words(ben.browser.get(members))
    assert "Take out" in _words(mia.browser.get(f"{members}/{ben.id}"))
    assert "Take out" not in _words(ben.browser.get(f"{members}/{mia.id}"))
    for path, form in (
        (f"/groups/{group}/invite", {}),
        (f"{members}/{mia.id}", {"do": "remove"}),
        (f"{members}/{ben.id}", {"do": "own"}),
    ):
        refused = ben.browser.post(path, data=form)
        assert refused.status_code == 403
        assert "Only the owner of a group may do this." in _words(refused)
    assert mia.browser.post(f"{members}/{ben.id}", data={"do": "x"}).status_code == 400


def test_a_renewed_invite_voids_the_old_one(
    app: Flask, services: Services, mia: Member, group: str, invite: str
) -> None:
    zoe = Member(app, services)
    done = mia.browser.post(f"/groups/{group}/invite")
    page = mia.browser.get(done.headers["Location"])
    assert "The old one leads nowhere any more." in _words(page)
    for gone in (zoe.browser.get(invite), zoe.browser.post(invite)):
        assert gone.status_code == 404
        assert "This invite leads nowhere" in _words(gone)
    assert zoe.browser.post(_invite(app, services, mia, group)).status_code == 303


def test_the_invite_stands_on_the_page_as_text_and_as_a_code(
    mia: Member, group: str, invite: str
) -> None:
    page = mia.browser.get(f"/groups/{group}/members").text
    assert f"http://localhost{invite}</textarea>" in page
    assert qr.svg(f"http://localhost{invite}", "The invite as a QR code") in page
    assert "style=" not in page


def test_a_member_who_was_taken_out_sees_nothing_more(mia: Member, ben: Member, group: str) -> None:
    path = f"/groups/{group}/members/{ben.id}"
    assert mia.browser.post(path, data={"do": "remove"}).status_code == 303
    assert ben.browser.get(f"/groups/{group}").status_code == 404
    assert mia.browser.get(path).status_code == 404
    assert "Ben" not in _words(mia.browser.get(f"/groups/{group}"))


def test_who_is_handed_the_group_owns_it(mia: Member, ben: Member, group: str) -> None:
    mia.browser.post(f"/groups/{group}/members/{ben.id}", data={"do": "own"})
    assert "New link" in _words(ben.browser.get(f"/groups/{group}/members"))
    assert "New link" not in _words(mia.browser.get(f"/groups/{group}/members"))


def test_leaving_is_asked_first_and_the_last_one_ends_the_group(
    mia: Member, ben: Member, group: str
) -> None:
    asked = _words(mia.browser.get(f"/groups/{group}/leave"))
    assert "whoever has been in longest will own it after you" in asked
    gone = mia.browser.post(f"/groups/{group}/leave", follow_redirects=True)
    assert "You are out of the group." in _words(gone)
    assert mia.browser.get(f"/groups/{group}").status_code == 404
    assert "the group will be gone" in _words(ben.browser.get(f"/groups/{group}/leave"))
    assert "New link" in _words(ben.browser.get(f"/groups/{group}/members"))
    ben.browser.post(f"/groups/{group}/leave")
    assert "How a group works" in _words(ben.browser.get("/groups"))


# -- joining ---------------------------------------------------------------------------


def test_a_newcomer_joins_at_once_and_is_led_into_todays_game(
    client: FlaskClient, services: Services, mia: Member, group: str, invite: str
) -> None:
    page = client.get(invite)
    assert NAME in _words(page)
    assert "2 members" in _words(page)
    done = client.post(invite, data={"player": _field(page)})
    assert done.status_code == 303
    assert identity.COOKIE in done.headers["Set-Cookie"]
    game = client.get(done.headers["Location"])
    assert f"You are in: {NAME}" in _words(game)
    assert 'id="roll"' in game.text
    assert len(services.circles.view(mia.id, group, DAY, services.clock()).members) == 3
    assert client.get(invite).headers["Location"] == f"/groups/{group}"


def test_joining_twice_from_one_page_makes_one_member(
    app: Flask, client: FlaskClient, services: Services, mia: Member, group: str, invite: str
) -> None:
    form = {"player": _field(client.get(invite))}
    for _ in range(2):
        assert app.test_client().post(invite, data=form).status_code == 303
    assert len(services.circles.view(mia.id, group, DAY, services.clock()).members) == 3


def test_a_player_joins_as_themselves_and_comes_to_the_group(
    app: Flask, services: Services, group: str, invite: str
) -> None:
    zoe = Member(app, services, "Zoe")
    page = zoe.browser.get(invite)
    assert "You join as Zoe" in _words(page)
    assert 'name="player"' not in page.text
    done = zoe.browser.post(invite)
    assert done.headers["Location"] == f"/groups/{group}?joined=1"
    assert "Set-Cookie" not in done.headers
    assert "You are in this group." in _words(zoe.browser.get(done.headers["Location"]))


def test_the_word_that_one_is_in_is_said_to_members_alone(
    client: FlaskClient, app: Flask, services: Services, group: str
) -> None:
    for browser in (client, Member(app, services).browser):
        assert "Kanal" not in browser.get(f"/?joined={group}").text
        assert browser.get("/?joined=nonsense").status_code == 200


def test_an_invite_that_is_none_leads_nowhere(
    client: FlaskClient, mia: Member, group: str, invite: str
) -> None:
    player = _field(client.get(invite))
    for broken in ("/join/nonsense", f"{invite}x", f"/join/{player}", invite[:-1]):
        gone = client.get(broken)
        assert gone.status_code == 404
        assert "This invite leads nowhere" in _words(gone)
        posted = client.post(broken, data={"player": player})
        assert posted.status_code == 404
        assert "Set-Cookie" not in posted.headers


def test_guessing_invites_is_limited_and_a_renewed_one_is_no_guess(
    make_services: Callable[..., Services],
) -> None:
    few = make_services(CHALLENGE_GUESSES_PER_HOUR="2")
    app = create_app(few)
    owner, zoe = Member(app, few), Member(app, few)
    group = few.groups.create(owner.id, NAME, few.clock()).id
    old = _invite(app, few, owner, group)
    few.groups.renew(owner.id, group)
    tried = [old, old, old, f"{old}x", f"{old}x", f"{old}x"]
    statuses = [zoe.browser.post(path).status_code for path in tried]
    assert statuses == [404, 404, 404, 404, 404, 429]


def test_a_full_group_says_so(
    app: Flask, services: Services, valkey: redis.Redis, group: str, invite: str
) -> None:
    crowd_into(valkey, group, 198)
    zoe = Member(app, services)
    page = zoe.browser.get(invite)
    assert "This group is full." in _words(page)
    assert "<form method" not in page.text.partition("<main")[2].partition("</main>")[0]
    assert zoe.browser.post(invite).status_code == 409


def test_two_hundred_members_fit_on_the_page(
    services: Services, valkey: redis.Redis, mia: Member, group: str
) -> None:
    crowd_into(valkey, group, 198)
    mia.play(1)
    page = mia.browser.get(f"/groups/{group}?sheet={SHEET}")
    assert "1 of 200 done" in _words(page)
    assert "Not begun yet 199" in _words(page)
    assert len(_table(page)) == 10
    whole = mia.browser.get(f"/groups/{group}?sheet={SHEET}&whole=1")
    assert len(_table(whole)) == 200


# -- words and names -------------------------------------------------------------------


def test_names_of_groups_and_players_stand_as_text(
    services: Services, mia: Member, ben: Member, group: str
) -> None:
    services.players.rename(ben.id, "<svg onload=x>")
    mia.play(1), ben.play(2)
    for tail in [*PAGES, f"/versus?sheet={SHEET}", f"?sheet={SHEET}", f"/members/{ben.id}"]:
        page = mia.browser.get(f"/groups/{group}{tail}").text
        assert "Kanal" in page
        assert "<i>Kanal" not in page
        assert "<svg onload" not in page


def test_a_member_without_a_name_is_told_where_to_get_one(
    app: Flask, services: Services, mia: Member, group: str, invite: str
) -> None:
    nameless = Member(app, services)
    nameless.browser.post(invite)
    path, hint = f"/groups/{group}", "Your friends see you without a name."
    assert hint in _words(nameless.browser.get(path))
    assert hint not in _words(mia.browser.get(path))


def test_every_page_speaks_german(
    app: Flask, services: Services, mia: Member, ben: Member, group: str
) -> None:
    german = browser_of(app, mia.id, "de")
    mia.play(1)
    said = {
        "": "Noch nicht dran gewesen",
        "/members": "Neuer Link",
        f"/members/{ben.id}": "Leitung übergeben",
        "/leave": "Gruppe verlassen?",
        f"/versus?sheet={SHEET}": "Zu zweit",
        "/weeks/2026-W49": "Woche 49, 2026",
        "/months/2026-11": "November 2026",
    }
    for tail, words in said.items():
        assert words in _words(german.get(f"/groups/{group}{tail}"))


def test_what_the_owner_did_to_a_member_is_said_afterwards(
    mia: Member, ben: Member, group: str
) -> None:
    seat = f"/groups/{group}/members/{ben.id}"
    done = mia.browser.post(seat, data={"do": "own"}, follow_redirects=True)
    assert "The group has another owner now." in _words(done)
    other = f"/groups/{group}/members/{mia.id}"
    done = ben.browser.post(other, data={"do": "remove"}, follow_redirects=True)
    assert "This person is out of the group." in _words(done)
