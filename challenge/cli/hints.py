"""What an operator does about a store that does not answer, in the light of its URL."""

from __future__ import annotations

from challenge.cli.reachable import out_of_reach
from challenge.redis_url import parse
from challenge.store import trouble

NO_CLUSTER = "It is no node of a cluster; say redis:// or redis+sentinel:// in CHALLENGE_REDIS_URL."
NO_DATABASE = "It has no database of the number at the end of CHALLENGE_REDIS_URL."
NO_TLS = "A server that speaks no TLS looks the same; for one say redis instead of rediss."
NO_AUTHORITY = "The file of ssl_ca_certs must hold certificates (PEM)."


def hint(cause: str, url: str) -> str:
    """One or two sentences, each behind a space; empty where there is nothing to add."""
    if cause == "ConnectionError" and (found := out_of_reach(url)):
        return f" Nothing answers at {found}. Start Redis there, or correct CHALLENGE_REDIS_URL."
    said = [trouble.hint(cause), *_of_the_url(cause, url)]
    return "".join(f" {sentence}" for sentence in said if sentence)


def _of_the_url(cause: str, url: str) -> list[str]:
    asked = parse(url)
    found = []
    if cause == "ResponseError" and asked.kind == "cluster":
        found.append(NO_CLUSTER)
    if cause == "DB":  # "DB index is out of range"
        found.append(NO_DATABASE)
    if cause == "TimeoutError" and asked.tls:
        found.append(NO_TLS)
    if cause in ("TlsError", "ConnectionError") and "ssl_ca_certs=" in url:
        found.append(NO_AUTHORITY)
    return found
