// Copies the result; where that is refused, the text stands selected instead.

/** Serves the copy button of the result. */
export function copying() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("#copy");
    if (!button) return;
    const text = document.getElementById("text");
    const said = document.getElementById("copied");
    try {
      await navigator.clipboard.writeText(text.value);
      said.textContent = button.dataset.done;
    } catch {
      text.focus();
      text.select();
      said.textContent = button.dataset.failed;
    }
  });
}
