"""Friends stand before the rest of the world: on the leaderboard and at the end of a game."""

from __future__ import annotations

import re

import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient

from challenge.service.services import Services
from tests.conftest import Clock
from tests.service.players import begin, play_out
from tests.web.boards import DAY, browser_of, crowd

SHEET = "generala"
GAME = f"/2026-11-30/{SHEET}"
BOARD = f"{GAME}/leaderboard"


def friends_on(page: str) -> str:
    """The part of a page that is the friends'."""
    found = re.search(r'<section class="friends">.*?</section>', page, re.DOTALL)
    return found[0] if found else ""


def ranks_on(page: str) -> list[tuple[str, str]]:
    """Rank and name of the friends shown."""
    cells = re.findall(
        r'<td class="rank">([^<]*)</td>.*?<bdi class="player">([^<]*)</bdi>',
        friends_on(page),
        re.DOTALL,
    )
    return [(rank, name) for rank, name in cells]


class Circle:
    """Mia's group, and whoever she lets in."""

    def __init__(self, services: Services, clock: Clock) -> None:
        self._services, self._clock = services, clock
        self.mia = services.players.create("Mia").id
        self._group = services.groups.create(self.mia, "Office", clock()).id

    def friend(self, name: str) -> str:
        """A new member."""
        player = self._services.players.create(name).id
        invite = self._services.groups.invitation(self.mia, self._group)
        self._services.groups.join(player, invite, self._clock())
        return player

    def plays(self, player: str, seed: int) -> int:
        """A whole game; its score."""
        return play_out(self._services, player, DAY, SHEET, seed).total


@pytest.fixture
def circle(services: Services, clock: Clock) -> Circle:
    """A group of one."""
    return Circle(services, clock)


def test_friends_are_ranked_among_themselves_before_everyone(
    app: Flask, services: Services, valkey: redis.Redis, circle: Circle
) -> None:
    crowd(services, valkey, SHEET, [500] * 3)  # better than all friends
    jonas, ben = circle.friend("Jonas"), circle.friend("Ben")
    begin(services, ben, DAY, SHEET)
    scores = {"Mia": circle.plays(circle.mia, 2), "Jonas": circle.plays(jonas, 5)}
    first, second = sorted(scores, key=lambda name: -scores[name])
    page = browser_of(app, circle.mia).get(BOARD).text
    assert ranks_on(page) == [("1", first), ("2", second)]
    assert "2 of 3 done" in friends_on(page)
    assert page.index("Friends</h2>" if "Friends</h2>" in page else "Friends <small>") < page.index(
        "Everyone <small>"
    )
    result = browser_of(app, circle.mia).get(GAME).text
    assert ranks_on(result) == [("1", first), ("2", second)]


def test_ties_among_friends_share_a_place(app: Flask, circle: Circle) -> None:
    for name in ("Jonas", "Ben"):
        circle.plays(circle.friend(name), 5)
    circle.plays(circle.mia, 5)
    page = browser_of(app, circle.mia).get(BOARD).text
    assert [rank for rank, _ in ranks_on(page)] == ["=1", "=1", "=1"]


def test_their_games_are_linked_for_who_has_finished_only(app: Flask, circle: Circle) -> None:
    circle.plays(circle.friend("Jonas"), 5)
    mia = browser_of(app, circle.mia)
    assert "/games/" not in friends_on(mia.get(BOARD).text)
    circle.plays(circle.mia, 2)
    assert f'href="{GAME}/games/' in friends_on(mia.get(BOARD).text)


def test_a_result_shows_the_best_ten_and_the_own_row(app: Flask, circle: Circle) -> None:
    best = [circle.plays(circle.friend(f"Friend {seed}"), seed) for seed in range(25, 36)]
    assert circle.plays(circle.mia, 24) < min(best)
    mia = browser_of(app, circle.mia)
    shown = ranks_on(mia.get(GAME).text)
    assert (len(shown), shown[-1]) == (11, ("12", "Mia"))
    assert len(ranks_on(mia.get(BOARD).text)) == 12


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Your friends would stand here"), ("de", "Hier stünden deine Freunde")],
)
def test_a_stranger_is_told_how_friends_come_here(
    client: FlaskClient, language: str, words: str
) -> None:
    page = friends_on(client.get(BOARD, headers={"Accept-Language": language}).text)
    assert words in page
    assert 'href="/groups"' in page


def test_where_no_friend_has_finished_it_says_so(app: Flask, circle: Circle, clock: Clock) -> None:
    circle.friend("Jonas")
    mia = browser_of(app, circle.mia)
    assert "None of your friends has finished this sheet yet." in friends_on(mia.get(BOARD).text)
    clock.set("2026-12-02 12:00")
    assert "None of your friends finished this sheet on this day." in mia.get(BOARD).text


def test_further_down_the_list_and_in_the_archive_there_are_no_friends(
    app: Flask, services: Services, valkey: redis.Redis, circle: Circle, clock: Clock
) -> None:
    crowd(services, valkey, SHEET, [1] * 60)
    circle.plays(circle.friend("Jonas"), 5)
    mia = browser_of(app, circle.mia)
    assert ranks_on(mia.get(f"{BOARD}?offset=0").text) == [("1", "Jonas")]
    assert friends_on(mia.get(f"{BOARD}?offset=50").text) == ""
    clock.set("2026-12-05 12:00")
    circle.plays(circle.mia, 2)
    assert friends_on(mia.get(GAME).text) == ""


@pytest.mark.parametrize(
    ("language", "words"), [("en", ("Friends", "You")), ("de", ("Freunde", "Du"))]
)
def test_every_page_leads_to_friends_and_to_oneself(
    client: FlaskClient, language: str, words: tuple[str, str]
) -> None:
    page = client.get("/privacy", headers={"Accept-Language": language}).text
    for target, word in zip(("/groups", "/me"), words, strict=True):
        assert page.count(f'<a href="{target}">{word}</a>') == 2  # head and menu
        assert client.get(target).status_code == 200
