"""The tools that read these files say that they are right, and would say if they were not."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.proxies import caddy_environ, nginx_files
from tests.paths import ROOT

DEPLOY = ROOT / "deploy"
UNITS = sorted(path.name for path in (DEPLOY / "systemd").iterdir())


def needs(*names: str) -> pytest.MarkDecorator:
    """Leaves a test out where a program is missing, and says which."""
    missing = [name for name in names if shutil.which(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed here: {', '.join(missing)}")


def run(*command: str | Path, cwd: Path, **environ: str) -> tuple[int, str]:
    """Exit code and all it said."""
    env = {**os.environ, **environ}
    done = subprocess.run(
        command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    return done.returncode, done.stdout.decode()


def compose_command() -> list[str]:
    """``docker compose`` where it has the plugin, else the program of that name."""
    docker = shutil.which("docker")
    if docker and run(docker, "compose", "version", cwd=ROOT)[0] == 0:
        return [docker, "compose"]
    alone = shutil.which("docker-compose") or shutil.which("docker-compose", path=venv())
    return [alone] if alone else []


def venv() -> str:
    """Where programs of this Python environment are."""
    return str(Path(sys.executable).parent)


COMPOSE = compose_command()


def composed(folder: Path, change: tuple[str, str] = ("", "")) -> tuple[int, str]:
    """What compose says of its file, after a change."""
    for name in ("compose.yaml", "Caddyfile"):
        (folder / name).write_text((DEPLOY / name).read_text().replace(*change))
    (folder / ".env").write_text((DEPLOY / "env.example").read_text())
    return run(*COMPOSE, "-f", folder / "compose.yaml", "config", "--quiet", cwd=folder)


needs_compose = pytest.mark.skipif(not COMPOSE, reason="not installed here: docker compose")


@needs_compose
def test_compose_takes_its_file(tmp_path: Path) -> None:
    code, said = composed(tmp_path)
    assert code == 0, said


@needs_compose
def test_compose_would_refuse_a_wrong_one(tmp_path: Path) -> None:
    code, said = composed(tmp_path, ("cap_drop:", "cap_dorp:"))
    assert code != 0
    assert "cap_dorp" in said


@needs_compose
def test_compose_without_the_public_name_says_what_is_missing(tmp_path: Path) -> None:
    code, said = composed(tmp_path)
    env = tmp_path / ".env"
    env.write_text(env.read_text().replace("SAMEDICE_HOST=", "# SAMEDICE_HOST="))
    code, said = run(*COMPOSE, "-f", tmp_path / "compose.yaml", "config", "-q", cwd=tmp_path)
    assert code != 0
    assert "is the name under which players reach it" in said


def verified(folder: Path, change: tuple[str, str] = ("", "")) -> tuple[int, str]:
    """What systemd says of the units; programs are those of this environment."""
    for name in UNITS:
        text = (DEPLOY / "systemd" / name).read_text().replace("/opt/samedice/bin", venv())
        (folder / name).write_text(text.replace(*change))
    return run(
        "systemd-analyze", "verify", "--man=no", *(f"./{name}" for name in UNITS), cwd=folder
    )


@needs("systemd-analyze")
def test_systemd_takes_the_units_without_a_word(tmp_path: Path) -> None:
    assert verified(tmp_path) == (0, "")


@needs("systemd-analyze")
def test_systemd_would_name_what_is_wrong_in_a_unit(tmp_path: Path) -> None:
    _, said = verified(tmp_path, ("NoNewPrivileges=yes", "NoNewPrivilege=yes"))
    assert "NoNewPrivilege" in said


@needs("systemd-analyze")
def test_systemd_finds_every_service_well_confined(tmp_path: Path) -> None:
    verified(tmp_path)
    for name in UNITS:
        if name.endswith(".service"):
            offline = ("--offline=true", "--threshold=20", "--no-pager")
            code, said = run("systemd-analyze", "security", *offline, f"./{name}", cwd=tmp_path)
            assert code == 0, f"{name} is exposed beyond 2.0:\n{said}"


def kustomized(folder: Path) -> Path:
    """All manifests as one file, as ``kubectl apply -k`` would send them."""
    for path in (DEPLOY / "kubernetes").iterdir():
        shutil.copy(path, folder)
    shutil.copy(folder / "secret.example.yaml", folder / "secret.yaml")
    code, said = run("kubectl", "kustomize", ".", cwd=folder)
    assert code == 0, said
    (folder / "all.yaml").write_text(said)
    return folder / "all.yaml"


def validated(*paths: Path) -> tuple[int, str]:
    """What the schemas of Kubernetes say, unknown fields included."""
    return run(sys.executable, "-m", "kubernetes_validate", "--strict", *paths, cwd=ROOT)


needs_schemas = pytest.mark.skipif(
    importlib.util.find_spec("kubernetes_validate") is None,
    reason="not installed here: kubernetes-validate",
)


@needs_schemas
def test_kubernetes_schemas_take_every_manifest() -> None:
    paths = sorted((DEPLOY / "kubernetes").iterdir())
    code, said = validated(*(path for path in paths if path.name != "kustomization.yaml"))
    assert code == 0, said
    assert said.count(" passed for resource ") == 12


@needs_schemas
def test_kubernetes_schemas_would_refuse_a_wrong_one(tmp_path: Path) -> None:
    text = (DEPLOY / "kubernetes" / "web.yaml").read_text()
    (tmp_path / "web.yaml").write_text(text.replace("readinessProbe", "readynessProbe"))
    code, said = validated(tmp_path / "web.yaml")
    assert code != 0
    assert "readynessProbe" in said


@needs("kubectl")
def test_kubectl_puts_the_manifests_together_with_image_and_namespace(tmp_path: Path) -> None:
    text = kustomized(tmp_path).read_text()
    assert len(re.findall(r"^kind: ", text, re.M)) == 12
    assert text.count("image: registry.example.org/samedice:0.1.0") == 3
    assert "image: samedice\n" not in text


@needs("nginx", "openssl")
def test_nginx_takes_its_file(tmp_path: Path) -> None:
    conf = nginx_files(tmp_path, 8000, 8080, 8443)
    log = tmp_path / "start.log"
    code, said = run("nginx", "-t", "-p", tmp_path, "-c", conf, "-e", log, cwd=tmp_path)
    assert code == 0, said


@needs("caddy")
def test_caddy_takes_its_file(tmp_path: Path) -> None:
    conf = ("--config", DEPLOY / "Caddyfile", "--adapter", "caddyfile")
    code, said = run("caddy", "validate", *conf, cwd=tmp_path, **caddy_environ(tmp_path, 8000))
    assert code == 0, said


@needs("hadolint")
def test_hadolint_takes_the_dockerfile() -> None:
    code, said = run("hadolint", "--no-color", DEPLOY / "Dockerfile", cwd=ROOT)
    assert code == 0, said
