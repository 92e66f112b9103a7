// Registers the service worker, once the page has all it needs.

/** Only where browsers allow it: over https and on localhost. */
export function install() {
  if (!isSecureContext || !navigator.serviceWorker) return;
  const register = () => navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch(() => {});
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
}
