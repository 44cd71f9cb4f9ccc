/* Items by difficulty and discrimination, or by the mean response where all slopes are equal and a
   picture of them would be a line: hover names items, click or Enter chooses one. */
const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(share * (sorted.length - 1))))];

/* A range that items without a determined difficulty do not blow up. */
const robustRange = (values) => {
  const sorted = values.filter((v) => v !== null).sort((a, b) => a - b);
  if (!sorted.length) return [-1, 1];
  const middle = quantile(sorted, 0.5);
  const reach = Math.max(quantile(sorted, 0.98) - middle, middle - quantile(sorted, 0.02), 0.1);
  const low = Math.max(sorted[0], middle - 2 * reach), high = Math.min(sorted[sorted.length - 1], middle + 2 * reach);
  const margin = Math.max(0.04 * (high - low), 1e-3);
  return [low - margin, high + margin];
};

class Scatter {
  constructor(canvas, table, axes, choose) {
    const column = (name) => table.columns.find((c) => c.name === name).cells;
    this.canvas = canvas;
    this.choose = choose;
    this.names = column("item");
    this.verdicts = column("verdict");
    this.x = column(axes.location);
    this.xLabel = axes.location;
    const slopes = column(axes.slope);
    const isFlat = slopes.every((slope) => slope === slopes[0]);
    this.y = isFlat ? column("mean_response") : slopes;
    this.yLabel = isFlat ? "mean response" : axes.slope;
    canvas.setAttribute("aria-label", `Items by ${this.xLabel} and ${this.yLabel}`);
    this.xRange = robustRange(this.x);
    this.yRange = robustRange(this.y);
    this.hidden = new Set();
    this.chosen = null;
    this.hovered = null;
    this.tip = document.getElementById("tip");
    // Walked through by arrow keys from left to right.
    this.walk = Array.from(this.names, (_, i) => i).sort((a, b) => (this.x[a] ?? 0) - (this.x[b] ?? 0));
    canvas.addEventListener("mousemove", (event) => this.hover(this.nearest(event)));
    canvas.addEventListener("mouseleave", () => this.hover(null));
    canvas.addEventListener("click", (event) => { const i = this.nearest(event); if (i !== null) choose(i); });
    canvas.addEventListener("keydown", (event) => this.press(event));
    new ResizeObserver(() => this.draw()).observe(canvas);
    window.matchMedia("print").addEventListener("change", () => this.draw());
    theme.onChange(() => this.draw());
  }

  place(i) {
    const box = this.box, clip = (v, [low, high]) => Math.min(high, Math.max(low, v ?? high));
    const share = (v, [low, high]) => (clip(v, [low, high]) - low) / (high - low);
    return [
      box.left + share(this.x[i], this.xRange) * (box.right - box.left),
      box.bottom - share(this.y[i], this.yRange) * (box.bottom - box.top),
    ];
  }

  nearest(event) {
    const frame = this.canvas.getBoundingClientRect();
    const x = event.clientX - frame.left, y = event.clientY - frame.top;
    let best = null, least = 18 ** 2;
    for (let i = 0; i < this.names.length; i += 1) {
      if (this.hidden.has(this.verdicts[i])) continue;
      const [a, b] = this.place(i);
      const distance = (a - x) ** 2 + (b - y) ** 2;
      if (distance < least) { least = distance; best = i; }
    }
    return best;
  }

  hover(i) {
    if (i === this.hovered) return;
    this.hovered = i;
    this.tip.hidden = i === null;
    if (i !== null) {
      const [x, y] = this.place(i);
      this.tip.textContent = `${this.names[i]} · ${this.verdicts[i]}`;
      const left = Math.min(x + 10, this.canvas.clientWidth - this.tip.offsetWidth - 4);
      this.tip.style.left = `${Math.max(0, left)}px`;
      this.tip.style.top = `${y + 12}px`;
    }
    this.draw();
  }

  press(event) {
    const move = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (move) {
      event.preventDefault();
      const visible = this.walk.filter((i) => !this.hidden.has(this.verdicts[i]));
      if (!visible.length) return;
      const now = visible.indexOf(this.chosen);
      this.choose(visible[now < 0 ? 0 : (now + move + visible.length) % visible.length]);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (this.chosen === null) this.press(new KeyboardEvent("keydown", { key: "ArrowRight" }));
      document.getElementById("detail").focus();
    }
  }

  mark(context, i, size) {
    const [x, y] = this.place(i), word = this.verdicts[i];
    context.beginPath();
    if (word === "suspect label") {
      context.moveTo(x, y - 1.4 * size); context.lineTo(x + 1.4 * size, y);
      context.lineTo(x, y + 1.4 * size); context.lineTo(x - 1.4 * size, y); context.closePath();
    } else if (word === "uninformative" || word === "constant") {
      context.rect(x - size, y - size, 2 * size, 2 * size);
    } else {
      context.arc(x, y, size, 0, 7);
    }
    context.fill();
  }

  axes(context, width, height) {
    const { left, right, top, bottom } = this.box;
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = theme.colour("faint");
    context.strokeStyle = theme.colour("rule");
    context.lineWidth = 1;
    context.textAlign = "right";
    for (const tick of niceTicks(...this.yRange)) {
      const y = bottom - ((tick - this.yRange[0]) / (this.yRange[1] - this.yRange[0])) * (bottom - top);
      context.beginPath(); context.moveTo(left, y); context.lineTo(right, y); context.stroke();
      context.fillText(writeTick(tick), left - 6, y + 4);
    }
    context.textAlign = "center";
    for (const tick of niceTicks(...this.xRange)) {
      const x = left + ((tick - this.xRange[0]) / (this.xRange[1] - this.xRange[0])) * (right - left);
      context.fillText(writeTick(tick), x, bottom + 16);
    }
    context.fillText(this.xLabel, (left + right) / 2, height - 3);
    context.save();
    context.translate(11, (top + bottom) / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(this.yLabel, 0, 0);
    context.restore();
  }

  draw() {
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (!width || !height) return;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const context = this.canvas.getContext("2d");
    context.scale(ratio, ratio);
    this.box = { left: 58, right: width - 8, top: 8, bottom: height - 36 };
    this.axes(context, width, height);
    const size = this.names.length > 2000 ? 1.8 : this.names.length > 300 ? 2.6 : 4;
    // Rare verdicts are drawn last, over the crowd.
    const words = [...new Set(this.verdicts)].sort((a, b) => (a === "informative" ? -1 : b === "informative" ? 1 : a === "suspect label" ? 1 : -1));
    for (const word of words) {
      if (this.hidden.has(word)) continue;
      context.fillStyle = verdictColour(word);
      context.globalAlpha = this.names.length > 2000 && word !== "suspect label" ? 0.55 : 0.9;
      for (let i = 0; i < this.names.length; i += 1) if (this.verdicts[i] === word) this.mark(context, i, size);
    }
    context.globalAlpha = 1;
    for (const i of [this.hovered, this.chosen]) {
      if (i === null) continue;
      const [x, y] = this.place(i);
      context.strokeStyle = theme.colour("ink");
      context.lineWidth = 2;
      context.beginPath(); context.arc(x, y, size + 5, 0, 7); context.stroke();
    }
  }
}
