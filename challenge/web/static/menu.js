// The menu of a narrow page closes by Escape, by a tap beside it, and behind the help.
const opened = () => document.querySelector(".menu[open]");

/** Closes an open menu when the player turns to something else. */
export function menu() {
  document.addEventListener("click", ({ target }) => {
    const open = opened();
    if (open && (!open.contains(target) || target.closest("[popovertarget]"))) close(open);
  });
  document.addEventListener("keydown", ({ key }) => {
    const open = key === "Escape" && opened();
    if (open) close(open);
  });
}

// Focus inside it goes to its button, so that it is never lost.
function close(open) {
  if (open.contains(document.activeElement)) open.querySelector("summary").focus();
  open.open = false;
}
