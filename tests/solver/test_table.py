"""Files of tables: what was written comes back, and anything else is refused by name."""

import os
import subprocess
import sys

import numpy as np
import pytest

from challenge.errors import BadTable
from challenge.game import rulesets
from challenge.solver import table as files
from challenge.solver.table import read_table, write_table
from challenge.solver.whole import table_path
from tests.solver.conftest import solved

SHEET = rulesets.find("yatzy-order")


@pytest.fixture
def path(tmp_path):
    """The file of a solved sheet."""
    path = table_path(tmp_path, SHEET)
    write_table(path, solved(SHEET))
    return path


def _refused(path, sheet=SHEET):
    with pytest.raises(BadTable) as error:
        read_table(path, sheet)
    assert error.value.path == path
    return error.value.why


def test_a_table_comes_back_to_the_bit_and_cannot_be_written_to(path):
    table = read_table(path, SHEET)
    assert np.array_equal(table.values, solved(SHEET).values)
    assert table.mean == solved(SHEET).mean
    assert not table.values.flags.writeable


def test_nothing_but_the_file_is_left_behind(path):
    write_table(path, solved(SHEET))
    assert list(path.parent.iterdir()) == [path]


def test_a_missing_file_is_named(tmp_path):
    assert _refused(tmp_path / "no.table") == "there is no such file"


@pytest.mark.parametrize("length", [0, 3, 18, 60, -1, -8, -64])
def test_a_truncated_file_is_refused(path, length):
    os.truncate(path, length if length >= 0 else path.stat().st_size + length)
    assert _refused(path)


def test_a_file_that_grew_is_refused(path):
    with path.open("ab") as file:
        file.write(bytes(8))
    assert _refused(path) == "it is not of the right length"


@pytest.mark.parametrize("at", [0, 17, 25, 100, -500, -1])
def test_a_file_with_one_byte_changed_is_refused(path, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 0x55
    path.write_bytes(data)
    assert _refused(path)


def test_a_foreign_file_is_refused(path):
    path.write_bytes(b"PK\3\4" + bytes(4000))
    assert _refused(path) == "it is no table of Samedice"


def test_the_table_of_another_sheet_is_refused(path):
    assert _refused(path, rulesets.find("yatzy-order-b25")) == "it is of another sheet"


def test_the_table_of_a_sheet_whose_rules_have_changed_is_refused(path):
    changed = rulesets._like(SHEET, SHEET.id, SHEET.name, SHEET.short, rolls_per_turn=2)
    assert _refused(path, changed) == "it was solved for other rules of this sheet"


def test_the_table_of_another_version_is_refused(path, monkeypatch):
    monkeypatch.setattr(files, "VERSION", files.VERSION + 1)
    assert _refused(path) == "it has another version of the format"


def test_reading_a_table_and_working_out_a_turn_needs_no_numba(path):
    code = (
        "import sys; from pathlib import Path\n"
        "from challenge.game import rulesets\n"
        "from challenge.game.scorecard import blank\n"
        "from challenge.solver.table import read_table\n"
        "from challenge.solver.turn import Turn\n"
        "sheet = rulesets.find(sys.argv[2])\n"
        "turn = Turn(read_table(Path(sys.argv[1]), sheet), blank(sheet))\n"
        "print(turn.best((1, 1, 1, 2, 5), 2)[0], 'numba' in sys.modules)"
    )
    call = [sys.executable, "-c", code, str(path), SHEET.id]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "Roll(hold=7) False"
