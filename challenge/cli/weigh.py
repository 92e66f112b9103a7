"""``challenge weigh``: weighs the finished games that wait for it, for ``challenge fairplay``."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from datetime import timedelta

import click

from challenge import config, lifeline, logs
from challenge.bootstrap import build
from challenge.cli.prepare import KINDLY, PARENT
from challenge.errors import BoardRefused, NotFound, NotOpenYet, NotSolved
from challenge.game import rulesets
from challenge.service.fairplay import WEEK
from challenge.service.services import Services
from challenge.service.solved import need_solver
from challenge.store.keys import BoardId

log = logging.getLogger("challenge.weigh")


@click.command()
def weigh() -> None:
    """Weigh finished games of the past week for knowledge of the dice, as far as missing.

    The worker starts this by itself, unless CHALLENGE_FAIRPLAY is off. Boards of sheets that
    are not solved yet are passed over. Needs the extra `solver`.

    \b
    Example:
      challenge weigh
    """
    need_solver("numpy")
    parent = int(os.environ.get(PARENT, "0"))
    if parent:
        lifeline.tie_to(parent)
        lifeline.watch(parent)
    os.nice(KINDLY)
    settings = config.load()
    logs.begin(settings.request_log)
    weigh_waiting(build(settings))


def weigh_waiting(services: Services) -> int:
    """Weighs what waits on the boards of the past week, the latest first; how many games.

    Raises:
        StoreUnavailable: Redis does not answer; the next call goes on.
    """
    if services.fairplay.mode == "off":
        return 0
    now = services.clock()
    today = services.days.today(now)
    days = [today - timedelta(days=back) for back in range(WEEK)]
    boards = [BoardId(day, sheet.id) for day in days for sheet in rulesets.RULESETS]
    done = 0
    for id in services.fairplay.waiting(boards):
        with suppress(NotSolved, BoardRefused, NotFound, NotOpenYet):
            done += services.fairplay.weigh(services.days.peek(id.day, id.ruleset, now))
    log.info("weighed %d games", done)
    return done
