// Checks a closed board, and one's own game on it, with nothing but the key on the page.
import { noted } from "./noted.js";
import { bytesOf, commitmentOf, replay, rollsOf } from "./stream.js";

const find = (id) => document.getElementById(id);
const form = find("check");

if (form && !globalThis.crypto?.subtle) {
  find("verdict").textContent = find("verdict").dataset.insecure;
} else if (form) {
  find("again").hidden = find("rolls").hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    check();
  });
  find("seed").addEventListener("input", check);
  check();
}

async function check() {
  const given = find("seed").value.replace(/\s/g, "").toLowerCase();
  const words = find("verdict").dataset;
  if (!/^[0-9a-f]{64}$/.test(given)) {
    find("hash").textContent = "–";
    return show(false, words.shape);
  }
  const seed = bytesOf(given);
  const hash = await commitmentOf(seed);
  const rolls = await rollsOf(seed, +form.dataset.dice, +form.dataset.rolls);
  find("hash").textContent = hash;
  find("first").replaceChildren(...rolls[0].map(drawn));
  const game = form.dataset.game && JSON.parse(form.dataset.game);
  const steps = game ? replay(game.log, rolls) : [];
  list(steps, rolls, game);
  const said = hash === form.dataset.commitment ? [] : [words.other];
  if (game) said.push(...troubles(game, steps, words));
  show(!said.length, said.length ? said.join(" ") : praise(game, steps, words));
}

// Number of the roll, the faces this browser saw, the faces that follow from the key.
function seen(steps) {
  const notes = noted(form.dataset.board);
  return steps.filter((step) => step.held)
    .map((step, k) => [k + 1, notes[step.ply + 1], step.dice.join("")])
    .filter(([, shown]) => shown);
}

function troubles(game, steps, words) {
  const said = [];
  const [roll, ...faces] = seen(steps).find(([, shown, dealt]) => shown !== dealt) ?? [];
  if (roll) said.push(fill(words.dealt, roll, ...faces.map((each) => [...each].join(" "))));
  const sum = totalOf(game, steps);
  if (sum !== game.total) said.push(fill(words.total, sum, game.total));
  return said;
}

function totalOf(game, steps) {
  const entries = steps.filter((step) => !step.held);
  const points = (column) => entries.filter((step) => game.column[step.box] === column)
    .reduce((sum, step) => sum + game.scores[step.box], game.bonus[column] ?? 0);
  return game.factors.reduce((sum, factor, column) => sum + factor * points(column), 0);
}

function praise(game, steps, words) {
  if (!game) return words.all;
  const count = seen(steps).length;
  const said = [fill(words.game, steps.filter((step) => step.held).length), fill(words.sum, game.total)];
  if (count) said.push(fill(words.noted, count));
  return said.join(" ");
}

function show(right, words) {
  const verdict = find("verdict");
  const head = document.createElement("strong");
  head.textContent = right ? verdict.dataset.right : verdict.dataset.wrong;
  verdict.classList.toggle("right", right);
  verdict.classList.toggle("wrong", !right);
  verdict.replaceChildren(head, ` ${words}`);
}

function list(steps, rolls, game) {
  const words = find("list").dataset;
  const rows = game ? steps.map((step) => [step.dice, told(step, game, words)]) : rolls.map((dice) => [dice, ""]);
  find("list").replaceChildren(...rows.map(([dice, text]) => {
    const row = document.createElement("li");
    row.append(dice.join(" "), text && ` · ${text}`);
    return row;
  }));
}

function told(step, game, words) {
  const turn = fill(words.turn, step.turn);
  if (!step.held) return `${turn} ${fill(words.entry, game.scores[step.box], game.boxes[step.box])}`;
  const held = step.held.map((i) => i + 1).join(", ");
  return `${turn} ${held ? fill(words.held, held) : words.rolled}`;
}

const drawn = (face) => find("faces").content.children[face - 1].cloneNode(true);
const fill = (text, ...values) => values.reduce((said, value) => said.replace("{}", value), text);
