// The dice stream, version 1, worked out in the visitor's own browser by WebCrypto alone.
const ROLL = 0x40;

export const bytesOf = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));

/** Hex SHA-256 of a seed: what was sealed. */
export async function commitmentOf(seed) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", seed));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The first `count` rolls of `n` dice that follow from a seed. */
export async function rollsOf(seed, n, count) {
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const values = [];
  for (let i = 0; values.length < n * count; i++) {
    const counter = new DataView(new ArrayBuffer(4));
    counter.setUint32(0, i);
    for (const byte of new Uint8Array(await crypto.subtle.sign("HMAC", key, counter.buffer))) {
      if (byte < 252) values.push((byte % 6) + 1);
    }
  }
  return Array.from({ length: count }, (_, k) => values.slice(n * k, n * k + n));
}

/** A game's log against these rolls: one step an action, with the dice on the table. */
export function replay(log, rolls) {
  const bytes = Uint8Array.from(atob(log.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  let table = [];
  let turn = 1;
  let k = 0;
  return [...bytes].map((byte, ply) => {
    if (!(byte & ROLL)) {
      const step = { ply, turn: turn++, box: byte, dice: table };
      table = [];
      return step;
    }
    const held = rolls[k].map((_, i) => i).filter((i) => (byte >> i) & 1);
    table = rolls[k++].map((die, i) => (held.includes(i) ? table[i] : die));
    return { ply, turn, held, dice: table };
  });
}
