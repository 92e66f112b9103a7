// Which dice are held, kept in the tab: a reload, a new version or a lost connection keeps them.
import { storage } from "./store.js";

const tab = storage("sessionStorage");
const STORED = "samedice.holds";
const boxes = () => [...document.querySelectorAll("[name=hold]")];
const mask = () => boxes().reduce((sum, box) => sum | (box.checked << box.value), 0);

// A mask belongs to one state of one game.
function place() {
  const form = document.getElementById("game");
  return form && `${new URL(form.action).pathname} ${document.getElementById("main").dataset.ply}`;
}

/** Remembers the holds as they are. */
export function keepHolds() {
  tab.write(STORED, JSON.stringify([place(), mask()]));
}

/** Holds again what was held in this very state of the game. */
export function restoreHolds() {
  const [where, held] = JSON.parse(tab.read(STORED) ?? "[]");
  if (!where || where !== place() || held === mask()) return;
  for (const box of boxes()) box.checked = Boolean(held & (1 << box.value));
  sayHolds();
}

/** The status line for what is held now. */
export function sayHolds() {
  const status = document.getElementById("status");
  const words = JSON.parse(status?.dataset.words ?? "[]")[mask()];
  if (!words) return;
  status.textContent = words;
  status.classList.remove("trouble");
}
