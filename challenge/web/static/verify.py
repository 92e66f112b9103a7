"""Check the dice of a Samedice board yourself; needs Python 3 and nothing else.

The seed is public once the board has closed, its SHA-256 (the commitment) long before.
The dice are the bytes of HMAC-SHA256(seed, 0), HMAC-SHA256(seed, 1), ... (the counter as
four bytes, big end first): 252 and more are skipped, others become byte % 6 + 1. Roll k
of a game, from 0, reads dice n*k to n*k+n-1; a held die keeps its face.
"""

import argparse
import base64
import hashlib
import hmac


def values(seed):
    counter = 0
    while True:
        for byte in hmac.new(seed, counter.to_bytes(4, "big"), hashlib.sha256).digest():
            if byte < 252:
                yield byte % 6 + 1
        counter += 1


def replay(rolls, log):
    table, turn = [], 1
    for byte in base64.urlsafe_b64decode(log + "=" * (-len(log) % 4)):
        if byte & 64:  # a roll; bit i = die i+1 is held
            held = [i for i in range(len(rolls[0])) if byte >> i & 1]
            rolled = rolls.pop(0)
            table = [table[i] if i in held else die for i, die in enumerate(rolled)]
            words = "holds dice " + " ".join(str(i + 1) for i in held) if held else "rolls all"
            print(f"turn {turn:2}  {words:22} ->", *table)
        else:  # an entry; the number of the box on the sheet, columns one after another
            print(f"turn {turn:2}  enters box {byte + 1:<11}   ", *table)
            table, turn = [], turn + 1


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("date", help="such as 2026-11-30")
parser.add_argument("ruleset", help="such as yacht")
parser.add_argument("seed", type=bytes.fromhex, help="as the board shows it, in hex")
parser.add_argument("--commitment", help="as it was published in advance, in hex")
parser.add_argument("--log", help="the log of a game, to see it roll by roll")
parser.add_argument("--dice", type=int, metavar="N", help="dice of the sheet, 5 or 6")
given = parser.parse_args()
n = given.dice or (6 if given.ruleset.startswith("maxi") else 5)
stream = values(given.seed)
rolls = [[next(stream) for _ in range(n)] for _ in range(117)]  # the longest game of any sheet
commitment = hashlib.sha256(given.seed).hexdigest()
print(f"{given.date} {given.ruleset}: the commitment of this seed is {commitment}")
for number, dice in enumerate(rolls if given.log is None else [], start=1):
    print(f"roll {number:3}  ", *dice)
try:
    replay(rolls, given.log or "")
except (ValueError, IndexError):
    raise SystemExit("This is not the log of a game of this sheet.") from None
if given.commitment:
    if given.commitment.strip().lower() != commitment:
        raise SystemExit("The seed does NOT match the commitment.")
    print("The seed matches the commitment.")
