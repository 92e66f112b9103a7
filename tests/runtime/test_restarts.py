"""When a process that died is started again, and when it is given up."""

from __future__ import annotations

import pytest

from challenge.cli.children import GaveUp, Restarts, StoreChild


def proven() -> Restarts:
    """Of a process that has worked before."""
    restarts = Restarts("The web server")
    restarts.works()
    return restarts


def test_a_process_that_never_worked_is_given_up_at_its_first_failure() -> None:
    with pytest.raises(GaveUp, match="The web server does not start: it ended"):
        Restarts("The web server").died(1.0, "it ended", killed=False)


def test_the_first_restart_is_immediate_and_further_ones_wait_longer() -> None:
    restarts, pauses = proven(), []
    for _ in range(12):
        restarts.died(100.0, "it was killed", killed=True)
        pauses.append(restarts.due - 100.0)
    assert pauses[0] == 0
    assert pauses == sorted(pauses)
    assert pauses[-1] == 5


def test_a_process_that_keeps_failing_is_given_up() -> None:
    restarts = proven()
    for _ in range(4):
        restarts.died(1.0, "it ended", killed=False)
    with pytest.raises(GaveUp):
        restarts.died(1.0, "it ended", killed=False)


def test_working_again_forgets_what_was_before() -> None:
    restarts = proven()
    for _ in range(20):
        restarts.died(1.0, "it ended", killed=False)
        assert restarts.due == 1.0
        restarts.works()


class Dying:
    """A store that answers until its process is killed."""

    pid = None

    def __init__(self) -> None:
        self.lives = True

    def alive(self) -> bool:
        return self.lives

    def launch(self) -> None:
        self.lives = True

    def ready(self) -> bool:
        return self.lives


def test_of_a_store_that_was_killed_nobody_is_told_that_it_is_gone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    store = Dying()
    child = StoreChild(store)  # type: ignore[arg-type]
    assert child.keep(0.0)
    store.lives = False
    assert child.keep(1.0)
    assert capsys.readouterr().err == ("The embedded store is started again: its process ended.\n")
