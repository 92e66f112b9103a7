"""Whether a filled board reads as one that was played."""

from __future__ import annotations

from itertools import islice

from challenge.service.days import Board
from challenge.service.services import Services
from tests.bench.fill import Filled

SOME = 50  # players looked at


def reads_right(services: Services, board: Board, found: Filled) -> None:
    """Asserts that histogram, ranks, pages, records and games are those filled in."""
    day, sheet, now = board.id.day, board.id.ruleset, services.clock()
    shown = services.standings.distribution(day, sheet, now)
    assert {bin.score: bin.count for bin in shown.bins} == found.totals
    (numbers,) = services.store.boards.numbers([(board.id, board.note.shards)])
    assert numbers.started == numbers.finished == found.totals.total()
    for player, total in islice(found.some.items(), SOME):
        above = sum(count for score, count in found.totals.items() if score > total)
        around = services.standings.leaderboard(day, sheet, player, now, around_me=True)
        assert around.me is not None
        assert (around.me.rank, around.me.score) == (above + 1, total)
        assert [row.player for row in around.entries if row.me] == [player]
        assert services.play.view(player, day, sheet, now).total == total
        assert services.records.best(player, sheet) == total
        assert services.store.players.record(player) == {board.id: total}
    first = services.standings.leaderboard(day, sheet, None, now, limit=100)
    best = sorted(found.totals.elements(), reverse=True)[:100]
    assert [row.score for row in first.entries] == best
