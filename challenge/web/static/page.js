// The page works without this module; it makes the same forms quicker and livelier.
import { play } from "./game.js";
import { guard } from "./guard.js";
import { manners } from "./manners.js";
import { menu } from "./menu.js";
import { shortcuts } from "./keys.js";
import { countdown } from "./countdown.js";
import { noting } from "./noted.js";

manners();
play();
guard();
shortcuts();
countdown();
noting();
menu();
document.addEventListener("samedice:page", more);
more();
// Only over https and on localhost do browsers allow a service worker; it waits for the page.
if (isSecureContext && navigator.serviceWorker) {
  if (document.readyState === "complete") install();
  else addEventListener("load", install, { once: true });
}

// A first visit does without what only a result, an invite or a code can use.
function more() {
  if (document.querySelector("[data-copies]")) import("./copy.js").catch(() => {});
}

function install() {
  navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch(() => {});
}
