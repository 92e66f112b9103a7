// Notes the dice as this browser saw them, for the fairness page to hold against the key.
const STORED = "samedice.dice";
const BOARDS = 30; // about half a kilobyte each

const stored = () => JSON.parse(localStorage.getItem(STORED) ?? "{}");

/** What was seen on a board such as `2026-11-30/yacht`: move number -> faces as text. */
export function noted(board) {
  try {
    return stored()[board] ?? {};
  } catch {
    return {};
  }
}

/** Notes the dice of every page of a game. */
export function noting() {
  document.addEventListener("samedice:page", note);
  note();
}

function note() {
  const board = document.querySelector("form#game")?.getAttribute("action").split(/[?#]/)[0].slice(1);
  const faces = [...document.querySelectorAll(".tray [data-face]")].map((die) => die.dataset.face).join("");
  if (board && faces) keep(board, document.getElementById("main").dataset.ply, faces);
}

function keep(board, ply, faces) {
  try {
    // A first roll begins a game, perhaps another player's in the same browser.
    const { [board]: before, ...others } = stored();
    const fresh = { ...others, [board]: { ...(ply === "1" ? {} : before), [ply]: faces } };
    for (const old of Object.keys(fresh).slice(0, -BOARDS)) delete fresh[old];
    localStorage.setItem(STORED, JSON.stringify(fresh));
  } catch {
    // Storage is off or full: the check works without notes.
  }
}
