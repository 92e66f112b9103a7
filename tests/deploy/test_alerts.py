"""The alert rules name figures that exist, and Prometheus' own tool accepts both."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import Any

import pytest
import yaml
from flask import Flask

from challenge.service.services import Services
from challenge.store import tally
from challenge.web.watch.figures import SECONDS
from tests.paths import ROOT
from tests.service.players import play_out
from tests.web.boards import DAY
from tests.web.figures import Figures

FILE = ROOT / "deploy" / "alerts.yml"
RULES: list[dict[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))["groups"][0]["rules"]
BY_NAME = {rule["alert"]: rule for rule in RULES}
METRIC = re.compile(r"\b(samedice_\w+)(?:\{([^}]*)\})?")
MATCHER = re.compile(r'(\w+)\s*(=~|=)\s*"([^"]*)"')
BY = re.compile(r"\bby \(([^)]*)\)")
FOREIGN = {"instance", "job"}  # labels that Prometheus gives to what it scrapes
PROMTOOL = shutil.which("promtool")

needs_promtool = pytest.mark.skipif(
    PROMTOOL is None, reason="promtool is not installed (Debian: prometheus)"
)


@pytest.fixture
def text(app: Flask, services: Services) -> str:
    """/metrics after something of everything has happened."""
    client = app.test_client()
    play_out(services, services.players.new_id(), DAY, "yacht")
    services.worker.round()
    for event, (labels, _) in tally.EVENTS.items():
        tally.count(event, *("example" for _ in labels))
    client.post(f"/api/v1/challenges/{DAY}/yacht/game/roll")
    client.get(f"/{DAY}/yacht")
    return client.get("/metrics").text


@pytest.fixture
def figures(text: str) -> Figures:
    """The same, read."""
    return Figures(text)


def test_every_alert_has_its_own_name() -> None:
    assert len(BY_NAME) == len(RULES) >= 9


@pytest.mark.parametrize("rule", RULES, ids=BY_NAME)
def test_an_alert_says_what_is_wrong_and_what_to_do(rule: dict[str, Any]) -> None:
    assert rule["labels"]["severity"] in ("page", "ticket")
    assert 10 < len(rule["annotations"]["summary"]) < 100
    assert len(rule["annotations"]["description"]) > 100


def test_the_alerts_name_figures_and_labels_that_exist(figures: Figures) -> None:
    for rule in RULES:
        named = METRIC.findall(rule["expr"])
        assert named or "up{" in rule["expr"]
        for name, matchers in named:
            assert name in figures.samples, name
            _check_matchers(name, matchers, figures)
        labels = {label for name, _ in named for label in figures.labels(name)} | FOREIGN
        used = {label.strip() for group in BY.findall(rule["expr"]) for label in group.split(",")}
        assert used <= labels
        _check_words(" ".join(rule["annotations"].values()), labels, figures)


def _check_matchers(name: str, matchers: str, figures: Figures) -> None:
    """A label that is asked for is there, with a value that can match."""
    for label, how, value in MATCHER.findall(matchers):
        assert label in figures.labels(name), (name, label)
        there = figures.values(name, label)
        found = (re.fullmatch(value, one) if how == "=~" else value == one for one in there)
        assert any(found) or label == "status", (name, label, value)


def _check_words(words: str, labels: set[str], figures: Figures) -> None:
    assert set(re.findall(r"\$labels\.(\w+)", words)) <= labels
    assert set(re.findall(r"samedice_\w+", words)) <= set(figures.samples)
    assert set(re.findall(r"Samedice\w+", words)) <= set(BY_NAME)


def test_the_bound_of_the_slow_alert_is_a_bound_of_the_histogram() -> None:
    assert float(BY_NAME["SamediceSlow"]["expr"].rsplit(">", 1)[1]) in SECONDS


def test_the_table_of_figures_is_that_of_metrics(figures: Figures) -> None:
    readme = (ROOT / "deploy" / "README.md").read_text("utf-8")
    documented = set(re.findall(r"^\| `(samedice_\w+)`", readme, re.M))
    told = {re.sub(r"_(bucket|sum|count)$", "", name) for name in figures.samples}
    assert documented == told


@needs_promtool
def test_promtool_accepts_the_rules() -> None:
    assert PROMTOOL is not None
    done = subprocess.run(
        [PROMTOOL, "check", "rules", FILE], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(RULES)} rules found" in done.stdout


@needs_promtool
def test_the_alerts_fire_when_they_should_and_not_before() -> None:
    assert PROMTOOL is not None
    cases = ROOT / "tests" / "deploy" / "alerts.test.yml"
    assert set(re.findall(r"alertname: (Samedice\w+)", cases.read_text("utf-8"))) == set(BY_NAME)
    done = subprocess.run(
        [PROMTOOL, "test", "rules", cases], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@needs_promtool
def test_promtool_accepts_the_figures(text: str) -> None:
    assert PROMTOOL is not None
    done = subprocess.run(
        [PROMTOOL, "check", "metrics"], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
