/* Files that leave the page: tables as CSV, pictures as SVG and PNG. */
import type { Table } from "../types";

export const save = (content: Blob, name: string): void => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

/* Spreadsheets run what begins like a formula; a quote before it keeps it text. */
const cell = (value: unknown): string => {
  const text = value === null || value === undefined ? "" : String(value);
  const safe = typeof value !== "number" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const writeCsv = (headings: string[], rows: unknown[][]): Blob =>
  new Blob([[headings, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n"], { type: "text/csv" });

export const saveTable = (table: Table, rows: number[]): void => {
  const columns = table.columns.filter((c) => c.kind !== "interval" && c.kind !== "hidden");
  save(writeCsv(columns.map((c) => c.name), rows.map((row) => columns.map((c) => c.cells[row]))), `${table.key}.csv`);
};

const KEPT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "fill-opacity", "font-size", "font-family", "font-weight", "text-anchor"];

/* A copy that looks the same without the page's style sheet. */
const standAlone = (svg: SVGSVGElement): { text: string; width: number; height: number } => {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const own = [svg, ...svg.querySelectorAll("*")], made = [copy, ...copy.querySelectorAll("*")];
  own.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of KEPT) made[i].setAttribute(name, style.getPropertyValue(name));
    made[i].removeAttribute("class");
  });
  const box = svg.viewBox.baseVal;
  const width = box && box.width ? box.width : svg.clientWidth, height = box && box.height ? box.height : svg.clientHeight;
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const colour = getComputedStyle(document.body).backgroundColor;
  for (const [name, value] of Object.entries({ x: 0, y: 0, width, height, fill: colour })) paper.setAttribute(name, String(value));
  copy.prepend(paper);
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return { text: new XMLSerializer().serializeToString(copy), width, height };
};

export const savePicture = async (frame: HTMLElement, name: string, kind: "svg" | "png"): Promise<void> => {
  const canvas = frame.querySelector("canvas"), svg = frame.querySelector("svg");
  if (canvas) {
    if (kind === "png") { canvas.toBlob((blob) => blob && save(blob, `${name}.png`)); return; }
    const { width, height } = canvas;
    const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><image width="${width}" height="${height}" href="${canvas.toDataURL()}"/></svg>`;
    save(new Blob([text], { type: "image/svg+xml" }), `${name}.svg`);
    return;
  }
  if (!svg) return;
  const { text, width, height } = standAlone(svg);
  if (kind === "svg") { save(new Blob([text], { type: "image/svg+xml" }), `${name}.svg`); return; }
  const image = new Image(), drawn = document.createElement("canvas");
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  [drawn.width, drawn.height] = [2 * width, 2 * height];
  drawn.getContext("2d")!.drawImage(image, 0, 0, 2 * width, 2 * height);
  drawn.toBlob((blob) => blob && save(blob, `${name}.png`));
};
