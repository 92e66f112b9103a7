// Sends the form of the game by fetch and puts the server's new page in place.
import { thrown, tumble } from "./tumble.js";

const find = (selector, root = document) => root.querySelector(selector);
const PATIENCE = 10_000; // milliseconds; a move may be sent again without harm
let busy = false;

/** Takes over the form of the game and the words under the dice. */
export function play() {
  document.addEventListener("submit", onSubmit);
  document.addEventListener("change", onHold);
  document.addEventListener("click", onNext);
  dress();
}

/** What every fresh page needs: things that only a script can serve are shown. */
export function dress() {
  for (const each of document.querySelectorAll(".keys, #copy")) each.hidden = false;
  document.dispatchEvent(new Event("samedice:page"));
}

function onSubmit(event) {
  const form = event.target;
  if (form.id !== "game") return;
  event.preventDefault();
  if (!busy) send(form, event.submitter);
}

async function send(form, button) {
  busy = true;
  form.setAttribute("aria-busy", "true");
  const line = button?.closest("[data-box]");
  line?.classList.add("pending");
  const body = new URLSearchParams(new FormData(form));
  if (button?.name) body.append(button.name, button.value);
  try {
    const answer = await fetch(form.action, {
      method: "POST", body, headers: { "Samedice-Swap": "1", Accept: "text/html" },
      signal: AbortSignal.timeout(PATIENCE),
    });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.status >= 500 || !find("#main", page)) throw new Error(`status ${answer.status}`);
    swap(page, thrown(form, button));
  } catch {
    // Nothing is swapped: the dice stay held, and the same move may be sent again.
    line?.classList.remove("pending");
    say(form.dataset.failed, true);
  } finally {
    busy = false;
    form.removeAttribute("aria-busy");
  }
}

function swap(page, dice) {
  const focus = keyOf(document.activeElement);
  const before = find("#main");
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
  if (before.dataset.ply !== main.dataset.ply) tumble(dice, before, main);
  restore(focus, main);
  if (!find("#game")) scrollTo(0, 0);
  find("#live").textContent = main.dataset.say ?? find("h1", main)?.textContent ?? "";
}

function keyOf(element) {
  if (!element || element === document.body) return null;
  return element.id ? `#${element.id}` : `[name="${element.name}"][value="${element.value}"]`;
}

function restore(key, main) {
  if (!key) return;
  const again = key.startsWith("[name=\"undefined") ? null : find(`${key}:enabled, a${key}`, main);
  (again ?? find("#roll", main) ?? main).focus({ preventScroll: true });
}

function onHold(event) {
  if (event.target.name !== "hold") return;
  const mask = [...document.querySelectorAll("[name=hold]:checked")]
    .reduce((sum, box) => sum | (1 << box.value), 0);
  const words = JSON.parse(find("#status").dataset.words)[mask];
  if (words) say(words, false);
}

function onNext(event) {
  if (!event.target.closest("a.next")) return;
  event.preventDefault();
  const box = find("button.cell:enabled");
  box?.focus();
}

function say(words, trouble) {
  const status = find("#status");
  if (!status) return;
  status.textContent = words;
  status.classList.toggle("trouble", trouble);
  if (trouble) find("#live").textContent = words;
}
