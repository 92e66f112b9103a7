"""A finished game in words: where it stands, and the text to copy."""

from __future__ import annotations

from dataclasses import dataclass

from challenge.daily import share
from challenge.daily.ranking import Standing
from challenge.service.standings import Finish
from challenge.web.api.playing import result_text
from challenge.web.i18n import gettext, language, ngettext, translations


@dataclass(frozen=True, slots=True)
class Words:
    """A headline and what else there is to say."""

    title: str
    facts: list[str]


def text_of(finish: Finish) -> str:
    """The three lines to paste, in the reader's language."""
    return result_text(finish, language())


def words_of(standing: Standing | None, final: bool, streak: int | None) -> Words:
    """Percentile before place, as long as there are enough players to have one."""
    if standing is None:
        return Words(gettext("From the archive"), [gettext("This game is off the board.")])
    title, facts = _headline(standing, final)
    if standing.tied:
        others = ngettext(
            "%(n)d other has the same score", "%(n)d others have the same score", standing.tied
        )
        facts.append(others % {"n": standing.tied})
    if streak is not None and streak > 1:
        facts.append(gettext("%(n)d days in a row") % {"n": streak})
    return Words(title, facts)


def _headline(standing: Standing, final: bool) -> tuple[str, list[str]]:
    if standing.players < share.PLACE_BELOW:
        return share.standing_words(standing, final, translations(language()), language()), []
    place = (
        gettext("Place %(rank)d of %(players)d")
        if final
        else gettext("Place %(rank)d of %(players)d so far")
    )
    title = gettext("Better than %(percent)d %%") % {"percent": standing.percent}
    return title, [place % {"rank": standing.rank, "players": standing.players}]
