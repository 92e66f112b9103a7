// Copies or shares the result; where that is refused, the text stands selected instead.
const find = (id) => document.getElementById(id);

/** Serves the buttons of the result, as far as this browser can do what they promise. */
export function copying() {
  document.addEventListener("click", (event) => {
    if (event.target.closest("#copy")) copy();
    if (event.target.closest("#share")) share();
  });
  document.addEventListener("samedice:page", dress);
  dress();
}

function dress() {
  if (!find("copy")) return;
  find("copy").hidden = false;
  find("share").hidden = !navigator.share;
}

async function copy() {
  try {
    await navigator.clipboard.writeText(find("text").value);
    say(find("copy").dataset.done);
  } catch {
    select();
  }
}

async function share() {
  try {
    await navigator.share({ text: find("text").value });
    say(find("share").dataset.done);
  } catch (error) {
    // Who closes the share sheet has changed their mind; anything else leaves the text to copy.
    if (error.name !== "AbortError") copy();
  }
}

function select() {
  const text = find("text");
  text.focus();
  text.setSelectionRange(0, text.value.length);
  say(find("copy").dataset.failed);
}

// Emptied first, so that saying the same again is heard again.
function say(words) {
  find("copied").textContent = "";
  requestAnimationFrame(() => { find("copied").textContent = words; });
}
