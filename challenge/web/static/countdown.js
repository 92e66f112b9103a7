// Counts down to the server's rollover; the device's clock may be wrong, so only its pace is used.
const shownSince = new WeakMap();

/** Shows the time that is left instead of the instant. */
export function countdown() {
  setInterval(tick, 1000);
  document.addEventListener("samedice:page", tick);
  tick();
}

function tick() {
  const shown = document.querySelector("[data-countdown]");
  if (!shown) return;
  if (!shownSince.has(shown)) shownSince.set(shown, Date.now());
  const server = Date.parse(shown.dataset.now) + Date.now() - shownSince.get(shown);
  const left = Math.max(0, Date.parse(shown.dateTime) - server);
  const seconds = Math.floor(left / 1000);
  const two = (n) => String(n).padStart(2, "0");
  const time = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  shown.textContent = shown.dataset.in.replace("{}", time);
}
