"""Play or test Samedice from a fresh clone: python3 deploy/run.py play | test [pytest options].

Needs Python 3.11 and a network, nothing else: no pip, no venv package, no root. It works
in .venv beside the clone's files and says what it does. PIP_* settings are respected.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
INDEX = "https://pypi.org/simple"
NEWEST_FIRST = ("python3.14", "python3.13", "python3.12", "python3.11")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_BROWSERS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
WORKERS = str(2 * (os.cpu_count() or 1))  # tests wait for processes and browsers a lot
PROGRAMS = {
    "nginx": "nginx-light",
    "caddy": "caddy",
    "docker-compose": "docker-compose",
    "systemd-analyze": "systemd",
    "promtool": "prometheus",
    "kubectl": "kubernetes-client",
    "redis-server": "redis-server",
}
CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    ("lint-imports",),
)


def say(what: str) -> None:
    """One line of what happens now."""
    print(f"run.py: {what}", flush=True)


def run(*command: str | Path, quiet: bool = False) -> int:
    """Run a command in the clone; its exit code (127 where there is no such program)."""
    output = subprocess.DEVNULL if quiet else None
    try:
        done = subprocess.run(command, check=False, cwd=ROOT, stdout=output, stderr=output)
        return done.returncode
    except OSError:
        return 127


def need(*command: str | Path) -> None:
    """Run a command without which nothing goes on."""
    if code := run(*command):
        sys.exit(f"run.py: {' '.join(map(str, command))} failed with exit code {code}.")


def use_new_python(arguments: list[str]) -> None:
    """Start again with a newer Python where this one is too old."""
    if sys.version_info >= (3, 11):  # noqa: UP036 (whoever starts this may have an older one)
        return
    newer = next(filter(None, map(shutil.which, NEWEST_FIRST)), None)
    if newer is None:
        sys.exit(f"run.py: Python 3.11 or newer is needed; this is {sys.version.split()[0]}.")
    os.execv(newer, [newer, __file__, *arguments])


def make_venv() -> None:
    """The virtual environment with pip in it, made when it is missing or broken."""
    if run(PYTHON, "-m", "pip", "--version", quiet=True) == 0:
        return
    say(f"making a virtual environment in {VENV}")
    if importlib.util.find_spec("ensurepip") is not None:
        need(sys.executable, "-m", "venv", "--clear", VENV)
        return
    need(sys.executable, "-m", "venv", "--clear", "--without-pip", VENV)
    with tempfile.TemporaryDirectory() as folder:
        wheel = fetch_pip(Path(folder))
        need(PYTHON, wheel / "pip", "install", "--quiet", "--no-index", wheel)


def fetch_pip(folder: Path) -> Path:
    """The newest pip as a wheel, its SHA-256 checked; it runs without being installed."""
    page = f"{os.environ.get('PIP_INDEX_URL', INDEX).rstrip('/')}/pip/"
    say(f"this Python has no ensurepip; taking pip from {urllib.parse.urlsplit(page).hostname}")
    links = re.findall(
        r'href="([^"]+/(pip-(\d+(?:\.\d+)+)-py3-none-any\.whl)[^"]*)"', get(page).decode()
    )
    if not links:
        sys.exit(f"run.py: {page} offers no pip; `apt install python3-venv` helps as well.")
    link, name, _ = max(links, key=lambda found: [int(part) for part in found[2].split(".")])
    address, _, digest = urllib.parse.urljoin(page, link).partition("#sha256=")
    content = get(address)
    if hashlib.sha256(content).hexdigest() != digest:
        sys.exit(f"run.py: {address} does not have the SHA-256 its index names.")
    wheel = folder / name
    wheel.write_bytes(content)
    return wheel


def get(address: str) -> bytes:
    """What is at an address; PIP_CERT and the proxy settings hold."""
    context = ssl.create_default_context(cafile=os.environ.get("PIP_CERT"))
    try:
        with urllib.request.urlopen(address, timeout=60, context=context) as answer:
            return answer.read()
    except OSError as error:
        sys.exit(f"run.py: cannot read {address}: {error}.")


def install(extras: str) -> None:
    """The package and what it needs; without it nothing goes on."""
    if code := try_install(extras):
        sys.exit(f"run.py: pip failed with exit code {code}.")


def try_install(extras: str) -> int:
    """The package and what it needs, once for each state of pyproject.toml; pip's exit code."""
    stamp = VENV / f"samedice{extras}.stamp"
    state = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == state:
        return 0
    say(f"installing samedice{extras} (the first time takes a minute)")
    pip = (PYTHON, "-m", "pip", "--disable-pip-version-check")
    code = run(*pip, "install", "--quiet", "--editable", f".{extras}")
    if not code:
        stamp.write_text(state)
    return code


