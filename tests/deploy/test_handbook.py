"""What deploy/README.md tells an operator to type, typed; and that what it points to is there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.test_validators import COMPOSE
from tests.paths import ROOT

TEXT = (ROOT / "deploy" / "README.md").read_text("utf-8")
STEPS = TEXT.split("\n## First steps\n")[1].split("\n## ")[0]

ELSEWHERE = ("python3 deploy/run.py play",)  # tests/browser/test_readme.py
NEEDS_MORE = (  # than a test has: a network, a running systemd, Docker or cluster
    "python3 -m venv",
    "/opt/samedice/bin/pip install",
    "systemctl daemon-reload",
    "systemd-run ",
    "docker build ",
    "docker push ",
    "docker run ",
    "docker compose -f deploy/compose.yaml up ",
    "docker compose -f deploy/compose.yaml exec ",
    "kubectl apply ",
    "kubectl -n ",
)


def lines(section: str) -> list[str]:
    """The commands of a section, in order."""
    text = STEPS.split(f"\n### {section}\n")[1].split("\n### ")[0]
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def sections() -> list[str]:
    """Every way to run it."""
    return re.findall(r"^### (.+)$", STEPS, re.M)


def adapted(line: str, root: Path) -> str:
    """The command with its system below ``root``; systemd enables units of one, too."""
    line = re.sub(r"(?<= )/etc/", f"{root}/etc/", line)
    line = line.replace("systemctl enable --now", f"systemctl --root={root} enable")
    line = line.replace("docker compose", " ".join(COMPOSE))
    return re.sub(r"^python3 ", f"{sys.executable} ", line)


def can_be_run(line: str) -> bool:
    """Whether this machine has what the line needs."""
    if line.startswith("docker compose"):
        return bool(COMPOSE)
    return shutil.which(line.split(maxsplit=1)[0]) is not None


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy of deploy/, and an empty system beside it."""
    (tmp_path / "root" / "etc" / "systemd" / "system").mkdir(parents=True)
    shutil.copytree(ROOT / "deploy", tmp_path / "clone" / "deploy")
    for name in (".env", "kubernetes/secret.yaml"):
        (tmp_path / "clone" / "deploy" / name).unlink(missing_ok=True)
    return tmp_path


@pytest.mark.parametrize("section", sections())
def test_the_first_steps_work_as_they_are_written(clone: Path, section: str) -> None:
    for line in lines(section):
        if line in ELSEWHERE or line.startswith(NEEDS_MORE) or not can_be_run(line):
            continue
        command = adapted(line, clone / "root")
        done = subprocess.run(
            ["sh", "-ec", command], cwd=clone / "clone", capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{line}\n{done.stderr}"


def test_no_command_is_left_out_without_a_reason() -> None:
    run = ("install ", "cp ", "chmod ", "python3 -c ", "systemctl enable ", "kubectl kustomize ")
    for section in sections():
        for line in lines(section):
            known = line in ELSEWHERE or line.startswith((*NEEDS_MORE, *run))
            assert known or line.startswith("docker compose -f deploy/compose.yaml config "), line


def test_a_file_with_secrets_is_installed_for_nobody_else(clone: Path) -> None:
    for line in lines("One server"):
        if line.startswith("install "):
            subprocess.run(adapted(line, clone / "root").split(), cwd=clone / "clone", check=True)
    settings = clone / "root" / "etc" / "samedice" / "samedice.env"
    assert settings.stat().st_mode & 0o077 == 0
    assert settings.parent.stat().st_mode & 0o077 == 0


def test_the_secret_of_a_cluster_is_copied_for_nobody_else(clone: Path) -> None:
    (copying,) = [line for line in lines("Kubernetes") if "secret.example.yaml" in line]
    subprocess.run(copying.split(), cwd=clone / "clone", check=True, umask=0o022)
    secret = clone / "clone" / "deploy" / "kubernetes" / "secret.yaml"
    assert secret.stat().st_mode & 0o077 == 0


def test_an_export_a_shell_writes_is_for_nobody_else(tmp_path: Path) -> None:
    """Names and invites stand in it; the command itself makes its FILE so."""
    (typed,) = re.findall(r"`([^`]*challenge export - > samedice\.jsonl[^`]*)`", TEXT)
    command = re.sub(r"docker compose .* export -", "echo", typed)
    subprocess.run(["sh", "-ec", command], cwd=tmp_path, check=True, umask=0o022)
    assert (tmp_path / "samedice.jsonl").stat().st_mode & 0o077 == 0


def test_every_way_in_the_table_has_its_first_steps() -> None:
    table = TEXT.split("\n## Which way\n")[1].split("\n## ")[0]
    anchors = {name.lower().replace(" ", "-") for name in sections()}
    assert set(re.findall(r"\]\(#([a-z-]+)\)", table)) == anchors


def test_what_it_points_to_is_there() -> None:
    anchors = {
        re.sub(r"[^a-z0-9 -]", "", name.lower()).replace(" ", "-")
        for name in re.findall(r"^##+ (.+)$", TEXT, re.M)
    }
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        if target.startswith("#"):
            assert target[1:] in anchors, target
        elif "://" not in target:
            assert (ROOT / "deploy" / target.split("#")[0]).exists(), target


def test_the_first_table_leads_to_every_section() -> None:
    named = re.findall(r"\[([^\]]+)\]\(#", TEXT.split("\n## ")[0])
    assert sorted(named) == sorted(re.findall(r"^## (.+)$", TEXT, re.M))


def test_the_table_of_files_names_every_file() -> None:
    table = TEXT.split("\n## ")[0]
    named = {name.rstrip("/") for name in re.findall(r"`([^`]+)`", table)}
    skipped = {"README.md", "picture.png", "__pycache__", "Dockerfile.dockerignore", ".env"}
    here = {name for name in os.listdir(ROOT / "deploy") if name not in skipped}  # noqa: PTH208
    assert here <= named
