"""``challenge solve``: files that are made once, skipped when good and replaced when not."""

import sys

import pytest

from tests.cli.conftest import refused


@pytest.fixture
def solver_dir(no_settings):
    """Where the tables go; not there yet."""
    return no_settings / "solver"


def test_a_sheet_is_solved_once_and_skipped_from_then_on(run, solver_dir):
    first = run("solve", "yatzy-order", "yatzy-order-b25")
    assert first.exit_code == 0, first.stderr
    assert [line.split(",")[0] for line in first.stdout.splitlines()] == [
        "yatzy-order: mean 150.21680",
        "yatzy-order-b25: mean 135.29827",
    ]
    written = (solver_dir / "yatzy-order.table").stat().st_mtime_ns
    again = run("solve", "yatzy-order")
    assert again.stdout == "yatzy-order: solved already, mean 150.21680\n"
    assert (solver_dir / "yatzy-order.table").stat().st_mtime_ns == written


def test_a_damaged_file_is_replaced_and_the_reason_said(run, solver_dir):
    run("solve", "yatzy-order")
    table = solver_dir / "yatzy-order.table"
    whole = table.read_bytes()
    table.write_bytes(whole[:-8])
    result = run("solve", "yatzy-order")
    assert result.stderr == "yatzy-order: solved anew, since it is not of the right length\n"
    assert table.read_bytes() == whole


def test_the_table_of_another_sheet_is_replaced(run, solver_dir):
    run("solve", "yatzy-order", "yatzy-order-b25")
    (solver_dir / "yatzy-order-b25.table").replace(solver_dir / "yatzy-order.table")
    result = run("solve", "yatzy-order")
    assert result.stderr == "yatzy-order: solved anew, since it is of another sheet\n"


def test_a_sheet_that_cannot_be_solved_is_refused_with_the_reason(run, solver_dir):
    line = refused(run("solve", "yacht-triple"), 1)
    assert line.startswith("challenge: The sheet yacht-triple cannot be solved exactly: ")
    assert not solver_dir.exists()


@pytest.mark.parametrize("args", [(), ("yacht", "--all"), ("chess",)])
def test_it_takes_sheets_or_all_of_them(run, args):
    refused(run("solve", *args), 2)


def test_a_folder_that_cannot_be_made_is_named(run, solver_dir):
    solver_dir.parent.mkdir()
    solver_dir.write_text("in the way")
    line = refused(run("solve", "yatzy-order"), 1)
    assert line.startswith(f"challenge: Cannot keep tables in {solver_dir}")


@pytest.mark.parametrize("package", ["numpy", "numba"])
def test_without_the_extra_it_says_what_to_install(run, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    line = refused(run("solve", "yatzy-order"), 1)
    assert line.endswith("install them with: pip install 'samedice[solver]'")


@pytest.mark.soak
@pytest.mark.timeout(3000)
def test_all_means_every_sheet_of_seconds(run):
    result = run("solve", "--all")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 21
    assert [line.split(":")[0] for line in result.stderr.splitlines()] == [
        "yacht-triple",
        "maxi-yatzy",
        "maxi-yatzy-saved",
    ]