def apt(*packages: str) -> bool:
    """Install Debian packages where this is allowed and possible."""
    if os.getuid() != 0 or shutil.which("apt-get") is None:
        return False
    say(f"installing {' '.join(packages)} with apt-get")
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    run("apt-get", "update", "-qq")
    return run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages) == 0


def find_chromium() -> str | None:
    """A browser of the Chromium family that runs here."""
    named = [os.environ.get("CHROMIUM", ""), os.environ.get("SAMEDICE_CHROMIUM", "")]
    on_path = [shutil.which(name) or "" for name in BROWSERS]
    for path in [*named, *on_path, *MAC_BROWSERS, playwrights_own()]:
        if path and run(path, "--version", quiet=True) == 0:
            return path
    return None


def playwrights_own() -> str:
    """Where Playwright would keep its own Chromium."""
    code = (
        "from playwright.sync_api import sync_playwright as start\n"
        "with start() as p: print(p.chromium.executable_path)"
    )
    asked = subprocess.run([PYTHON, "-c", code], check=False, capture_output=True, text=True)
    return asked.stdout.strip()


def get_chromium() -> str | None:
    """A Chromium, found or installed. Ubuntu's package is a snap, so Playwright's is taken."""
    if found := find_chromium():
        return found
    ubuntu = "ID=ubuntu" in Path("/etc/os-release").read_text() if linux() else False
    if not ubuntu and apt("chromium", "fonts-liberation") and (found := find_chromium()):
        return found
    say("no Chromium found; installing Playwright's")
    with_deps = ["--with-deps"] if linux() and os.getuid() == 0 else []
    run(PYTHON, "-m", "playwright", "install", *with_deps, "chromium")
    return find_chromium()


def linux() -> bool:
    """Whether this is a Linux that says which one it is."""
    return Path("/etc/os-release").exists()


def left_out() -> list[str]:
    """Find or install what some tests need; the marks of the tests that have to be left out."""
    missing = []
    if chromium := get_chromium():
        say(f"the browser is {chromium}")
        os.environ["SAMEDICE_CHROMIUM"] = chromium
    else:
        say("MISSING: a Chromium; browser tests are left out. Install one or set CHROMIUM=/path.")
        missing.append("browser")
    if not (shutil.which("faketime") or apt("faketime")):
        say("MISSING: faketime; tests that move the clock are left out. Install libfaketime.")
        missing.append("faketime")
    if not has_webkit() and not (apt("webkit2gtk-driver", "xvfb") and has_webkit()):
        say(
            "MISSING: WebKitGTK; tests in a second engine are left out (Debian: webkit2gtk-driver)."
        )
        missing.append("webkit")
    return missing


def name_missing_programs() -> None:
    """Say which programs that some tests run are not here; those tests are left out."""
    for name, package in PROGRAMS.items():
        if shutil.which(name) is None:
            say(f"MISSING: {name}; tests that need it are left out (Debian: {package}).")


def has_webkit() -> bool:
    """Whether WebKit's driver and a screen for it are here; only Linux has them."""
    return bool(shutil.which("WebKitWebDriver") and shutil.which("Xvfb"))


def play(arguments: list[str]) -> None:
    """Install what is needed and serve."""
    if try_install("[solver]"):
        say("MISSING: numba; optimal play is left out")
        install("")
    say("starting; Ctrl-C ends it")
    os.execv(PYTHON, [str(PYTHON), "-m", "challenge", "serve", *arguments])


def test(arguments: list[str]) -> int:
    """Install what is needed, check and test; the first exit code that is not 0."""
    install("[test,dev]")
    marks = [f"not {mark}" for mark in ("soak", "bench", *left_out())]
    name_missing_programs()
    codes = []
    for name, *options in CHECKS:
        say(" ".join([name, *options]))
        codes.append(run(VENV / "bin" / name, *options))
    say("pytest")
    chosen = ["-n", WORKERS, "--dist", "worksteal", "-m", " and ".join(marks), *arguments]
    codes.append(run(PYTHON, "-m", "pytest", *chosen))
    say("all is well" if not any(codes) else "something failed, see above")
    return next((code for code in codes if code), 0)


def main(arguments: list[str]) -> int:
    """``play`` or ``test``, in a virtual environment that has what is needed."""
    use_new_python(arguments)
    if not arguments or arguments[0] not in ("play", "test"):
        print(__doc__)
        return 2
    make_venv()
    if arguments[0] == "test":
        return test(arguments[1:])
    play(arguments[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
