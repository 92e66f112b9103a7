"""Players as others see them."""

from __future__ import annotations

from challenge.service.views.base import View


class PlayerView(View):
    """A player as others see them; ``name`` carries the tag."""

    id: str
    name: str
