/* Every state has a link: a path of parts and named settings behind the hash. */
import { useEffect, useState } from "preact/hooks";

export interface Place { parts: string[]; settings: URLSearchParams }

export const readPlace = (): Place => {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/").filter(Boolean).map((part) => {
    try { return decodeURIComponent(part); } catch { return part; }
  });
  return { parts, settings: new URLSearchParams(query) };
};

export const linkTo = (parts: string[], settings: Record<string, string> = {}): string => {
  const query = new URLSearchParams(Object.entries(settings).filter(([, value]) => value !== ""));
  const text = query.toString();
  return `#/${parts.map(encodeURIComponent).join("/")}${text ? `?${text}` : ""}`;
};

export const go = (parts: string[], settings: Record<string, string> = {}): void => { location.hash = linkTo(parts, settings); };

const CHANGED = "itemcurve-place";

export const usePlace = (): Place => {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const read = (): void => setPlace(readPlace());
    addEventListener("hashchange", read);
    addEventListener(CHANGED, read);
    return () => { removeEventListener("hashchange", read); removeEventListener(CHANGED, read); };
  }, []);
  return place;
};

/* A setting of the page that is kept in its link, without a step in the history for each change. */
export const setSetting = (name: string, value: string): void => {
  const { parts, settings } = readPlace();
  if (value === "") settings.delete(name); else settings.set(name, value);
  history.replaceState(null, "", linkTo(parts, Object.fromEntries(settings)));
  dispatchEvent(new Event(CHANGED));
};

export const useSetting = (name: string, usual = ""): [string, (value: string) => void] => {
  const { settings } = usePlace();
  return [settings.get(name) ?? usual, (value) => setSetting(name, value === usual ? "" : value)];
};
