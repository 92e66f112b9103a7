// Sends the form of the game by fetch and puts the server's new page in place.
import { keepHolds, restoreHolds, sayHolds } from "./holds.js";
import { answered, chosen } from "./manners.js";
import { ask, deliver, hurry } from "./net.js";
import { thrown, tumble } from "./tumble.js";

const find = (selector, root = document) => root.querySelector(selector);
let busy = false;
let said = []; // what the status line said before the trouble

/** Takes over the form of the game and the words under the dice. */
export function play() {
  document.addEventListener("submit", onSubmit);
  document.addEventListener("change", onHold);
  document.addEventListener("click", onClick);
  addEventListener("offline", () => busy || say(find("#game")?.dataset.offline));
  addEventListener("online", () => (busy ? hurry() : calm()));
  dress();
}

/** What every fresh page needs: things that only a script can serve are shown. */
export function dress() {
  for (const each of document.querySelectorAll(".key-list")) each.hidden = false;
  restoreHolds();
  document.dispatchEvent(new Event("samedice:page"));
}

/** Looks at the game as the server has it now: another day, another tab, another version. */
export async function refresh() {
  const form = find("#game");
  if (!form || busy) return;
  const page = await ask(form.action).catch(() => null);
  if (!page || busy || find("#game") !== form) return;
  const [here, there] = [find("#main").dataset, find("#main", page).dataset];
  if (here.ply !== there.ply || here.state !== there.state) await swap(page, []);
  else Object.assign(here, { now: there.now });
  offerNewer(page);
  document.dispatchEvent(new Event("samedice:page"));
}

function onSubmit(event) {
  const form = event.target;
  if (form.id !== "game") return;
  event.preventDefault();
  if (busy) hurry();
  else if (event.submitter?.value === "quiet") chosen(event.submitter);
  else send(form, event.submitter);
}

async function send(form, button) {
  busy = true;
  form.setAttribute("aria-busy", "true");
  find(".pending")?.classList.remove("pending");
  button?.closest("[data-box]")?.classList.add("pending");
  const dice = thrown(form, button);
  const body = new URLSearchParams(new FormData(form));
  if (button?.name) body.append(answered(button), button.value);
  chosen(find("[name=quiet]:checked", form));
  const page = await deliver(form.action, body, (wait) => {
    form.classList.add("waits", dice.length ? "throws" : "enters");
    say(wait ? form.dataset.slower : form.dataset.waits);
  });
  busy = false;
  await swap(page, dice);
  offerNewer(page);
}

async function swap(page, dice) {
  await addStyles(page);
  const focus = keyOf(document.activeElement);
  const before = find("#main");
  const asked = find("[name=zero]", before)?.value;
  for (const fresh of page.querySelectorAll("[data-swap]")) {
    document.getElementById(fresh.id)?.replaceWith(document.adoptNode(fresh));
  }
  for (const selector of [".where", ".foot"]) {
    const fresh = find(selector, page);
    if (fresh) find(selector)?.replaceWith(document.adoptNode(fresh));
  }
  document.title = page.title;
  const main = find("#main");
  dress();
  const moved = before.dataset.ply !== main.dataset.ply;
  if (moved) tumble(dice, before, main);
  restore(focus, main, asked);
  if (!find("#game")) scrollTo(0, 0);
  const banner = !moved && !find("[name=zero]") && find(".banner:not([hidden])", main)?.textContent;
  find("#live").textContent = banner || (main.dataset.say ?? find("h1", main)?.textContent ?? "");
}

// A page of another kind may bring a style sheet of its own; it is there before it is used.
async function addStyles(page) {
  const nameOf = (link) => link.getAttribute("href").split("/").pop();
  const known = [...document.querySelectorAll("link[rel=stylesheet]")].map(nameOf);
  const missing = [...page.querySelectorAll("link[rel=stylesheet]")].filter((l) => !known.includes(nameOf(l)));
  await Promise.all(missing.map((link) => new Promise((done) => {
    const own = document.adoptNode(link);
    own.onload = own.onerror = done;
    document.head.append(own);
  })));
}

// Style sheet and scripts of this tab against those of the page that came.
function offerNewer(page) {
  const source = (root) => find("script[type=module]", root)?.getAttribute("src");
  const offer = find("#newer");
  if (offer && source(page)) offer.hidden = source(page) === source(document);
}

function keyOf(element) {
  if (!element || !find("#main").contains(element)) return null;
  if (element.id) return `#${element.id}`;
  if (element.matches(".cell")) return `.cell[value="${element.value}"]`;
  return element.name && `[name="${element.name}"][value="${element.value}"]`;
}

// Focus goes where it was; to the question while it is asked, and back to its box after it.
function restore(key, main, asked) {
  if (!key) return;
  const again = find("[name=zero]", main) ? "#roll" : asked ? `button.cell[value="${asked}"]` : key;
  const target = again && find(`${again}:is(a, button, input, section, textarea):not(:disabled)`, main);
  (target ?? find("#roll", main) ?? main).focus({ preventScroll: true });
}

function onHold(event) {
  if (event.target.name !== "hold") return;
  keepHolds();
  sayHolds();
}

function onClick(event) {
  // A move on its way has its holds already.
  if (busy && event.target.closest(".die")) event.preventDefault();
  // The second click of a double click is no roll: nobody has seen the dice of the first yet.
  if (event.detail > 1 && event.target.closest("#roll[value=roll]")) event.preventDefault();
  if (!event.target.closest("a.next")) return;
  event.preventDefault();
  find("button.cell:enabled")?.focus();
}

// What went wrong, in words; the holds stay.
function say(words) {
  const status = find("#status");
  if (!status || !words || status.textContent === words) return;
  if (!status.matches(".trouble")) said = [...status.childNodes];
  find("#live").textContent = words;
  status.textContent = words;
  status.classList.add("trouble");
}

function calm() {
  const status = find("#status.trouble");
  status?.replaceChildren(...said);
  status?.classList.remove("trouble");
}
