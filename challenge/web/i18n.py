"""Languages: English is the source, every other one is a catalogue file.

A catalogue is ``translations/<language>/LC_MESSAGES/messages.po``, compiled into
memory at the start. Names of sheets and boxes stand in English in the
sheet data; their message context tells apart what one English word means on
different sheets.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import cache
from io import BytesIO
from pathlib import Path

from babel import Locale, dates, numbers
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from flask import Flask, g, request
from markupsafe import Markup
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from challenge.errors import BadInput, IllegalAction
from challenge.game.ruleset import Category, Ruleset

SOURCE = "en"
COOKIE = "lang"
CATALOGUES = Path(__file__).parent / "translations"

# The source language is written with European dates: day before month.
_LOCALES = {SOURCE: "en_GB"}


def N_(message: str) -> str:  # noqa: N802 (the name the extraction looks for)
    """Mark a message for extraction that is translated elsewhere."""
    return message


NOTICES: dict[str, str] = {
    "must_matching": N_("All dice are equal: they belong in their own upper box."),
    "joker_lower": N_("Its upper box is full: this throw is a joker for any lower box."),
    "zero_upper": N_("Every lower box is full: enter 0 in an open upper box."),
    "next_only": N_("This sheet is filled in order: only the next box is open."),
}
"""Notice code of :data:`challenge.service.views.games.NOTICES` -> its English sentence."""

REASONS: dict[str, str] = {
    "first_roll_takes_all_dice": N_("The first roll of a turn throws all dice."),
    "nothing_to_roll": N_("Every die is held. Let at least one go, or choose a box."),
    "no_rolls_left": N_("No rolls are left in this turn. Choose a box."),
    "roll_first": N_("Roll before you choose a box."),
    "box_filled": N_("This box is already filled."),
    "box_barred": N_("This box is barred for these dice."),
    "game_finished": N_("This game is finished."),
}
"""Reason of :class:`challenge.errors.IllegalAction` -> what the page says."""


BOTS: dict[str, str] = {
    "greedy": N_("Greedy computer"),
    "planner": N_("Planning computer"),
    "optimal": N_("Optimal computer"),
}
"""Strength of a computer player -> its English name."""


@cache
def languages() -> tuple[str, ...]:
    """Codes of all languages, the source language first."""
    found = sorted(path.parent.parent.name for path in CATALOGUES.glob("*/LC_MESSAGES/*.po"))
    return (SOURCE, *found)


@cache
def translations(language: str) -> NullTranslations:
    """The catalogue of a language; the source language needs none.

    Raises:
        BadInput: there is no such language.
    """
    if language == SOURCE:
        return NullTranslations()
    if language not in languages():
        raise BadInput(
            f"There is no language {language[:20]!r}; choose of {', '.join(languages())}."
        )
    compiled = BytesIO()
    with (CATALOGUES / language / "LC_MESSAGES" / "messages.po").open("rb") as source:
        write_mo(compiled, read_po(source, locale=language))
    compiled.seek(0)
    return Translations(compiled)


def negotiate(accept_language: str | None, choice: str | None = None) -> str:
    """The language to answer in: a valid ``choice``, else the best of ``Accept-Language``."""
    if choice in languages():
        return choice
    for tag, quality in parse_accept_header(accept_language, LanguageAccept):
        # By the main language: who asks for de-CH before en wants German.
        code = tag.partition("-")[0].lower()
        if quality > 0 and code in languages():
            return code
    return SOURCE


def language() -> str:
    """The language of the request: ``?lang=``, else the cookie, else ``Accept-Language``."""
    known: str | None = g.get("language")  # asked hundreds of times a page
    if known is None:
        asked = request.args.get("lang")
        choice = asked if asked in languages() else request.cookies.get(COOKIE)
        known = g.language = negotiate(request.headers.get("Accept-Language"), choice)
    return known


def locale(code: str | None = None) -> Locale:
    """Babel's locale of a language (default: of the request)."""
    return _locale(code or language())


@cache
def _locale(code: str) -> Locale:
    return Locale.parse(_LOCALES.get(code, code))


