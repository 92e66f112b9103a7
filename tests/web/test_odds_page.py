"""What to expect on a sheet: figures, drawing and table, or one line where nothing is known."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from challenge.game import rulesets
from challenge.service.services import Services
from challenge.service.solved import Solved
from challenge.web import create_app
from challenge.web.pages.rules import odds_chart
from challenge.web.pages.rules.odds import _quantile

SHEET = rulesets.find("generala")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a table and no distribution beside it yet."""
    made = tmp_path_factory.mktemp("odds")
    Solved(made / "solver").solve(SHEET, lambda _done, _states: None)
    return made


def page(make_services: Callable[..., Services], folder: Path, sheet: str, language: str = "en"):
    services = make_services(CHALLENGE_DATA_DIR=str(folder))
    client = create_app(services).test_client()
    return client.get(f"/rules/{sheet}/odds", headers={"Accept-Language": language})


def test_mean_first_and_all_of_it_once_the_spread_is_worked_out(
    make_services: Callable[..., Services], folder: Path
) -> None:
    solved = Solved(folder / "solver")
    mean = f"{solved.load(SHEET).mean:.3f}"
    before = page(make_services, folder, SHEET.id)
    assert mean in before.text
    assert "<svg viewBox" not in before.text.split("<h1>")[1]
    assert "has not been worked out here" in before.text
    odds = solved.odds(SHEET, lambda _done, _states: None)
    after = page(make_services, folder, SHEET.id, "de").text
    assert mean.replace(".", ",") in after
    assert f"{odds.sd:.3f}".replace(".", ",") in after
    assert after.count('<rect class="bar"') > 10
    assert f"<td>{odds.quantile(0.5)}</td>" in after
    for share in (0.01, 0.25, 0.5, 0.99):
        assert _quantile(odds.chance.tolist(), share) == odds.quantile(share)


@pytest.mark.parametrize(
    ("sheet", "says"),
    [
        ("yatzy", "Optimal play of this sheet has not been worked out here yet."),
        ("yacht-triple", "This sheet is too large for optimal play to be worked out exactly."),
    ],
)
def test_a_sheet_that_is_not_solved_has_a_page_that_says_so(
    make_services: Callable[..., Services], folder: Path, sheet: str, says: str
) -> None:
    answer = page(make_services, folder, sheet)
    assert answer.status_code == 200
    assert says in answer.text


def test_a_sheet_that_is_none_is_not_found(
    make_services: Callable[..., Services], folder: Path
) -> None:
    assert page(make_services, folder, "poker").status_code == 404


@pytest.mark.parametrize("width", [1, 7, 150, 1500])
def test_the_drawing_holds_all_but_one_game_in_a_thousand(width: int) -> None:
    weights = [min(i + 1, width - i) for i in range(width)]
    chance = [0.0] * 20 + [weight / sum(weights) for weight in weights]
    chart = odds_chart.draw(chance)
    assert 0 <= chart.outside <= 0.001 + 1e-9
    assert len(chart.bars) <= odds_chart.BARS
    assert max(bar.height for bar in chart.bars) == odds_chart.TALLEST
    for bar in chart.bars:
        assert bar.x >= 0
        assert bar.x + bar.width <= odds_chart.WIDTH + 0.01
        assert bar.share == pytest.approx(sum(chance[bar.low : bar.high + 1]))
    assert 0 <= chart.mean_x <= odds_chart.WIDTH
    assert all(0 <= tick.x <= odds_chart.WIDTH for tick in chart.ticks)
