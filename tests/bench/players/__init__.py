"""An open-loop model of players: they arrive by chance, think, and play whole games over HTTP.

``python -m tests.bench.players --help``. Nobody waits for anybody: arrivals are a Poisson
process, and each decision is due when its player has thought, however slow other answers are.
Latency counts from the moment a request was due, so that a late sender makes no figure nicer.
The sender is a process of its own on the same machine; its share of the processors is reported.
"""