def language_name(code: str) -> str:
    """A language by its own name."""
    return locale(code).get_language_name(code) or code


def gettext(message: str) -> str:
    """A message in the language of the request."""
    return str(translations(language()).gettext(message))


def _shown(message: str, **variables: object) -> Markup:
    """A message in a template: its variables are escaped, it is not."""
    return Markup(gettext(message)) % variables  # noqa: S704 (our catalogue, no input)


def ngettext(singular: str, plural: str, n: int) -> str:
    """A message in the plural form of ``n``."""
    return str(translations(language()).ngettext(singular, plural, n))


def pgettext(context: str, message: str) -> str:
    """A message that means this in ``context``."""
    return str(translations(language()).pgettext(context, message))


def npgettext(context: str, singular: str, plural: str, n: int) -> str:
    """A message of a context in the plural form of ``n``."""
    return str(translations(language()).npgettext(context, singular, plural, n))


def box_name(ruleset: Ruleset, category: Category, code: str | None = None) -> str:
    """The printed name of a line of a sheet."""
    return str(translations(code or language()).pgettext(ruleset.names, category.name))


def sheet_name(ruleset: Ruleset, code: str | None = None) -> str:
    """The full name of a sheet."""
    return str(translations(code or language()).pgettext("sheet", ruleset.name))


def sheet_short(ruleset: Ruleset, code: str | None = None) -> str:
    """The short name of a sheet, as results carry it."""
    return str(translations(code or language()).pgettext("sheet-short", ruleset.short))


def bot_name(strength: str, code: str | None = None) -> str:
    """The name of a computer player."""
    return str(translations(code or language()).gettext(BOTS[strength]))


def notice_text(notice: str, code: str | None = None) -> str:
    """Why boxes are barred, in words; ``notice`` is a code of ``views.NOTICES``."""
    return str(translations(code or language()).gettext(NOTICES[notice]))


def reason_text(error: IllegalAction) -> str:
    """Why the rules forbid an action, in words."""
    return gettext(REASONS[error.reason])


def long_date(day: date) -> str:
    """``Monday 30 November 2026``."""
    return dates.format_date(day, "full", locale())


def short_date(day: date) -> str:
    """``30 November``."""
    return dates.format_skeleton("MMMMd", day, locale=locale())


def month(day: date) -> str:
    """``November 2026``."""
    return dates.format_skeleton("yMMMM", day, locale=locale())


def clock(instant: datetime) -> str:
    """``Tue 03:00``, in the zone the instant carries."""
    return dates.format_skeleton("EHm", instant, locale=locale())


def time(instant: datetime) -> str:
    """``03:00``, in the zone the instant carries."""
    return dates.format_skeleton("Hm", instant, locale=locale())


def in_a_while(seconds: int) -> str:
    """``in 12 minutes``, rounded up: whoever comes back then does not come too early."""
    unit = 3600 if seconds > 5400 else 60 if seconds > 90 else 1
    whole = timedelta(seconds=-(-seconds // unit) * unit)
    return dates.format_timedelta(whole, threshold=1.6, add_direction=True, locale=locale())


def decimal(value: float) -> str:
    """A number as the language writes it."""
    return numbers.format_decimal(value, locale=locale())


def fraction(value: float) -> str:
    """A number with one digit behind the point, as the language writes it."""
    return numbers.format_decimal(value, "#,##0.0", locale=locale())


def init_app(app: Flask) -> None:
    """Teach the templates of ``app`` the language of the request."""
    for code in languages():
        translations(code)  # read now, not in the first request
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        gettext, ngettext, newstyle=True, pgettext=pgettext, npgettext=npgettext
    )
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    app.jinja_env.filters.update(
        long_date=long_date,
        short_date=short_date,
        month=month,
        clock=clock,
        time=time,
        decimal=decimal,
        fraction=fraction,
    )
    app.jinja_env.globals.update(
        _=_shown,  # what Jinja has for it calls three functions for each of a hundred messages
        language=language,
        languages=languages,
        box_name=box_name,
        sheet_name=sheet_name,
        sheet_short=sheet_short,
        language_name=language_name,
    )
