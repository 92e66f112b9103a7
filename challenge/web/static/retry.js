// A page that could not be shown keeps trying and comes back by itself.
const LONGEST = 30_000; // milliseconds between two tries
const PATIENCE = 5000;

/** Waits for the service to be ready, longer each time, then shows what was asked for. */
export function retry() {
  const main = document.querySelector("[data-retry]");
  if (!main) return;
  let pause = 1000;
  let timer = setTimeout(attempt, pause);
  addEventListener("online", attempt);

  async function attempt() {
    clearTimeout(timer);
    if (await back(main.dataset.retry || location.href)) return show(main.dataset.retry);
    pause = Math.min(LONGEST, pause * 2);
    timer = setTimeout(attempt, pause);
  }
}

const show = (target) => (target ? location.replace(target) : location.reload());

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
