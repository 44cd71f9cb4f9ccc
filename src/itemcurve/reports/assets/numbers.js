/* Numbers as people read them; reports/numbers.py writes the first rows in the same way. */
const writeNumber = (value) => {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e9) return value.toLocaleString("en-US");
  if (size >= 1e6 || size < 5e-4) return value.toExponential(1).replace("e+", "e");
  const digits = size >= 100 ? 1 : size >= 10 ? 2 : 3;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
};

const writeTick = (value) => {
  const size = Math.abs(value);
  if (value !== 0 && !(size >= 1e-4 && size < 1e6)) return Number(value.toPrecision(2)).toExponential().replace("e+", "e");
  return Number(value.toPrecision(10)).toLocaleString("en-US", { maximumFractionDigits: 10 });
};

/* About `count` round numbers between two ends. */
const niceTicks = (low, high, count = 5) => {
  if (!(high > low)) return [low];
  const rough = (high - low) / count;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * size).find((s) => s >= rough) || 10 * size;
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i <= Math.floor(high / step + 1e-9); i += 1) {
    ticks.push(Number((i * step).toPrecision(12)));
  }
  return ticks;
};

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

const drawing = (name, attributes = {}, text = null) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== null) made.textContent = text;
  return made;
};
