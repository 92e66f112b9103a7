// A move on its way to the server: sent again, byte for byte, until it is answered.
// The server makes a move of the same number once only, so that sending it again is safe.
const PATIENCE = 10_000; // milliseconds for one try
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;
let wake = null;

/** The page that answers; rejects where no server of ours did. */
export async function ask(address, options = {}) {
  const answer = await fetch(address, {
    ...options, headers: { "Samedice-Swap": "1", Accept: "text/html" },
    signal: AbortSignal.timeout(PATIENCE),
  });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (answer.status >= 500 || !page.querySelector("#main")) throw new Error(`status ${answer.status}`);
  return page;
}

/** Sends `body` until a page answers it; `waiting` is called after each try that failed. */
export async function deliver(address, body, waiting) {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await ask(address, { method: "POST", body });
    } catch {
      waiting();
      await rest(pause);
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
