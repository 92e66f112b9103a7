// Storage of the browser that may be switched off or full: then nothing is remembered.

/** Reads and writes text in one of the browser's storages, `localStorage` or `sessionStorage`. */
export const storage = (kind) => ({
  read(name) {
    try {
      return window[kind].getItem(name);
    } catch {
      return null;
    }
  },
  write(name, text) {
    try {
      window[kind].setItem(name, text);
    } catch {
      // A choice that cannot be kept holds as long as the page.
    }
  },
});
