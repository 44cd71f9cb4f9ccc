/* Up to a million items on a plain canvas: counted into pixels, which needs no graphics card. */
import type { MapData } from "../types";
import { colourOf } from "../parts/verdict";

export interface View { left: number; right: number; bottom: number; top: number }
export interface Frame { width: number; height: number; padLeft: number; padBottom: number }
type Rgb = [number, number, number];

/* Fewer items than this are drawn one by one, with a shape for each verdict. */
const FEW = 15_000;
const LARGE_SHAPES = 4_000;
const LEVELS = 64;
const SUSPECT = "suspect label";

interface Layer { x: Float32Array; y: Float32Array; word: string }

const rgb = (text: string): Rgb => {
  const found = text.trim().match(/^#(..)(..)(..)$/);
  return found ? [parseInt(found[1], 16), parseInt(found[2], 16), parseInt(found[3], 16)] : [128, 128, 128];
};

const packed = ([r, g, b]: Rgb): number => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
const mixed = (a: Rgb, b: Rgb, share: number): Rgb => a.map((v, i) => Math.round(v + share * (b[i] - v))) as Rgb;

export class Raster {
  private layers: Layer[] = [];
  private chosen: Layer | null = null;
  private counts = new Uint16Array(0);
  private image: ImageData | null = null;
  private ramp = new Uint32Array(LEVELS);
  private marks = { suspect: 0, chosen: 0, paper: 0 };
  private style: CSSStyleDeclaration;

  constructor(private data: MapData, private canvas: HTMLCanvasElement) {
    this.style = getComputedStyle(document.documentElement);
    this.recolour();
  }

  get isFew(): boolean { return this.data.items <= FEW; }

  colour(name: string): string { return this.style.getPropertyValue(name).trim(); }

  recolour(): void {
    const paper = rgb(this.colour("--paper")), deep = rgb(this.colour("--dense"));
    const faint = rgb(this.colour("--sparse"));
    for (let i = 0; i < LEVELS; i += 1) this.ramp[i] = packed(mixed(faint, deep, i / (LEVELS - 1)));
    this.marks = { suspect: packed(rgb(this.colour("--suspect"))), chosen: packed(rgb(this.colour("--chosen"))), paper: packed(paper) };
  }

  /* Gathers the points that are shown, so that drawing need not ask again. */
  choose(hidden: Set<string>, isChosen: Uint8Array | null): void {
    const { x, y, verdict, verdicts, items } = this.data;
    const layers = verdicts.map(({ word }) => ({ word, at: [] as number[] }));
    const picked: number[] = [];
    for (let i = 0; i < items; i += 1) {
      if (!Number.isFinite(x[i]) || !Number.isFinite(y[i])) continue;
      const layer = layers[verdict[i]];
      if (hidden.has(layer.word)) continue;
      layer.at.push(i);
      if (isChosen && isChosen[i]) picked.push(i);
    }
    const made = (word: string, at: number[]): Layer =>
      ({ word, x: Float32Array.from(at, (i) => x[i]), y: Float32Array.from(at, (i) => y[i]) });
    this.layers = layers.map(({ word, at }) => made(word, at)).sort((a, b) => Number(a.word === SUSPECT) - Number(b.word === SUSPECT));
    this.chosen = isChosen ? made("chosen", picked) : null;
  }

  draw(view: View, frame: Frame): void {
    const { width, height } = frame;
    const context = this.canvas.getContext("2d")!;
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width; this.canvas.height = height;
    }
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = context.createImageData(width, height);
      this.counts = new Uint16Array(width * height);
    }
    if (this.isFew) {
      context.fillStyle = this.colour("--paper");
      context.fillRect(0, 0, width, height);
      this.drawShapes(context, view, frame);
    } else {
      this.drawDensity(view, frame);
      context.putImageData(this.image!, 0, 0);
    }
  }

  private drawDensity(view: View, { width, height }: Frame): void {
    const pixels = new Uint32Array(this.image!.data.buffer), counts = this.counts;
    pixels.fill(this.marks.paper);
    counts.fill(0);
    for (const layer of this.layers) if (layer.word !== SUSPECT) count(layer, view, width, height, counts);
    for (let i = 0; i < counts.length; i += 1) {
      const found = counts[i];
      if (found) pixels[i] = this.ramp[Math.min(LEVELS - 1, found < 4 ? found * 4 : 12 + (Math.log2(found) * 7) | 0)];
    }
    for (const layer of this.layers) if (layer.word === SUSPECT) stamp(layer, view, width, height, pixels, this.marks.suspect, 1);
    if (this.chosen) stamp(this.chosen, view, width, height, pixels, this.marks.chosen, 1);
  }

  private drawShapes(context: CanvasRenderingContext2D, view: View, { width, height }: Frame): void {
    const sx = width / (view.right - view.left), sy = height / (view.top - view.bottom);
    const size = this.data.items <= LARGE_SHAPES ? 3.5 : 2;
    const shapes: [Layer, string, number][] = this.layers.map((layer) => [layer, this.colour(colourOf(layer.word)), layer.word === SUSPECT ? 3.5 : size]);
    if (this.chosen) shapes.push([this.chosen, this.colour("--chosen"), 6]);
    for (const [layer, colour, reach] of shapes) {
      context.fillStyle = colour; context.strokeStyle = colour; context.lineWidth = 2;
      for (let i = 0; i < layer.x.length; i += 1) {
        const px = (layer.x[i] - view.left) * sx, py = (view.top - layer.y[i]) * sy;
        if (px < -9 || py < -9 || px > width + 9 || py > height + 9) continue;
        shape(context, layer.word, px, py, reach);
      }
    }
  }
}

