// Copies or shares what stands in a field; where that is refused, it stands selected instead.
// A button names the field by `data-copies` and the line that says what became of it by `data-says`.
const find = (id) => document.getElementById(id);

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-copies]");
  if (button) copy(button);
  if (target.closest("#share")) share();
});
document.addEventListener("samedice:page", dress);
dress();

// Buttons are shown as far as this browser can do what they promise.
function dress() {
  for (const button of document.querySelectorAll("[data-copies]")) button.hidden = false;
  if (find("share")) find("share").hidden = !navigator.share;
}

async function copy(button) {
  const { copies, says, done, failed } = button.dataset;
  try {
    await navigator.clipboard.writeText(find(copies).value);
    say(says, done);
  } catch {
    select(find(copies));
    say(says, failed);
  }
}

async function share() {
  try {
    await navigator.share({ text: find("text").value });
    say("copied", find("share").dataset.done);
  } catch (error) {
    // Who closes the share sheet has changed their mind; anything else leaves the text to copy.
    if (error.name !== "AbortError") copy(find("copy"));
  }
}

function select(text) {
  text.focus();
  text.setSelectionRange(0, text.value.length);
}

// Emptied first, so that saying the same again is heard again.
function say(id, words) {
  find(id).textContent = "";
  requestAnimationFrame(() => { find(id).textContent = words; });
}
