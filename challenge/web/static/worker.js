// Keeps the static files of one version and the page for no network; never a game.
const KEPT = `samedice-${SITE.version}`;
const STATIC = `/assets/${SITE.version}/`;

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll([...SITE.shell, ...Object.values(SITE.offline)])));
});

addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([tidy(), clients.claim(), registration.navigationPreload?.enable()]));
});

async function tidy() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("samedice-") && name !== KEPT).map((name) => caches.delete(name)));
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (url.pathname.startsWith(STATIC)) event.respondWith(file(request));
});

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(SITE.offline[await language()])) ?? Response.error();
  }
}

// The visitor's choice where the browser lets a worker read it, else the device's language.
async function language() {
  const choice = await self.cookieStore?.get("lang").catch(() => null);
  const asked = [choice?.value, ...navigator.languages].filter(Boolean).map((tag) => tag.split("-")[0]);
  return asked.find((code) => code in SITE.offline) ?? "en";
}

// The address of a static file names its content, so what is kept is never out of date.
async function file(request) {
  const cache = await caches.open(KEPT);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}
