/* What people decide about an item; the latest counts. */
import { useEffect, useState } from "preact/hooks";
import type { Source } from "../sources/source";
import type { Decision } from "../types";

export const CHOICES: { word: string; label: string; key: string; title: string }[] = [
  { word: "wrong key", label: "Wrong key", key: "w", title: "The label is wrong: take the likely one" },
  { word: "ambiguous", label: "Ambiguous", key: "a", title: "Nobody can tell: leave its label empty" },
  { word: "fixed", label: "Mark as fixed", key: "x", title: "It was corrected in the data" },
  { word: "fine", label: "Fine", key: "f", title: "The label is right" },
];

export interface Decided { latest: Map<string, Decision>; decide: (item: string, decision: string, note?: string) => Promise<void>; fault: string }

/* Decisions of a run, by item; a decision pressed twice is taken back. */
export const useDecisions = (source: Source, run: string): Decided => {
  const [made, setMade] = useState<Decision[]>([]);
  const [fault, setFault] = useState("");
  useEffect(() => {
    let isWanted = true;
    source.decisions(run).then((found) => { if (isWanted) setMade(found); }, (error: Error) => setFault(error.message));
    return () => { isWanted = false; };
  }, [run]);
  const latest = new Map(made.filter((d) => d.item).map((d) => [d.item, d]));
  for (const [item, decision] of latest) if (decision.decision === "undecided") latest.delete(item);
  const decide = async (item: string, decision: string, note = ""): Promise<void> => {
    const isSame = latest.get(item)?.decision === decision && latest.get(item)?.note === note;
    try {
      const one = await source.decide(run, item, isSame ? "undecided" : decision, note);
      setMade((before) => [...before, one]);
      setFault("");
    } catch (error) {
      setFault(`Not kept: ${(error as Error).message}`);
    }
  };
  return { latest, decide, fault };
};

export const Choices = ({ decided, item }: { decided: Decided; item: string }) => {
  const now = decided.latest.get(item);
  return (
    <span class="choices" role="group" aria-label={`Decide about ${item}`}>
      {CHOICES.map(({ word, label, title }) => (
        <button key={word} type="button" title={title} aria-pressed={now?.decision === word} onClick={() => void decided.decide(item, word, now?.note ?? "")}>{label}</button>
      ))}
    </span>
  );
};

export const Decide = ({ source, run, item }: { source: Source; run: string; item: string }) => {
  const decided = useDecisions(source, run);
  const now = decided.latest.get(item);
  const note = (event: Event): void => {
    const text = (event.target as HTMLInputElement).value.slice(0, 2000);
    if (now && text !== now.note) void decided.decide(item, now.decision, text);
  };
  return (
    <div class="decide">
      <h3>Your decision</h3>
      <Choices decided={decided} item={item} />
      <label>Note <input key={item} type="text" value={now?.note ?? ""} onChange={note} disabled={!now} placeholder={now ? "" : "Decide first"} /></label>
      <p class="hint" role="status">{decided.fault || (now ? `Decided: ${now.decision}.` : "Not decided yet.")}</p>
    </div>
  );
};
