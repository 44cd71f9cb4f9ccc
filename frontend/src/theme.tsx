/* Light or dark: as the system says, unless the reader chose. */
import { useEffect, useState } from "preact/hooks";

const KEY = "itemcurve-theme";
const stored = (): string => { try { return localStorage.getItem(KEY) ?? ""; } catch { return ""; } };
const isDarkNow = (): boolean => (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

if (stored()) document.documentElement.dataset.theme = stored();

export const ThemeButton = () => {
  const [isDark, setIsDark] = useState(isDarkNow);
  useEffect(() => {
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const read = (): void => setIsDark(isDarkNow());
    scheme.addEventListener("change", read);
    return () => scheme.removeEventListener("change", read);
  }, []);
  const turn = (): void => {
    const next = isDark ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    try { localStorage.setItem(KEY, next); } catch { /* Then it holds until the page is closed. */ }
    setIsDark(!isDark);
    dispatchEvent(new Event("itemcurve-theme"));
  };
  return <button type="button" id="theme" onClick={turn}>{isDark ? "Light" : "Dark"}</button>;
};
