/* Numbers as people read them; reports/numbers.py writes them in the same way. */
export const writeNumber = (value: unknown): string => {
  if (typeof value !== "number" || !Number.isFinite(value)) return value === null || value === undefined || typeof value === "number" ? "–" : String(value);
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e9) return value.toLocaleString("en-US");
  if (size >= 1e6 || size < 5e-4) return value.toExponential(1).replace("e+", "e");
  const digits = size >= 100 ? 1 : size >= 10 ? 2 : 3;
  return value.toFixed(digits).replace(/\B(?=(\d{3})+\.)/, ",");
};

export const writeSigned = (value: number | null): string =>
  value === null ? "–" : `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(3)}`;

export const writeTick = (value: number): string => {
  const size = Math.abs(value);
  if (value !== 0 && !(size >= 1e-4 && size < 1e6)) return Number(value.toPrecision(2)).toExponential().replace("e+", "e");
  return Number(value.toPrecision(10)).toLocaleString("en-US", { maximumFractionDigits: 10 });
};

/* About `count` round numbers between two ends. */
export const niceTicks = (low: number, high: number, count = 5): number[] => {
  if (!(high > low)) return [low];
  const rough = (high - low) / count;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * size).find((s) => s >= rough) ?? 10 * size;
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i <= Math.floor(high / step + 1e-9); i += 1) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
};

export const writeTime = (seconds: number): string =>
  new Date(1000 * seconds).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
