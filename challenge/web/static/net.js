// A move on its way to the server: sent again, byte for byte, until it is answered.
// The server makes a move of the same number once only, so that sending it again is safe.
const PATIENCE = 10_000; // milliseconds for one try
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;
const LONGEST_WAIT = 90_000; // who is told to come back later than that sees the page that says so
let wake = null;

/** The page that answers; rejects where no server of ours did, or where it says to wait. */
export async function ask(address, options = {}) {
  const answer = await fetch(address, {
    ...options, headers: { "Samedice-Swap": "1", Accept: "text/html" },
    signal: AbortSignal.timeout(PATIENCE),
  });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (answer.status === 429) {
    const wait = 1000 * answer.headers.get("Retry-After");
    throw Object.assign(new Error("status 429"), { page, wait });
  }
  if (answer.status >= 500 || !page.querySelector("#main")) throw new Error(`status ${answer.status}`);
  return page;
}

/** Sends `body` until a page answers it; `waiting` hears of each try that failed, and of a wait. */
export async function deliver(address, body, waiting) {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await ask(address, { method: "POST", body });
    } catch (trouble) {
      if (trouble.wait > LONGEST_WAIT) return trouble.page;
      waiting(trouble.wait);
      await rest(trouble.wait || pause);
    }
  }
}

/** Tries at once what waits for its next try. */
export function hurry() {
  wake?.();
}

function rest(pause) {
  return new Promise((resolve) => {
    wake = resolve;
    setTimeout(resolve, pause);
  });
}
