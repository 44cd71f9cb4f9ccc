/* Documents from the service; a token is kept for this tab alone. */
import type { Corner } from "../types";
import { Fault, readMap, type Source } from "./source";

const TOKEN = "itemcurve-token";
export const token = (): string => sessionStorage.getItem(TOKEN) ?? "";
export const setToken = (text: string): void => {
  if (text) sessionStorage.setItem(TOKEN, text); else sessionStorage.removeItem(TOKEN);
};

export const headers = (more: Record<string, string> = {}): Record<string, string> =>
  token() ? { authorization: `Bearer ${token()}`, ...more } : more;

const fail = async (reply: Response): Promise<never> => {
  let words = `The service answered ${reply.status}.`;
  try { words = (await reply.json()).detail || words; } catch { /* Not every proxy speaks JSON. */ }
  throw new Fault(words, reply.status);
};

export const ask = async (path: string, options: RequestInit = {}): Promise<Response> => {
  let reply: Response;
  try {
    reply = await fetch(path, { ...options, headers: headers(options.headers as Record<string, string>) });
  } catch {
    throw new Fault("The service does not answer. Is `itemcurve serve` still running?");
  }
  return reply.ok ? reply : fail(reply);
};

export const getJson = async <T,>(path: string): Promise<T> => (await ask(path)).json();
export const postJson = async <T,>(path: string, body: unknown): Promise<T> =>
  (await ask(path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } })).json();

/* What was loaded once is asked for again only on another visit of the page. */
const kept = new Map<string, Promise<unknown>>();
const once = <T,>(path: string, read: () => Promise<T>): Promise<T> => {
  if (!kept.has(path)) kept.set(path, read().catch((fault) => { kept.delete(path); throw fault; }));
  return kept.get(path) as Promise<T>;
};
export const forget = (): void => kept.clear();

const enc = encodeURIComponent;
const page = (run: string, rest: string): string => `/v1/runs/${enc(run)}/pages/${rest}`;
const read = <T,>(path: string): Promise<T> => once(path, () => getJson<T>(path));
const polygon = (corners: Corner[]): string => corners.map(([x, y]) => `${x},${y}`).join(" ");

export const live: Source = {
  isLive: true,
  lacks: [],
  runs: async () => (await getJson<{ runs: [] }>("/v1/runs")).runs,
  brief: (run) => read(page(run, "brief")),
  page: (run) => read(page(run, "overview")),
  map: (run) => once(page(run, "map"), async () => readMap(await (await ask(page(run, "map"))).arrayBuffer())),
  items: (run, search, corners) =>
    read(page(run, `items?search=${enc(search)}&polygon=${enc(polygon(corners))}`)),
  item: (run, item) => read(page(run, `item?item=${enc(item)}`)),
  respondent: (run, name) => read(page(run, `respondent?respondent=${enc(name)}`)),
  health: (run) => read(page(run, "health")),
  labels: (run) => read(page(run, "labels")),
  decisions: async (run) => (await getJson<{ decisions: [] }>(`/v1/runs/${enc(run)}/items/decisions`)).decisions,
  decide: (run, item, decision, note) => postJson(`/v1/runs/${enc(run)}/items/decisions`, { item, decision, note }),
  compare: (run, other) => read(page(run, `comparison?other=${enc(other)}`)),
  compareTwo: (run, a, other, b) => read(page(run, `comparison?other=${enc(other)}&a=${enc(a)}&b=${enc(b)}`)),
};

/* Server-sent events by fetch, which can send a token; ends when `signal` is aborted. */
export const follow = async (path: string, tell: (data: string) => void, signal: AbortSignal): Promise<void> => {
  const reply = await ask(path, { signal });
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (waiting + value).split("\n\n");
    waiting = parts.pop() ?? "";
    for (const part of parts) if (part.startsWith("data: ")) tell(part.slice(6));
  }
};
