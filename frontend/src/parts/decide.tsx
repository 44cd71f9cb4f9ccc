/* What people decide about an item; the latest counts. */
import { useEffect, useState } from "preact/hooks";
import type { Source } from "../sources/source";
import type { Decision, RunPage } from "../types";

/* What is judged: labels, keys of questions, or numbers. */
export const kindOf = (page: RunPage): string => (page.has_labels ? "label" : page.is_numeric ? "value" : "key");

interface Choice { word: string; key: string; label: (kind: string, likely: string) => string; title: (kind: string) => string }
export const CHOICES: Choice[] = [
  { word: "wrong key", key: "w", label: (kind, likely) => (likely ? `Wrong: it is ${likely}` : `Wrong ${kind}`), title: (kind) => (kind === "label" ? "The label is wrong: take the likely one" : `The ${kind} is wrong`) },
  { word: "fine", key: "f", label: (kind) => `The ${kind} is right`, title: (kind) => `Leave the ${kind} as it is` },
  { word: "ambiguous", key: "a", label: () => "Cannot be told", title: (kind) => (kind === "label" ? "Leave its label empty in the corrected file" : "Nobody can tell what is right") },
  { word: "fixed", key: "x", label: () => "Mark as fixed elsewhere", title: () => "It was corrected in the data already: here it stays as it is" },
];

/* A decision in the words of its button, which files use too. */
export const nameDecision = (word: string, kind: string): string => CHOICES.find((each) => each.word === word)?.label(kind, "").toLowerCase() ?? word;

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

export const Choices = ({ decided, item, kind, likely = "" }: { decided: Decided; item: string; kind: string; likely?: string }) => {
  const now = decided.latest.get(item);
  return (
    <span class="choices" role="group" aria-label={`Decide about ${item}`}>
      {CHOICES.map(({ word, label, title }) => (
        <button key={word} type="button" title={title(kind)} aria-pressed={now?.decision === word} onClick={() => void decided.decide(item, word, now?.note ?? "")}>{label(kind, likely)}</button>
      ))}
    </span>
  );
};

export const Decide = ({ source, run, item, kind, likely }: { source: Source; run: string; item: string; kind: string; likely?: string }) => {
  const decided = useDecisions(source, run);
  const now = decided.latest.get(item);
  const note = (event: Event): void => {
    const text = (event.target as HTMLInputElement).value.slice(0, 2000);
    if (now && text !== now.note) void decided.decide(item, now.decision, text);
  };
  return (
    <div class="decide">
      <h3>Your decision</h3>
      <Choices decided={decided} item={item} kind={kind} likely={likely} />
      <label>Note <input key={item} type="text" value={now?.note ?? ""} onChange={note} disabled={!now} placeholder={now ? "" : "Decide first"} /></label>
      <p class="hint" role="status">{decided.fault || (now ? `Decided: ${CHOICES.find((each) => each.word === now.decision)?.label(kind, likely ?? "") ?? now.decision}.` : "Not decided yet.")}</p>
    </div>
  );
};