const count = (layer: Layer, view: View, width: number, height: number, counts: Uint16Array): void => {
  const { x, y } = layer, n = x.length;
  const sx = width / (view.right - view.left), sy = height / (view.top - view.bottom);
  const ox = -view.left * sx, oy = view.top * sy;
  for (let i = 0; i < n; i += 1) {
    const px = x[i] * sx + ox, py = oy - y[i] * sy;
    if (px >= 0 && px < width && py >= 0 && py < height) counts[(py | 0) * width + (px | 0)] += 1;
  }
};

/* Marks each point as a small square, so that single ones are seen among many. */
const stamp = (layer: Layer, view: View, width: number, height: number, pixels: Uint32Array, colour: number, reach: number): void => {
  const { x, y } = layer, n = x.length;
  const sx = width / (view.right - view.left), sy = height / (view.top - view.bottom);
  const side = n > 2000 ? 0 : reach;
  for (let i = 0; i < n; i += 1) {
    const px = Math.floor((x[i] - view.left) * sx), py = Math.floor((view.top - y[i]) * sy);
    if (px < side || py < side || px >= width - side || py >= height - side) continue;
    for (let dy = -side; dy <= side; dy += 1) for (let dx = -side; dx <= side; dx += 1) pixels[(py + dy) * width + px + dx] = colour;
  }
};

const shape = (context: CanvasRenderingContext2D, word: string, x: number, y: number, r: number): void => {
  context.beginPath();
  if (word === "chosen") { context.arc(x, y, r, 0, 7); context.stroke(); return; }
  if (word === SUSPECT) {
    context.moveTo(x - r, y - r); context.lineTo(x + r, y + r); context.moveTo(x + r, y - r); context.lineTo(x - r, y + r);
    context.stroke();
    return;
  }
  if (word === "easy") { context.moveTo(x, y - r); context.lineTo(x + r, y + r); context.lineTo(x - r, y + r); }
  else if (word === "hard") { context.moveTo(x, y + r); context.lineTo(x + r, y - r); context.lineTo(x - r, y - r); }
  else if (word === "uninformative") context.rect(x - r, y - r / 2, 2 * r, r);
  else if (word === "constant") context.rect(x - r, y - r, 2 * r, 2 * r);
  else context.arc(x, y, r, 0, 7);
  context.fill();
};

/* Ends that hold nearly all items: a few far away must not squeeze the others together. */
export const fullView = (data: MapData): View => {
  const ends = (values: Float32Array): [number, number] => {
    const step = Math.max(1, Math.floor(values.length / 20000)), some: number[] = [];
    for (let i = 0; i < values.length; i += step) if (Number.isFinite(values[i])) some.push(values[i]);
    if (!some.length) return [0, 1];
    some.sort((a, b) => a - b);
    const cut = some.length > 500 ? 0.002 : 0;
    const low = some[Math.floor(cut * (some.length - 1))], high = some[Math.ceil((1 - cut) * (some.length - 1))];
    const margin = 0.06 * (high - low) || 0.5;
    return [low - margin, high + margin];
  };
  const [left, right] = ends(data.x), [bottom, top] = ends(data.y);
  return { left, right, bottom, top };
};
