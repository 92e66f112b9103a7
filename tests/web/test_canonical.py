"""One public address: pages under another lead there, and never in a circle."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from challenge.service.services import Services
from challenge.web import create_app
from tests.api.contract import TODAY
from tests.api.dump import dump

BASE = "https://dice.example.org"
OWN, OTHER = "dice.example.org", "www.example.com"
Make = Callable[..., Services]


def site(make_services: Make, base: str = BASE, proxies: int = 0) -> FlaskClient:
    """A service of this public address behind so many proxies."""
    return create_app(
        make_services(CHALLENGE_BASE_URL=base, CHALLENGE_TRUSTED_PROXIES=str(proxies))
    ).test_client()


@pytest.mark.parametrize("host", [OTHER, f"{OTHER}:8443", OTHER.upper(), "8.8.8.8", "evil.example"])
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/rules?q=full%20house&lang=de",
        f"/{TODAY}/yacht?hold=1&hold=2",
        "/me?a=%0d",
    ],
)
def test_a_page_under_another_host_leads_to_the_same_page(
    make_services: Make, host: str, path: str
) -> None:
    client = site(make_services)
    for method in ("GET", "HEAD"):
        answer = client.open(path, method=method, headers={"Host": host})
        assert answer.status_code == 308
        assert answer.headers["Location"] == BASE + path
        assert answer.headers["Cache-Control"] == "no-store"  # a mistake can be put right


def test_a_page_with_an_odd_path_stays_on_the_site(make_services: Make) -> None:
    client = site(make_services)
    for path in ("//evil.example", "/%2F%2Fevil.example", "/\\evil.example", "/@evil.example"):
        answer = client.get(path, headers={"Host": OTHER})
        assert answer.headers.get("Location", BASE + "/").startswith(BASE + "/"), path


@pytest.mark.parametrize(
    "path", ["/healthz", "/readyz", "/api/v1/rulesets", "/api/v1/openapi.json"]
)
def test_programs_may_use_any_name(make_services: Make, path: str) -> None:
    for host in (OTHER, "web:8000", "10.0.0.7", OWN):
        assert site(make_services).get(path, headers={"Host": host}).status_code == 200


INSIDE = "localhost localhost:8000 127.0.0.1:8000 [::1]:8000 10.1.2.3 web web:8000 dice.internal"
INSIDE += " web.default.svc samedice.apps.svc.cluster.local"


@pytest.mark.parametrize(
    "host", [OWN, f"{OWN}:443", f"{OWN}:8000", OWN.upper(), f"{OWN}.", *INSIDE.split()]
)
def test_the_own_host_and_names_inside_are_answered(make_services: Make, host: str) -> None:
    """A proxy that hands on its own name for us would come back for ever."""
    client = site(make_services)
    assert client.get("/rules", headers={"Host": host}).status_code == 200
    posted = client.post("/language", data={"lang": "de", "next": "/"}, headers={"Host": host})
    assert posted.status_code == 303


def test_a_form_sent_to_another_host_is_refused_in_words(
    make_services: Make, valkey_url: str
) -> None:
    client, before = site(make_services), dump(valkey_url)
    for path in ("/language", f"/{TODAY}/yacht", "/groups"):
        answer = client.post(path, data={"lang": "de"}, headers={"Host": OTHER})
        assert answer.status_code == 421
        assert BASE in answer.text
        assert "Set-Cookie" not in answer.headers
        assert "Location" not in answer.headers
    assert dump(valkey_url) == before


def test_without_a_public_address_every_host_is_right(client: FlaskClient) -> None:
    for host in (OTHER, OWN, "localhost"):
        assert client.get("/rules", headers={"Host": host}).status_code == 200


def test_http_leads_to_https_where_a_proxy_says_so(make_services: Make) -> None:
    client = site(make_services, proxies=1)
    said = {"Host": OWN, "X-Forwarded-For": "203.0.113.7"}
    answer = client.get("/rules?a=b", headers={**said, "X-Forwarded-Proto": "http"})
    assert (answer.status_code, answer.headers["Location"]) == (308, f"{BASE}/rules?a=b")
    assert client.get("/rules", headers={**said, "X-Forwarded-Proto": "https"}).status_code == 200
    assert client.get("/rules", headers=said).status_code == 200  # it says nothing


def test_a_browser_that_came_over_https_is_not_sent_in_a_circle(make_services: Make) -> None:
    """The inner of two proxies says http, though the outer one has the certificate."""
    headers = {"Host": OWN, "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "http"}
    client = site(make_services, proxies=1)
    assert client.get("/rules", headers={**headers, "Sec-Fetch-Site": "none"}).status_code == 200


def test_the_host_is_the_one_the_counted_proxy_names(make_services: Make) -> None:
    headers = {"Host": OTHER, "X-Forwarded-Host": OWN, "X-Forwarded-For": "203.0.113.7"}
    assert site(make_services, proxies=1).get("/rules", headers=headers).status_code == 200
    assert site(make_services).get("/rules", headers=headers).status_code == 308
    turned = {**headers, "Host": OWN, "X-Forwarded-Host": OTHER}
    assert site(make_services).get("/rules", headers=turned).status_code == 200


def test_a_name_with_a_dot_at_its_end_is_the_same_name(make_services: Make) -> None:
    for base in (BASE, f"{BASE}."):
        client = site(make_services, base)
        for host in (OWN, f"{OWN}.", f"{OWN}.:443"):
            answer = client.get("/rules", headers={"Host": host})
            assert answer.status_code == 200, (base, host)
            assert "Strict-Transport-Security" in answer.headers, (base, host)


def test_every_way_home_ends_at_home(make_services: Make) -> None:
    """Followed as a browser would, with what a proxy in front makes of it."""
    for proxies in (0, 1, 2):
        client = site(make_services, proxies=proxies)
        for start in (f"http://{OTHER}", f"https://{OTHER}", f"http://{OWN}"):
            target, steps = f"{start}/rules", []
            while target:
                parts = urlsplit(target)
                sent = {"X-Forwarded-For": "203.0.113.7, 10.0.0.1", "Host": parts.netloc}
                sent["X-Forwarded-Proto"] = parts.scheme
                answer = client.get(parts.path, headers=sent)
                steps.append(answer.status_code)
                target = answer.headers.get("Location")
            assert steps in ([200], [308, 200]), (proxies, start)
