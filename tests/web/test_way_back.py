"""The forms that lead back to where they were sent from never lead to another site."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

HOSTILE = ["//evil.example", "/\\evil.example", "/\t/evil.example", "https://evil.example"]
BROKEN = ["/a\r\nb", "/\n/evil.example", "/\r/evil.example", "/\t/[", ""]


@pytest.mark.parametrize("target", [*HOSTILE, *BROKEN])
def test_a_way_back_to_another_site_leads_home_instead(client: FlaskClient, target: str) -> None:
    answer = client.post("/language", data={"lang": "de", "next": target})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


def test_a_way_back_on_this_site_is_taken(client: FlaskClient) -> None:
    answer = client.post("/language", data={"lang": "de", "next": "/2026-11-30/yacht"})
    assert answer.headers["Location"] == "/2026-11-30/yacht"
