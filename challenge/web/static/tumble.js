// The dice just thrown turn for a moment before they show their new face.
const TURN = 320;
const APART = 15;

/** Positions the move throws: all that are not held; none for anything but a roll. */
export function thrown(form, button) {
  if (button && button.value !== "roll") return [];
  const held = new Set([...form.querySelectorAll("[name=hold]:checked")].map((box) => +box.value));
  const dice = form.querySelectorAll(".die").length;
  return [...Array(dice).keys()].filter((position) => !held.has(position));
}

/** Lets the dice at `positions` tumble from their old face in `before` to that in `after`. */
export function tumble(positions, before, after) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const old = before.querySelectorAll(".die .pips");
  const dice = after.querySelectorAll(".die svg");
  positions.forEach((position, order) => {
    if (dice[position]) turn(dice[position], old[position], order * APART);
  });
}

function turn(die, oldPips, delay) {
  const pips = die.querySelector(".pips");
  const face = pips.innerHTML;
  pips.innerHTML = oldPips?.innerHTML ?? "";
  setTimeout(() => { pips.innerHTML = face; }, delay + TURN * 0.6);
  die.animate(
    [
      { transform: "none" },
      { transform: "rotate(-14deg) translateY(-3px)", offset: 0.45 },
      { transform: "rotate(6deg)", offset: 0.75 },
      { transform: "none" },
    ],
    { duration: TURN, delay, easing: "ease-out" },
  );
}
