/* The work-list of an audit: suspect labels one by one, decisions kept, a corrected file out. */
import { useEffect, useRef, useState } from "preact/hooks";
import { CHOICES, Choices, kindOf, nameDecision, useDecisions, type Decided } from "../parts/decide";
import { Term } from "../parts/meanings";
import { writeNumber } from "../parts/numbers";
import { RowFacts } from "../parts/row";
import { save, writeCsv } from "../parts/saving";
import { Empty } from "../parts/states";
import { cellsOf } from "../parts/table";
import { Verdict } from "../parts/verdict";
import { go, linkTo, useSetting } from "../router";
import type { Source } from "../sources/source";
import type { RunPage, Table } from "../types";
import { CorrectFile } from "./correct_file";

const PAGE = 20;

/* Labels as decided: the likely one where the key is wrong, none where the item is ambiguous. */
export const correctLabels = async (source: Source, run: string, decided: Decided): Promise<{ item: string; given: string; label: string; decision: string; note: string }[]> => {
  const labels = await source.labels(run);
  return labels.item.map((item, i) => {
    const made = decided.latest.get(item), given = labels.given_label[i];
    const label = made?.decision === "wrong key" ? labels.likely_label[i] : made?.decision === "ambiguous" ? "" : given;
    return { item, given, label, decision: made?.decision ?? "", note: made?.note ?? "" };
  });
};

const Row = ({ table, row, run, decided, kind, isCurrent, choose }: { table: Table; row: number; run: string; decided: Decided; kind: string; isCurrent: boolean; choose: () => void }) => {
  const item = String(cellsOf(table, "item")[row]);
  const rest = table.columns.filter((c) => !["item", "dissenters", "row", "given_label", "likely_label"].includes(c.name) && c.kind !== "hidden");
  const at = (name: string): string => String(cellsOf(table, name)[row] ?? "");
  const made = decided.latest.get(item);
  return (
    <li class={`work${isCurrent ? " current" : ""}${made ? " decided" : ""}`} onFocusIn={choose} data-item={item}>
      <div class="what">
        <a class="name" href={linkTo(["run", run, "item", item])}>{item}</a>
        {at("given_label") && <span class="labels">given <b>{at("given_label")}</b>, likely <b>{at("likely_label")}</b></span>}
        {rest.map((c) => <span key={c.name} class="fact">{c.kind === "number" ? <><Term word={c.label} /> {writeNumber(c.cells[row])}</> : c.name === "in_each" ? <><Term word={c.label} /> {String(c.cells[row] ?? "")}</> : <Verdict word={String(c.cells[row] ?? "")} />}</span>)}
      </div>
      {at("row") && <RowFacts text={at("row")} />}
      {at("dissenters") && <p class="hint"><Term word="dissenters" />: {at("dissenters")}</p>}
      <Choices decided={decided} item={item} kind={kind} likely={at("likely_label") === at("given_label") ? "" : at("likely_label")} />
    </li>
  );
};

