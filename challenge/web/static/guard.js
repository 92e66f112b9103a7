// A tab left open: at the turn of its day, after a sleep and on the way back it asks the server.
import { refresh } from "./game.js";

const MINUTE = 60_000;
const BREATH = 1000; // at least between two looks
let timer;
let shown; // the server's time of this page, and when it was shown by both clocks of the device

/** Watches the day of the game that is shown. */
export function guard() {
  document.addEventListener("visibilitychange", () => document.hidden || refresh());
  addEventListener("pageshow", (event) => event.persisted && refresh());
  addEventListener("online", refresh);
  document.addEventListener("samedice:page", arm);
  arm();
}

// The device's clock may be wrong, and may be set while we look: only its pace counts. It
// goes on in a sleep, the other one never goes back.
function serverNow() {
  return shown.server + Math.max(Date.now() - shown.date, performance.now() - shown.pace);
}

function arm() {
  const { now, turns } = document.getElementById("main").dataset;
  clearTimeout(timer);
  if (!turns) return;
  if (shown?.text !== now) {
    shown = { text: now, server: Date.parse(now), date: Date.now(), pace: performance.now() };
  }
  const left = Date.parse(turns) - serverNow();
  timer = setTimeout(left > MINUTE ? arm : due, Math.max(BREATH, Math.min(left, MINUTE)));
}

async function due() {
  const { turns } = document.getElementById("main").dataset;
  if (turns && serverNow() >= Date.parse(turns)) await refresh();
  arm();
}
