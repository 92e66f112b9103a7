// Keys: 1–6 hold a die, R or space rolls, arrows walk over the open boxes, ? opens the help.
import { storage } from "./store.js";

const local = storage("localStorage");
const STORED = "samedice.keys";

/** Listens for the keys; a box in the help switches them off. */
export function shortcuts() {
  document.addEventListener("keydown", onKey);
  document.addEventListener("change", onSwitch);
  document.addEventListener("samedice:page", showSwitch);
  showSwitch();
}

const off = () => local.read(STORED) === "off";
const find = (selector) => document.querySelector(selector);

function showSwitch() {
  const box = document.getElementById("keys");
  if (box) box.checked = !off();
}

function onSwitch(event) {
  if (event.target.id === "keys") local.write(STORED, event.target.checked ? "on" : "off");
}

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("textarea, select, input:not([type=checkbox])") || off()) return;
  const help = "popover" in HTMLElement.prototype && find("#help");
  if (event.key === "?" && help) help.togglePopover();
  else if (event.shiftKey || (help && help.matches(":popover-open")) || !act(event)) return;
  event.preventDefault();
}

function act(event) {
  if (/^[1-6]$/.test(event.key)) return press(`[name=hold][value="${event.key - 1}"]`);
  if (event.key === "Escape") return press("button#roll[value=back]");
  if (event.key.toLowerCase() === "r") return press("button#roll");
  if (event.key === " " && !event.target.closest("button, a, input, summary")) return press("button#roll");
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (step) return walk(step);
  return { ArrowLeft: true, ArrowRight: true }[event.key] ? cross() : false;
}

function press(selector) {
  const target = find(selector);
  target?.click();
  return Boolean(target);
}

const boxes = () => [...document.querySelectorAll("button.cell:enabled")];

function walk(step) {
  const open = boxes();
  const here = open.indexOf(document.activeElement);
  if (!open.length || (here < 0 && document.activeElement.closest("input, summary"))) return false;
  open[here < 0 ? (step > 0 ? 0 : open.length - 1) : (here + step + open.length) % open.length].focus();
  return true;
}

// To the box of the other column that lies nearest in height.
function cross() {
  const here = document.activeElement.getBoundingClientRect();
  if (!boxes().includes(document.activeElement)) return false;
  const away = (box) => Math.abs(box.getBoundingClientRect().top - here.top);
  const others = boxes().filter((box) => Math.abs(box.getBoundingClientRect().left - here.left) > 20);
  others.sort((a, b) => away(a) - away(b))[0]?.focus();
  return true;
}
