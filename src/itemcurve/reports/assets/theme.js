"use strict";
/* Light or dark: as the system has it, until the reader chooses. */
const theme = (() => {
  const root = document.documentElement;
  const listeners = [];
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
  const remembered = () => {
    // Storage is refused to pages from disk in some browsers.
    try { return localStorage.getItem("itemcurve-theme"); } catch { return null; }
  };
  const remember = (name) => {
    try { localStorage.setItem("itemcurve-theme", name); } catch { /* not remembered */ }
  };
  const announce = (button) => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
    listeners.forEach((listener) => listener());
  };
  const start = () => {
    const button = document.getElementById("theme");
    const former = remembered();
    if (former === "dark" || former === "light") root.dataset.theme = former;
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      remember(root.dataset.theme);
      announce(button);
    });
    system.addEventListener("change", () => announce(button));
    announce(button);
  };
  const colour = (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();
  return { start, colour, onChange: (listener) => listeners.push(listener) };
})();

const VERDICT_COLOURS = {
  informative: "informative", easy: "easy", hard: "hard", uninformative: "uninformative",
  constant: "constant", "suspect label": "suspect",
};
const verdictColour = (word) => theme.colour(VERDICT_COLOURS[word] || "other");