export const WorklistPage = ({ source, run, page }: { source: Source; run: string; page: RunPage }) => {
  const table = page.worklist, items = cellsOf(table, "item") as string[];
  const decided = useDecisions(source, run);
  const [filter, setFilter] = useSetting("show", "all");
  const kind = kindOf(page), word = page.is_numeric ? "The worst forecast first." : "The most suspect first.";
  const [most, setMost] = useState(PAGE);
  const [current, setCurrent] = useState(0);
  const list = useRef<HTMLOListElement>(null);
  const rows = items.map((_, row) => row).filter((row) => filter === "all" || (filter === "open") !== decided.latest.has(items[row]));
  const shown = rows.slice(0, most);
  const move = (step: number): void => {
    const next = Math.min(Math.max(current + step, 0), shown.length - 1);
    setCurrent(next);
    (list.current?.children[next]?.querySelector("a.name") as HTMLElement | null)?.focus();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).closest("input, textarea, select")) return;
    const step = { j: 1, k: -1 }[event.key];
    if (step !== undefined) { move(step); return; }
    const choice = CHOICES.find((each) => each.key === event.key), item = items[shown[current]];
    if (choice && item !== undefined) {
      // On to the next, which among the undecided takes the place of this one.
      const made = decided.latest.get(item), isSame = made?.decision === choice.word;
      if (!isSame) void decided.decide(item, choice.word, made?.note ?? "");
      if (filter !== "open" || isSame) move(1);
    }
    else if (event.key === "o" && item !== undefined) go(["run", run, "item", item]);
  };
  // What the last drawing knew, not what was known when the listener was put up: keys may follow fast.
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => latest.current(event);
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  const saveDecisions = (): void => save(
    writeCsv(["item", "decision", "note", "decided_at"], [...decided.latest.values()].map((d) => [d.item, nameDecision(d.decision, kind), d.note, new Date(1000 * d.decided_at).toISOString()])), "decisions.csv");
  const saveLabels = async (): Promise<void> => {
    const labels = await correctLabels(source, run, decided);
    save(writeCsv(["item", "given_label", "corrected_label", "decision", "note"], labels.map((l) => [l.item, l.given, l.label, nameDecision(l.decision, kind), l.note])), "corrected-labels.csv");
  };
  const count = items.filter((item) => decided.latest.has(item)).length;
  const suspect = (cellsOf(table, "verdict") as string[]).filter((word) => word.startsWith("suspect")).length;
  return (
    <>
      <h2>{page.has_labels ? "Labels to check" : "Items to check"}</h2>
      <p>{page.summary.items}</p>
      {page.labels_are && <p class="hint">{page.labels_are}</p>}
      {!items.length ? <Empty title="Nothing to check" /> : (
        <>
          <p>{word} Say of each what you find{page.has_labels && ", then download the labels as decided"}.
            {source.isLive ? " Decisions are kept by the service." : " Decisions are kept in this browser; download them to be safe."}</p>
          <p class="hint">Keys: <kbd>j</kbd> and <kbd>k</kbd> move, {CHOICES.map((each) => <span key={each.key}><kbd>{each.key}</kbd> {each.label(kind, "").toLowerCase()}, </span>)}each decides and goes on; <kbd>o</kbd> opens the card.</p>
          <div class="progress">
            <progress max={items.length} value={count} aria-label="Decided" /> <span role="status">{count} of {items.length} decided{suspect > 0 && `; the first ${suspect} are suspect`}</span>
            <label>Show <select value={filter} onChange={(event) => { setFilter((event.target as HTMLSelectElement).value); setCurrent(0); }}><option value="all">all</option><option value="open">undecided</option><option value="made">decided</option></select></label>
            {page.has_labels && <button type="button" class="main" onClick={() => void saveLabels()} disabled={!decided.latest.size} title={decided.latest.size ? "All items with given and corrected label" : "Decide about an item first"}>Download corrected labels</button>}
            <button type="button" class="save" onClick={saveDecisions} disabled={!decided.latest.size}>Decisions (CSV)</button>
          </div>
          {decided.fault && <p class="doubt" role="alert">{decided.fault}</p>}
          {page.has_labels && <CorrectFile source={source} run={run} decided={decided} table={table} known={page.methods.find(([name]) => name === "Target")?.[1] ?? ""} />}
          <ol class="worklist" ref={list}>
            {shown.map((row, i) => <Row key={items[row]} table={table} row={row} run={run} decided={decided} kind={kind} isCurrent={i === current} choose={() => setCurrent(i)} />)}
          </ol>
          {!shown.length && <Empty title={filter === "open" ? "All are decided" : "None is decided yet"} />}
          {rows.length > most && <button type="button" onClick={() => setMost(most + PAGE)}>Show {Math.min(PAGE, rows.length - most)} more</button>}
        </>
      )}
    </>
  );
};
