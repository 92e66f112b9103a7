"""The files in deploy/ agree with the settings, with the commands and with one another."""

from __future__ import annotations

import configparser
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from challenge import cli
from challenge.config import DECLARED, load
from tests.paths import ROOT

DEPLOY = ROOT / "deploy"
NAMES = {setting.name for setting in DECLARED}
TEXTS = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for path in [ROOT / "Procfile", *sorted(DEPLOY.rglob("*"))]
    if path.is_file() and path.suffix not in (".png", ".py", ".pyc", ".json", ".svg")
}
UNITS = sorted((DEPLOY / "systemd").iterdir())
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
GUNICORN = "gunicorn -c python:challenge.gunicorn_conf challenge.wsgi:app"


def documents() -> list[dict[str, Any]]:
    """Every Kubernetes object."""
    texts = [path.read_text() for path in MANIFESTS if path.name != "kustomization.yaml"]
    return [item for text in texts for item in yaml.safe_load_all(text)]


def found(kind: str, name: str) -> dict[str, Any]:
    """The Kubernetes object of this kind and name."""
    return next(d for d in documents() if (d["kind"], d["metadata"]["name"]) == (kind, name))


def compose() -> dict[str, Any]:
    """The compose file."""
    loaded: dict[str, Any] = yaml.safe_load(TEXTS["deploy/compose.yaml"])
    return loaded


def unit(name: str) -> str:
    """A systemd unit."""
    return TEXTS[f"deploy/systemd/{name}"]


def of_gunicorn(name: str) -> int:
    """A number of gunicorn's settings; importing them would look for secrets."""
    text = (ROOT / "challenge" / "gunicorn_conf.py").read_text()
    return int(re.search(rf"^{name} = (\d+)$", text, re.M)[1])


def seconds(text: str) -> int:
    """A span such as ``20s``."""
    return int(text.removesuffix("s"))


@pytest.mark.parametrize("name", TEXTS)
def test_every_setting_a_file_names_is_declared(name: str) -> None:
    assert set(re.findall(r"\bCHALLENGE_[A-Z][A-Z_]*[A-Z]\b", TEXTS[name])) <= NAMES


def test_the_example_of_settings_is_read_without_an_error() -> None:
    lines = [line for line in TEXTS["deploy/env.example"].splitlines() if line[:1] not in ("", "#")]
    given = dict(line.split("=", 1) for line in lines)
    settings = load(given)
    assert settings.base_url == f"https://{given['SAMEDICE_HOST']}"
    assert settings.trusted_proxies == 1
    assert settings.stream_secret is None


def test_no_file_carries_a_secret() -> None:
    for name, text in TEXTS.items():
        for value in re.findall(r"(?:SECRET|SECRET_KEYS|TOKEN)[=:][ \"']*([^\s\"'`]*)", text):
            assert value == "" or value.startswith(("$", "{")), (name, value)


@pytest.mark.parametrize("name", TEXTS)
def test_every_command_a_file_calls_exists(name: str) -> None:
    called = re.findall(r"(?:\bbin/|`|^|[\[ ])challenge,? ([a-z]+)\b", TEXTS[name], re.M)
    assert set(called) <= set(cli.COMMANDS)


def test_all_ways_start_the_web_process_with_the_same_settings() -> None:
    words = yaml.safe_load(re.search(r"^CMD (\[.*\])$", TEXTS["deploy/Dockerfile"], re.M)[1])
    assert " ".join(words) == GUNICORN
    assert f"ExecStart=/opt/samedice/bin/{GUNICORN}\n" in unit("samedice-web.service")
    assert "from challenge.gunicorn_conf import *" in (DEPLOY / "gunicorn.conf.py").read_text()


def test_the_port_is_the_same_everywhere() -> None:
    assert "PORT=8000" in TEXTS["deploy/Dockerfile"]
    assert "EXPOSE 8000" in TEXTS["deploy/Dockerfile"]
    assert compose()["services"]["web"]["environment"]["PORT"] == "8000"
    assert compose()["services"]["caddy"]["environment"]["SAMEDICE_UPSTREAM"] == "web:8000"
    assert found("ConfigMap", "samedice")["data"]["PORT"] == "8000"
    ports = web_container()["ports"]
    assert ports == [{"name": "http", "containerPort": 8000}]
    for name in ("samedice.socket", "samedice-web.socket"):
        assert "ListenStream=127.0.0.1:8000\n" in unit(name)
    assert "server 127.0.0.1:8000;" in TEXTS["deploy/nginx.conf"]
    assert "{$SAMEDICE_UPSTREAM:127.0.0.1:8000}" in TEXTS["deploy/Caddyfile"]


def web_container() -> dict[str, Any]:
    """The container of the web Deployment."""
    container: dict[str, Any] = pod("web")["containers"][0]
    return container


def pod(name: str) -> dict[str, Any]:
    """The pod of a Deployment."""
    spec: dict[str, Any] = found("Deployment", name)["spec"]["template"]["spec"]
    return spec


