/* The item map: pan, zoom, lasso, choose; everything also by keyboard. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { niceTicks, writeTick } from "../parts/numbers";
import { useWidth } from "../parts/width";
import { isInside } from "../sources/source";
import type { Corner, MapData } from "../types";
import { fullView, Raster, type View } from "./raster";

interface Props {
  data: MapData; hidden: Set<string>; corners: Corner[]; view: View | null;
  onView: (view: View | null) => void; onLasso: (corners: Corner[]) => void; onPick: (corners: Corner[]) => void;
}

const RATIO = 2 / 3, MOST_WIDTH = 900, LEAST_HEIGHT = 280;

const moved = (view: View, dx: number, dy: number): View =>
  ({ left: view.left + dx, right: view.right + dx, bottom: view.bottom + dy, top: view.top + dy });

const zoomed = (view: View, factor: number, x: number, y: number): View => ({
  left: x + (view.left - x) * factor, right: x + (view.right - x) * factor,
  bottom: y + (view.bottom - y) * factor, top: y + (view.top - y) * factor,
});

const drawAxes = (context: CanvasRenderingContext2D, raster: Raster, view: View, data: MapData): void => {
  const { width, height } = context.canvas;
  context.font = "12px system-ui, sans-serif";
  const ink = raster.colour("--faint"), paper = raster.colour("--paper");
  const write = (text: string, x: number, y: number, align: CanvasTextAlign): void => {
    context.textAlign = align; context.lineWidth = 3; context.strokeStyle = paper; context.strokeText(text, x, y);
    context.fillStyle = ink; context.fillText(text, x, y);
  };
  for (const tick of niceTicks(view.left, view.right, width < 500 ? 4 : 8)) {
    const x = ((tick - view.left) / (view.right - view.left)) * width;
    context.fillStyle = ink; context.fillRect(x, height - 5, 1, 5);
    if (x > 60 && x < width - 14) write(writeTick(tick), x, height - 8, "center");
  }
  for (const tick of niceTicks(view.bottom, view.top, 6)) {
    const y = ((view.top - tick) / (view.top - view.bottom)) * height;
    context.fillStyle = ink; context.fillRect(0, y, 5, 1);
    if (y > 24 && y < height - 26) write(writeTick(tick), 8, y + 4, "left");
  }
  write(`${data.across.replaceAll("_", " ")} →`, width - 8, height - 22, "right");
  write(`↑ ${data.up.replaceAll("_", " ")}`, 8, 14, "left");
};

const drawLasso = (context: CanvasRenderingContext2D, raster: Raster, view: View, corners: Corner[]): void => {
  if (corners.length < 2) return;
  const { width, height } = context.canvas;
  context.beginPath();
  corners.forEach(([x, y], i) => {
    const px = ((x - view.left) / (view.right - view.left)) * width, py = ((view.top - y) / (view.top - view.bottom)) * height;
    if (i) context.lineTo(px, py); else context.moveTo(px, py);
  });
  context.closePath();
  context.strokeStyle = raster.colour("--chosen"); context.lineWidth = 2; context.setLineDash([6, 4]); context.stroke(); context.setLineDash([]);
};

export const ItemMap = ({ data, hidden, corners, view, onView, onLasso, onPick }: Props) => {
  const [ref, room] = useWidth(MOST_WIDTH);
  const canvas = useRef<HTMLCanvasElement>(null);
  const whole = useMemo(() => fullView(data), [data]);
  const [isLasso, setIsLasso] = useState(false);
  const state = useRef({ view: view ?? whole, path: [] as Corner[], raster: null as Raster | null, isDue: false, corners });
  const width = Math.min(MOST_WIDTH, room), height = Math.max(LEAST_HEIGHT, Math.round(width * RATIO));
  state.current.corners = corners;

  const draw = (): void => {
    const { raster, view: now, path, corners: shown } = state.current;
    state.current.isDue = false;
    if (!raster || !canvas.current) return;
    raster.draw(now, { width, height, padLeft: 0, padBottom: 0 });
    const context = canvas.current.getContext("2d")!;
    drawAxes(context, raster, now, data);
    drawLasso(context, raster, now, path.length ? path : shown);
    canvas.current.dataset.frames = String(Number(canvas.current.dataset.frames ?? 0) + 1);
  };
  const ask = (): void => { if (!state.current.isDue) { state.current.isDue = true; requestAnimationFrame(draw); } };

  useEffect(() => {
    const raster = new Raster(data, canvas.current!);
    state.current.raster = raster;
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const recolour = (): void => { raster.recolour(); ask(); };
    scheme.addEventListener("change", recolour);
    addEventListener("itemcurve-theme", recolour);
    return () => { scheme.removeEventListener("change", recolour); removeEventListener("itemcurve-theme", recolour); };
  }, [data]);
  useEffect(() => {
    let chosen: Uint8Array | null = null;
    if (corners.length > 2) {
      chosen = new Uint8Array(data.items);
      for (let i = 0; i < data.items; i += 1) if (isInside(data.x[i], data.y[i], corners)) chosen[i] = 1;
    }
    state.current.raster?.choose(hidden, chosen);
    ask();
  }, [data, [...hidden].join(), JSON.stringify(corners)]);
  useEffect(() => { state.current.view = view ?? whole; ask(); }, [view && JSON.stringify(view), whole]);
  useEffect(ask, [width, height]);

  const set = (next: View): void => { state.current.view = next; ask(); };
  const here = (event: MouseEvent): Corner => {
    const box = canvas.current!.getBoundingClientRect(), now = state.current.view;
    return [now.left + ((event.clientX - box.left) / box.width) * (now.right - now.left), now.top - ((event.clientY - box.top) / box.height) * (now.top - now.bottom)];
  };

  /* One finger or the mouse pans, or draws a lasso; two fingers zoom. */
  const down = (event: PointerEvent): void => {
    const target = canvas.current!, start = here(event), first = state.current.view;
    const isDrawing = isLasso || event.shiftKey;
    const box = target.getBoundingClientRect(), from = [event.clientX, event.clientY];
    let far = 0;
    target.setPointerCapture?.(event.pointerId);
    state.current.path = isDrawing ? [start] : [];
    const move = (next: PointerEvent): void => {
      far = Math.max(far, Math.hypot(next.clientX - from[0], next.clientY - from[1]));
      if (isDrawing) { state.current.path.push(here(next)); ask(); return; }
      const dx = ((next.clientX - from[0]) / box.width) * (first.right - first.left), dy = ((next.clientY - from[1]) / box.height) * (first.top - first.bottom);
      set(moved(first, -dx, dy));
    };
    const up = (): void => {
      target.removeEventListener("pointermove", move);
      target.removeEventListener("pointerup", up);
      target.removeEventListener("pointercancel", up);
      const path = state.current.path;
      state.current.path = [];
      if (isDrawing && path.length > 2) { onLasso(thinned(path)); setIsLasso(false); }
      else if (far < 4) onPick(around(start, state.current.view, box));
      else onView(state.current.view);
      ask();
    };
    target.addEventListener("pointermove", move);
    target.addEventListener("pointerup", up);
    target.addEventListener("pointercancel", up);
  };
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const [x, y] = here(event);
    set(zoomed(state.current.view, event.deltaY > 0 ? 1.2 : 1 / 1.2, x, y));
    onView(state.current.view);
  };
  const step = (factor: number): void => {
    const now = state.current.view;
    set(zoomed(now, factor, (now.left + now.right) / 2, (now.bottom + now.top) / 2));
    onView(state.current.view);
  };
  const press = (event: KeyboardEvent): void => {
    const now = state.current.view, dx = 0.1 * (now.right - now.left), dy = 0.1 * (now.top - now.bottom);
    const moves: Record<string, () => void> = {
      ArrowLeft: () => set(moved(now, -dx, 0)), ArrowRight: () => set(moved(now, dx, 0)), ArrowUp: () => set(moved(now, 0, dy)), ArrowDown: () => set(moved(now, 0, -dy)),
      "+": () => step(1 / 1.4), "=": () => step(1 / 1.4), "-": () => step(1.4), 0: () => onView(null),
      Enter: () => onLasso([[now.left, now.bottom], [now.right, now.bottom], [now.right, now.top], [now.left, now.top]]),
      Escape: () => onLasso([]),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
    if (event.key.startsWith("Arrow")) onView(state.current.view);
  };
  useEffect(() => {
    const target = canvas.current!;
    target.addEventListener("wheel", wheel, { passive: false });
    return () => target.removeEventListener("wheel", wheel);
  });

  return (
    <div ref={ref} class="map">
      <div class="tools">
        <button type="button" onClick={() => step(1 / 1.4)} aria-label="Zoom in">+</button>
        <button type="button" onClick={() => step(1.4)} aria-label="Zoom out">−</button>
        <button type="button" onClick={() => onView(null)}>Show all</button>
        <button type="button" aria-pressed={isLasso} onClick={() => setIsLasso(!isLasso)}>Lasso</button>
        {corners.length > 0 && <button type="button" onClick={() => onLasso([])}>Clear choice</button>}
      </div>
      <canvas ref={canvas} id="map" width={width} height={height} class={isLasso ? "lasso" : undefined} tabIndex={0} role="img" onPointerDown={down} onKeyDown={press}
        aria-label={`${data.items.toLocaleString("en-US")} items by ${data.across.replaceAll("_", " ")} and ${data.up.replaceAll("_", " ")}. Arrow keys move, plus and minus zoom, Enter lists what is in view.`} />
    </div>
  );
};

/* A path of thousands of corners says no more than one of a hundred. */
const thinned = (path: Corner[]): Corner[] => {
  const step = Math.max(1, Math.ceil(path.length / 100));
  return path.filter((_, i) => i % step === 0).map(([x, y]) => [Number(x.toPrecision(5)), Number(y.toPrecision(5))]);
};

const around = ([x, y]: Corner, view: View, box: DOMRect): Corner[] => {
  const dx = (7 / box.width) * (view.right - view.left), dy = (7 / box.height) * (view.top - view.bottom);
  return [[x - dx, y - dy], [x + dx, y - dy], [x + dx, y + dy], [x - dx, y + dy]];
};
