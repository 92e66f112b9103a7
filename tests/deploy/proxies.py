"""nginx and Caddy with the files of deploy/, in front of a real gunicorn, all on loopback."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.paths import ROOT, free_port
from tests.runtime.processes import PATIENCE, until

NGINX = """
daemon off;
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/answers;
    fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u;
    scgi_temp_path {folder}/s;
    include {folder}/samedice.conf;
}}
"""


class Proxy:
    """One that listens: ``http`` and ``https`` are its ports."""

    def __init__(self, http: int, https: int) -> None:
        self.http = http
        self.https = https

    def connection(self, source: str = "127.0.0.1") -> http.client.HTTPSConnection:
        """A connection over TLS from an address of this machine; the certificate is its own."""
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        address = (source, 0)
        return http.client.HTTPSConnection(
            "localhost", self.https, timeout=PATIENCE, context=context, source_address=address
        )


def certificate(folder: Path) -> None:
    """``cert.pem`` and ``key.pem`` for localhost."""
    names = ("-keyout", folder / "key.pem", "-out", folder / "cert.pem", "-subj", "/CN=localhost")
    kind = ("-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    subprocess.run(["openssl", "req", *kind, *names], check=True, capture_output=True)


def nginx_files(folder: Path, upstream: int, plain: int, tls: int) -> Path:
    """deploy/nginx.conf with ports and paths of here, and a main file that includes it."""
    text = (ROOT / "deploy" / "nginx.conf").read_text()
    text = re.sub(r"^ *listen \[::\].*\n", "", text, flags=re.M)
    for old, new in (
        ("server 127.0.0.1:8000;", f"server 127.0.0.1:{upstream};"),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ", f"listen 127.0.0.1:{tls} "),
        ("/etc/letsencrypt/live/dice.example.org/fullchain.pem", f"{folder}/cert.pem"),
        ("/etc/letsencrypt/live/dice.example.org/privkey.pem", f"{folder}/key.pem"),
        ("/var/log/nginx", str(folder)),
    ):
        assert old in text
        text = text.replace(old, new)
    (folder / "samedice.conf").write_text(text)
    user = "user root;" if os.getuid() == 0 else ""
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, user=user))
    certificate(folder)
    return folder / "nginx.conf"


def nginx(folder: Path, upstream: int, ports: tuple[int, int]) -> subprocess.Popen[bytes]:
    """A running nginx."""
    conf = nginx_files(folder, upstream, *ports)
    return subprocess.Popen(
        [shutil.which("nginx") or "nginx", "-p", folder, "-c", conf, "-e", folder / "start.log"]
    )


def caddy_environ(folder: Path, upstream: int) -> dict[str, str]:
    """Where Caddy keeps its things, and whom it serves."""
    places = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    return {
        "PATH": os.environ["PATH"],
        **places,
        "CADDY_ADMIN": f"127.0.0.1:{free_port()}",
        "SAMEDICE_HOST": "localhost",
        "SAMEDICE_UPSTREAM": f"127.0.0.1:{upstream}",
    }


def caddy(folder: Path, upstream: int, ports: tuple[int, int]) -> subprocess.Popen[bytes]:
    """A running Caddy; of its file only the ports are others, and it listens here alone."""
    text = (ROOT / "deploy" / "Caddyfile").read_text()
    plain, tls = ports
    here = f"\n{{\n\thttp_port {plain}\n\thttps_port {tls}\n\tdefault_bind 127.0.0.1\n"
    (folder / "Caddyfile").write_text(text.replace("\n{\n", here, 1))
    return subprocess.Popen(
        ["caddy", "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"],
        env=caddy_environ(folder, upstream),
        stdout=(folder / "caddy.log").open("wb"),
        stderr=subprocess.STDOUT,
    )


START = {"nginx": nginx, "caddy": caddy}


@contextmanager
def running(name: str, folder: Path, upstream: int) -> Iterator[Proxy]:
    """The proxy of this name in front of ``upstream``, answering."""
    ports = (free_port(), free_port())
    process = START[name](folder, upstream, ports)
    proxy = Proxy(*ports)
    try:
        until(lambda: process.poll() is not None or answers(proxy))
        assert process.poll() is None, f"{name} ended; see {folder}"
        yield proxy
    finally:
        process.terminate()
        process.wait(PATIENCE)


def answers(proxy: Proxy) -> bool:
    """Whether a request comes back."""
    connection = proxy.connection()
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
