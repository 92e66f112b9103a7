// Counts down to the server's rollover; the device's clock may be wrong, so only its pace is used.
const shownSince = new WeakMap();

/** Shows the time that is left instead of the instant, and the instant by the visitor's zone. */
export function countdown() {
  setInterval(tick, 1000);
  document.addEventListener("samedice:page", tick);
  tick();
}

function tick() {
  const now = Date.now();
  for (const shown of document.querySelectorAll("[data-countdown]")) show(shown, now);
}

function show(shown, now) {
  const at = Date.parse(shown.dateTime);
  if (!shownSince.has(shown)) {
    shownSince.set(shown, now);
    tellWhen(shown, at);
  }
  const server = Date.parse(shown.dataset.now) + now - shownSince.get(shown);
  const seconds = Math.floor(Math.max(0, at - server) / 1000);
  const there = shown.nextElementSibling; // the way to what was waited for
  if (there) [shown.hidden, there.hidden] = [!seconds, seconds > 0];
  if (!seconds) document.getElementById(shown.dataset.when)?.replaceChildren();
  const two = (n) => String(n).padStart(2, "0");
  const time = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  shown.textContent = shown.dataset.in.replace("{}", time);
}

// "tomorrow at 01:00": seen from the server's now, by the clock on the visitor's wall.
function tellWhen(shown, at) {
  const place = document.getElementById(shown.dataset.when);
  if (!place) return;
  const lang = document.documentElement.lang;
  const dayOf = (instant) => {
    const local = new Date(instant);
    return Date.UTC(local.getFullYear(), local.getMonth(), local.getDate()) / 864e5;
  };
  const ahead = dayOf(at) - dayOf(Date.parse(shown.dataset.now));
  const day = new Intl.RelativeTimeFormat(lang, { numeric: "auto" }).format(ahead, "day");
  const time = new Date(at).toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  place.textContent = place.dataset.words.replace("{day}", day).replace("{time}", time);
}
