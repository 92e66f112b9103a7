"""Golden data of the rules: what every engine of these games must answer.

``rulesets.json`` holds every sheet, ``legal_values.json`` and ``pad.json`` the scores a
box may hold, ``scoring.json`` dice and state -> score, ``turns.json`` rolls with holds
over a fixed stream, ``stream.json`` secret, date and sheet -> seed and first values.
"""

import json
from pathlib import Path
from typing import Any


def load(name: str) -> Any:
    """The contents of one file, by its name without ending."""
    return json.loads((Path(__file__).parent / f"{name}.json").read_text("utf-8"))
