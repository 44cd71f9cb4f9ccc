/* Where documents come from: a server, or the page itself. */
import type {
  Brief, Comparison, Corner, Decision, HealthPage, ItemCard, Labels, MapData, OtherPage, PairComparison, RespondentCard, RunEntry,
  RunPage, Table,
} from "../types";

export interface Source {
  isLive: boolean;
  /* Pages of a run that it knows to have nothing for. */
  lacks: string[];
  runs(): Promise<RunEntry[]>;
  brief(run: string): Promise<Brief>;
  page(run: string): Promise<RunPage | { other: OtherPage }>;
  map(run: string): Promise<MapData>;
  items(run: string, search: string, corners: Corner[]): Promise<Table>;
  item(run: string, item: string): Promise<ItemCard>;
  respondent(run: string, respondent: string): Promise<RespondentCard>;
  health(run: string): Promise<HealthPage>;
  labels(run: string): Promise<Labels>;
  decisions(run: string): Promise<Decision[]>;
  decide(run: string, item: string, decision: string, note: string): Promise<Decision>;
  compare(run: string, other: string): Promise<Comparison>;
  compareTwo(run: string, a: string, other: string, b: string): Promise<PairComparison>;
}

/* A fault with what to do about it. */
export class Fault extends Error {
  constructor(message: string, readonly status = 0) { super(message); }
}

/* Header of JSON, two numbers and a verdict for each item: `dashboard/item_map.py` writes it. */
export const readMap = (buffer: ArrayBuffer): MapData => {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const n = header.items as number, start = 4 + length;
  return {
    ...header,
    x: new Float32Array(buffer, start, n),
    y: new Float32Array(buffer, start + 4 * n, n),
    verdict: new Uint8Array(buffer, start + 8 * n, n),
  };
};

/* Whether a point lies within a polygon: crossed an odd number of times by a ray. */
export const isInside = (x: number, y: number, corners: Corner[]): boolean => {
  let inside = false;
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i, i += 1) {
    const [x1, y1] = corners[j], [x2, y2] = corners[i];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
};
