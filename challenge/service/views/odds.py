"""What to expect on a sheet."""

from __future__ import annotations

from challenge.service.views.base import View


class OddsView(View):
    """The optimal player's totals: mean, standard deviation, probability of each total from 0
    on. Where the distribution has not been worked out, ``sd`` is None and ``chance`` empty.
    """

    mean: float
    sd: float | None
    chance: list[float]
