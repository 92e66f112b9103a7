// A page that could not be shown keeps trying and comes back by itself; what was sent goes
// out again, once the store is there.
const LONGEST = 30_000; // milliseconds between two tries
const PATIENCE = 5000;

const { retry } = document.getElementById("main").dataset; // empty: this very address
const form = document.getElementById("again"); // holds what was sent
document.getElementById("itself")?.removeAttribute("hidden");
let pause = 1000;
let timer = setTimeout(attempt, pause);
addEventListener("online", attempt);

// Waits longer each time.
async function attempt() {
  clearTimeout(timer);
  if (await back(retry || location.href)) return goOn();
  pause = Math.min(LONGEST, pause * 2);
  timer = setTimeout(attempt, pause);
}

function goOn() {
  if (form) HTMLFormElement.prototype.requestSubmit.call(form); // a field may be called so
  else if (retry) location.replace(retry);
  else location.reload();
}

// The store is back, and this very page too: else it would be loaded again and again.
async function back(target) {
  return (await answers("/readyz")) && answers(target);
}

async function answers(address) {
  try {
    const options = { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) };
    return (await fetch(address, options)).status < 500;
  } catch {
    return false;
  }
}
