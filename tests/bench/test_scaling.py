"""The paper on scaling says what its figures come to."""

from __future__ import annotations

import copy
import json
import re

import pytest
from click.testing import CliRunner

from tests.bench import scaling
from tests.bench.needs import busiest_share, needs, shards_for
from tests.paths import ROOT

FILE = ROOT / "deploy" / "scaling.json"
PAPER = ROOT / "deploy" / "scaling.md"
FIGURES = json.loads(FILE.read_text("utf-8"))


def test_the_tables_of_the_paper_are_those_of_its_figures() -> None:
    assert scaling.renewed(PAPER.read_text("utf-8"), FIGURES) == PAPER.read_text("utf-8")
    assert {mark[2] for mark in scaling.MARKS.finditer(PAPER.read_text("utf-8"))} == set(
        scaling.TABLES
    )


def test_what_is_needed_follows_from_what_was_measured() -> None:
    need = needs(FIGURES)
    assert need.moves == pytest.approx(
        10_000_000 * 0.25 / 3600 * FIGURES["model"]["actions_per_game"]
    )
    assert need.day == 10_000_000 * FIGURES["memory"]["finished_game"]
    twice = copy.deepcopy(FIGURES)
    twice["run"]["cpu_us_per_move"]["web"] *= 2
    assert needs(twice).cores == pytest.approx(2 * need.cores)
    assert need.compacted < need.year


def test_the_measured_game_keeps_the_promise_of_400_bytes() -> None:
    assert FIGURES["memory"]["finished_game"] <= 400
    assert FIGURES["run"]["status_5xx"] == 0


def test_more_shards_spread_a_board_more_evenly() -> None:
    shares = [busiest_share(3, shards) for shards in (1, 4, 16, 64)]
    assert [shards_for(3, busy) for busy in (0.1, 0.7, 0.9)] == [16, 64, 64]
    assert shares[0] == 1.0
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] >= 1 / 3


def test_one_command_renews_figures_and_paper(tmp_path) -> None:
    file, paper, run = tmp_path / "s.json", tmp_path / "s.md", tmp_path / "run.json"
    file.write_text(FILE.read_text("utf-8"))
    paper.write_text(PAPER.read_text("utf-8"))
    newer = copy.deepcopy(FIGURES["run"])
    newer["cpu_us_per_move"]["web"] = 123456
    newer["rss_mb"] = {"web": {"start": 1, "middle": 1, "end": 1, "over_time": [1, 1]}}
    run.write_text(json.dumps({"run": newer}))
    done = CliRunner().invoke(scaling.main, [str(file), "--take", str(run), "--write"])
    assert done.exit_code == 0, done.output
    assert "123456 µs" in done.output
    assert "123456 µs" in paper.read_text("utf-8")
    assert "over_time" not in file.read_text("utf-8")
    assert json.loads(file.read_text("utf-8"))["memory"] == FIGURES["memory"]


def test_what_redis_needs_is_taken_from_a_run_on_a_cluster_where_there_is_one(tmp_path) -> None:
    file, run = tmp_path / "s.json", tmp_path / "cluster.json"
    file.write_text(FILE.read_text("utf-8"))
    cluster = {name: copy.deepcopy(FIGURES[name]) for name in ("run", "machine", "model")}
    cluster["run"]["redis"]["cpu_us"] = 987.0
    cluster["machine"]["nodes"] = 3
    cluster["model"]["settings"]["CHALLENGE_BOARD_SHARDS"] = "16"
    run.write_text(json.dumps(cluster))
    done = CliRunner().invoke(scaling.main, [str(file), "--cluster", str(run)])
    assert done.exit_code == 0, done.output
    assert "on a cluster of 3 masters" in done.output
    assert done.output.count("987 µs") == 2
    assert needs({**FIGURES, "cluster": cluster}).store_cores == pytest.approx(
        needs(FIGURES).moves * 987 / 1e6
    )


def test_the_paper_names_what_is_there() -> None:
    text = PAPER.read_text("utf-8")
    for path in re.findall(r"`(tests/[a-z_/]+(?:\.py)?)`", text):
        assert (ROOT / path).exists(), path