def test_the_data_directory_is_the_same_everywhere() -> None:
    place = "/var/lib/samedice"
    assert f"CHALLENGE_DATA_DIR={place}" in TEXTS["deploy/Dockerfile"]
    assert compose()["services"]["worker"]["volumes"] == [f"tables:{place}"]
    assert compose()["services"]["web"]["volumes"] == [f"tables:{place}:ro"]
    mounts = pod("worker")["containers"][0]["volumeMounts"]
    assert {"name": "tables", "mountPath": place} in mounts
    services = [path for path in UNITS if path.suffix == ".service"]
    for path in services:
        text = path.read_text()
        assert f"CHALLENGE_DATA_DIR={place}" in text
        assert "StateDirectory=samedice\n" in text


def test_whoever_stops_the_web_process_waits_longer_than_it_takes() -> None:
    need = of_gunicorn("graceful_timeout")
    assert seconds(compose()["services"]["web"]["stop_grace_period"]) > need
    assert int(re.search(r"TimeoutStopSec=(\d+)s", unit("samedice-web.service"))[1]) > need
    pause = int(web_container()["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pod("web")["terminationGracePeriodSeconds"] > pause + need


def test_a_proxy_lets_go_of_a_kept_connection_before_gunicorn_does() -> None:
    for name in ("deploy/nginx.conf", "deploy/Caddyfile"):
        kept = re.search(r"^\s*(?:keepalive_timeout|keepalive) (\d+)s;?$", TEXTS[name], re.M)
        assert int(kept[1]) < of_gunicorn("keepalive")


def test_one_proxy_is_trusted_wherever_one_stands_in_front() -> None:
    assert compose()["services"]["web"]["environment"]["CHALLENGE_TRUSTED_PROXIES"] == "1"
    assert found("ConfigMap", "samedice")["data"]["CHALLENGE_TRUSTED_PROXIES"] == "1"


def test_kubernetes_asks_the_process_alone_so_that_the_page_shows_when_redis_is_away() -> None:
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert web_container()[probe]["httpGet"] == {"path": "/healthz", "port": "http"}


def test_valkey_is_on_an_inner_network_alone_and_keeps_everything() -> None:
    valkey = compose()["services"]["valkey"]
    assert valkey["networks"] == ["back"]
    assert compose()["networks"]["back"]["internal"] is True
    assert "ports" not in valkey
    options = " ".join(valkey["command"])
    assert "--appendonly yes --appendfsync always" in options
    assert "--maxmemory-policy noeviction" in options


def test_nothing_but_caddy_opens_a_port_of_the_machine() -> None:
    assert [name for name, it in compose()["services"].items() if "ports" in it] == ["caddy"]


@pytest.mark.parametrize("service", ["web", "worker", "valkey", "caddy"])
def test_every_container_is_confined_and_comes_back(service: str) -> None:
    found = compose()["services"][service]
    assert found["read_only"] is True
    assert found["cap_drop"] == ["ALL"]
    assert found["security_opt"] == ["no-new-privileges:true"]
    assert found["restart"] == "unless-stopped"


@pytest.mark.parametrize("name", ["web", "worker"])
def test_every_pod_is_confined(name: str) -> None:
    assert pod(name)["securityContext"]["runAsNonRoot"] is True
    assert pod(name)["automountServiceAccountToken"] is False
    for container in [*pod(name)["containers"], *pod(name).get("initContainers", [])]:
        assert container["securityContext"]["readOnlyRootFilesystem"] is True
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert container["image"] == "samedice"


def test_the_image_runs_as_the_user_the_manifests_name_and_not_as_root() -> None:
    assert "USER 10001:10001\n" in TEXTS["deploy/Dockerfile"]
    assert {pod(name)["securityContext"]["runAsUser"] for name in ("web", "worker")} == {10001}


def test_the_image_copies_only_what_is_there_and_is_let_in() -> None:
    let_in = re.findall(r"^!(.+)$", TEXTS["deploy/Dockerfile.dockerignore"], re.M)
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", TEXTS["deploy/Dockerfile"], re.M)
    names = [name for line in copied for name in line.split()]
    assert sorted(names) == sorted(let_in)
    assert all((ROOT / name).exists() for name in names)


def test_the_kustomization_lists_every_manifest() -> None:
    kustomization = yaml.safe_load((DEPLOY / "kubernetes" / "kustomization.yaml").read_text())
    here = {path.name for path in MANIFESTS} - {"kustomization.yaml", "secret.example.yaml"}
    assert set(kustomization["resources"]) == here | {"secret.yaml"}


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_every_timer_and_socket_has_its_service(path: Path) -> None:
    assert path.suffix in (".service", ".socket", ".timer")
    assert path.with_suffix(".service").is_file()


@pytest.mark.parametrize(
    "path", [path for path in UNITS if path.suffix == ".service"], ids=lambda path: path.name
)
def test_every_service_is_confined(path: Path) -> None:
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment]
    parser.read_string(path.read_text())
    service = parser["Service"]
    for name in ("DynamicUser", "NoNewPrivileges", "PrivateTmp", "PrivateDevices", "PrivateUsers"):
        assert service[name] == "yes"
    assert (service["ProtectSystem"], service["CapabilityBoundingSet"]) == ("strict", "")
