"""The end of a game: where it stands, the text to copy, today's scores, what is left to play."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from flask import render_template

from challenge.daily import share
from challenge.daily.ranking import Standing
from challenge.service.standings import Finish
from challenge.solver.skill import Skill
from challenge.web import links
from challenge.web.api.playing import result_text
from challenge.web.current import now, services
from challenge.web.i18n import decimal, gettext, language, ngettext, translations
from challenge.web.links import SharedGame
from challenge.web.pages import chart, friends, others, ranks
from challenge.web.pages.links import sent
from challenge.web.pages.place import Facts, Place
from challenge.web.pages.sheet import Sheet

FRIENDS = 10  # shown beside a result; the leaderboard has them all
STREAK_TO_LOSE = 3  # days from which a recovery code is proposed


@dataclass(frozen=True, slots=True)
class Words:
    """A headline and what else there is to say."""

    title: str
    facts: list[str]


def page(player: str, sheet: Sheet, facts: Facts, place: Place, note: str | None) -> str:
    """The page of a finished game."""
    finish = services().standings.finish(player, place.on, sheet.ruleset.id, now())
    skill = services().reviews.skill(player, finish.board, now())
    return render_template(
        "result.html",
        sheet=sheet,
        challenge=facts,
        place=place,
        note=note,
        today=services().days.today(now()).isoformat(),
        share=result_text(finish, language(), skill),
        link=links.result_link(SharedGame(place.on, sheet.ruleset.id, player)),
        friends=friends.of(player, place.on, sheet.ruleset.id, FRIENDS)
        if finish.standing
        else None,
        standing=own_words(player, finish, skill),
        sender=sent.sender(player, place.on, sheet.ruleset.id),
        chart=chart_of(place.on, sheet.ruleset.id, finish.score),
        others=others.of(player, place.on, sheet.ruleset.id, facts.state),
        losable=_losable(player, finish),
        nameless=finish.standing is not None and _nameless(player),
    )


def _nameless(player: str) -> bool:
    return not ranks.is_named(player, services().players.view(player).name)


def _losable(player: str, finish: Finish) -> bool:
    """Whether there is a streak to lose with the cookies, and no way back noted down."""
    if finish.final or finish.streak < STREAK_TO_LOSE:
        return False
    return not services().devices.has_recovery(player)


def chart_of(day: date, ruleset: str, own: int | None) -> chart.Chart | None:
    """The histogram of a board with one's own score marked."""
    found = services().standings.distribution(day, ruleset, now())
    return chart.draw({each.score: each.count for each in found.bins}, own)


def words_of(standing: Standing, final: bool) -> Words:
    """Percentile before place, as long as there are enough players to have one."""
    title, place = headline(standing, final)
    shared = ngettext("shared with %(n)s other", "shared with %(n)s others", standing.tied)
    facts = [place] if place else []
    if standing.tied:
        facts.append(shared % {"n": decimal(standing.tied)})
    return Words(title, [", ".join(facts)] if facts else [])


def own_words(player: str, finish: Finish, skill: Skill | None) -> Words:
    """Where the game stands, how well it was played, and beside what others of the player."""
    played = [share.skill_words(skill.percent, translations(language()))] if skill else []
    if finish.standing is None:
        facts = [gettext("This game is off the board."), *played]
        return Words(gettext("From the archive"), facts)
    title, place = headline(finish.standing, finish.final)
    streak = [gettext("streak %(n)d") % {"n": finish.streak}] if finish.streak > 1 else []
    own = [*map(_whole, played), *_best_words(player, finish), *map(_whole, streak)]
    return Words(title, [line for line in (place, " · ".join(own)) if line])


def _whole(words: str) -> str:
    """Words that stay on one line: a figure and what it counts."""
    return words.replace(" ", "\u00a0")


def _best_words(player: str, finish: Finish) -> list[str]:
    """The player's best of this sheet on other days; nothing beside a first game."""
    board = finish.board
    best = services().records.best(player, board.ruleset.id, beside=board.id.day)
    if best is None:
        return []
    if best < finish.score:
        return [gettext("Your best so far")]
    return [gettext("Your best: %(n)s") % {"n": decimal(best)}]


def headline(standing: Standing, final: bool) -> tuple[str, str]:
    """The percentile, and the place beside it; where few have played, the place alone."""
    if standing.players < share.PLACE_BELOW:
        return share.standing_words(standing, final, translations(language()), language()), ""
    place = (
        gettext("Place %(rank)s of %(players)s")
        if final
        else gettext("Place %(rank)s of %(players)s so far")
    )
    title = gettext("Better than %(percent)d %%") % {"percent": standing.percent}
    return title, place % {"rank": decimal(standing.rank), "players": decimal(standing.players)}


def difference(theirs: int, own: int) -> str:
    """How another's game compares with the visitor's."""
    if theirs == own:
        return gettext("As many as you")
    apart = abs(theirs - own)
    words = (
        ngettext("%(n)s point more than you", "%(n)s points more than you", apart)
        if theirs > own
        else ngettext("%(n)s point less than you", "%(n)s points less than you", apart)
    )
    return words % {"n": decimal(apart)}
