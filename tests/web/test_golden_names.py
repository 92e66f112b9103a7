"""Names of sheets and boxes in both languages, as the golden data have them."""

import pytest

from challenge.game import rulesets
from challenge.web import i18n
from tests.vectors import load

every_sheet = pytest.mark.parametrize("golden", load("rulesets"), ids=lambda golden: golden["id"])
every_language = pytest.mark.parametrize("language", ["en", "de"])


@every_sheet
@every_language
def test_a_sheet_is_called_as_the_golden_data_call_it(golden, language):
    sheet = rulesets.find(golden["id"])
    assert i18n.sheet_name(sheet, language) == golden[f"name_{language}"]
    assert i18n.sheet_short(sheet, language) == golden[f"short_{language}"]


@every_sheet
@every_language
def test_a_box_is_called_as_the_golden_data_call_it(golden, language):
    sheet = rulesets.find(golden["id"])
    names = [i18n.box_name(sheet, category, language) for category in sheet.categories]
    assert names == [box[language] for box in golden["boxes"]]
