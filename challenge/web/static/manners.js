// What a player has switched off, kept in this browser: the question before a zero, the hints.
import { storage } from "./store.js";

const local = storage("localStorage");
const ZERO = "samedice.zero";
const HINTS = "samedice.hints";
const off = (name) => local.read(name) === "off";
const set = (name, on) => local.write(name, on ? "on" : "off");

/** Keeps the switches and hides what is switched off. */
export function manners() {
  document.addEventListener("change", ({ target }) => {
    if (target.id === "ask-zero") set(ZERO, target.checked);
  });
  document.addEventListener("samedice:page", show);
  show();
}

/** The name a pressed button is sent under: no question where none is wanted. */
export function answered(button) {
  return button.name === "ask" && off(ZERO) ? "box" : button.name;
}

/** Heeds a box ticked or a button pressed that switches something off. */
export function chosen(control) {
  if (control?.name === "quiet") set(ZERO, false);
  if (control?.value !== "quiet") return;
  set(HINTS, false);
  document.getElementById("roll")?.focus();
  show();
}

function show() {
  const box = document.getElementById("ask-zero");
  if (box) box.checked = !off(ZERO);
  // The first entry ends the first visit.
  if (document.querySelector("#game .filled, #game .struck")) set(HINTS, false);
  if (!off(HINTS)) return;
  document.querySelectorAll(".hint-dice, .hint-off, [name=hints]").forEach((each) => each.remove());
  const line = document.querySelector(".hint-box");
  if (line) line.replaceWith(JSON.parse(line.closest("#status").dataset.words)[0] ?? "");
}
