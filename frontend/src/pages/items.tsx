/* Items: the map, what is chosen in it, and the table. */
import { useMemo, useState } from "preact/hooks";
import { useLoaded } from "../loading";
import { ItemMap } from "../map/map";
import type { View } from "../map/raster";
import { Figure } from "../parts/figure";
import { Shown } from "../parts/states";
import { cellsOf, DataTable } from "../parts/table";
import { Mark } from "../parts/verdict";
import { go, useSetting } from "../router";
import type { Source } from "../sources/source";
import type { Corner, MapData, RunPage } from "../types";

const readCorners = (text: string): Corner[] =>
  text.split(" ").map((pair) => pair.split(",").map(Number)).filter((pair) => pair.length === 2 && pair.every(Number.isFinite)) as Corner[];
const writeCorners = (corners: Corner[]): string => corners.map((corner) => corner.map((v) => Number(v.toPrecision(5))).join(",")).join(" ");
const readView = (text: string): View | null => {
  const [left, right, bottom, top] = text.split(",").map(Number);
  return right > left && top > bottom ? { left, right, bottom, top } : null;
};

const MapFigure = ({ data, source, run }: { data: MapData; source: Source; run: string }) => {
  const [hiddenText, setHidden] = useSetting("hide");
  const [lasso, setLasso] = useSetting("lasso");
  const [viewText, setView] = useSetting("view");
  const [note, setNote] = useState("");
  const hidden = useMemo(() => new Set(hiddenText.split(",").filter(Boolean)), [hiddenText]);
  const corners = useMemo(() => readCorners(lasso), [lasso]);
  const view = useMemo(() => readView(viewText), [viewText]);
  const keep = (next: View | null): void => setView(next ? [next.left, next.right, next.bottom, next.top].map((v) => Number(v.toPrecision(5))).join(",") : "");
  const pick = async (box: Corner[]): Promise<void> => {
    const found = await source.items(run, "", box);
    const names = cellsOf(found, "item") as string[];
    if (names.length === 1) go(["run", run, "item", names[0]]);
    else if (names.length > 1) { setLasso(writeCorners(box)); setNote(`${found.total.toLocaleString("en-US")} items lie there; the table lists them.`); }
    else setNote("No item lies there.");
  };
  const toggle = (word: string): void => {
    const next = new Set(hidden);
    if (!next.delete(word)) next.add(word);
    setHidden([...next].join(","));
  };
  const legend = (
    <>
      <span class="legend">
        {data.verdicts.map(({ word, items }) => (
          <button key={word} type="button" aria-pressed={!hidden.has(word)} onClick={() => toggle(word)}><Mark word={word} />{word} ({items.toLocaleString("en-US")})</button>
        ))}
      </span>
      <span aria-live="polite">{note}</span> Drag to move, turn the wheel to zoom, click an item to open its card; Shift and drag draws a lasso.
    </>
  );
  return (
    <Figure name="item-map" caption={legend} wide>
      <ItemMap data={data} hidden={hidden} corners={corners} view={view} onView={keep} onLasso={(next) => { setNote(""); setLasso(writeCorners(next)); }} onPick={(box) => void pick(box)} />
    </Figure>
  );
};

export const ItemsPage = ({ source, run, page }: { source: Source; run: string; page: RunPage }) => {
  const map = useLoaded(() => source.map(run), [run]);
  const [lasso] = useSetting("lasso");
  const [word] = useSetting("items.q");
  const [hiddenText] = useSetting("hide");
  const corners = useMemo(() => readCorners(lasso), [lasso]);
  // Where a table holds all items it is searched here; else the service searches all of them.
  const all = useLoaded(() => source.items(run, "", corners), [run, lasso], true);
  const isCut = all.value !== null && all.value.total > (all.value.columns[0]?.cells.length ?? 0);
  const found = useLoaded(() => (isCut && word ? source.items(run, word, corners) : Promise.resolve(null)), [run, lasso, isCut && word], true);
  const hidden = useMemo(() => new Set(hiddenText.split(",").filter(Boolean)), [hiddenText]);
  return (
    <>
      <h2>Items</h2>
      <p>{page.summary.items}</p>
      <Shown loaded={map} what="Placing the items">{(data) => <MapFigure data={data} source={source} run={run} />}</Shown>
      {lasso && <h3>Items in the choice</h3>}
      <Shown loaded={all} what="Listing the items">
        {(table) => {
          const shown = found.value ?? table, verdicts = cellsOf(shown, "verdict") as string[];
          return <DataTable table={shown} run={run} allowed={hidden.size ? (row) => !hidden.has(verdicts[row]) : undefined} />;
        }}
      </Shown>
    </>
  );
};
