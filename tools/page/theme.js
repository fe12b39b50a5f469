// Light and dark colours: as in the operating system, until the viewer changes them.

const KEY = "affray-theme";

/** Apply the stored colours, and let a button change them. */
export function setUpTheme(toggle) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const show = () => {
    const now = document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");
    toggle.setAttribute("aria-pressed", String(now === "dark"));
    toggle.querySelector("use").setAttribute("href", `${new URL("icons.svg", import.meta.url).href}#${now === "dark" ? "sun" : "moon"}`);
    return now;
  };
  const kept = read();
  if (kept) document.documentElement.dataset.theme = kept;
  toggle.addEventListener("click", () => {
    const next = show() === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    write(next);
    show();
  });
  dark.addEventListener("change", show);
  show();
}

function read() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function write(value) {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // A browser without storage forgets it with the page.
  }
}
