/* What is being loaded, and what became of it. */
import { useEffect, useState } from "preact/hooks";

export interface Loaded<T> { value: T | null; fault: Error | null; again: () => void }

export const useLoaded = <T,>(load: () => Promise<T>, on: unknown[], keep = false): Loaded<T> => {
  const [state, setState] = useState<{ value: T | null; fault: Error | null }>({ value: null, fault: null });
  const [count, setCount] = useState(0);
  useEffect(() => {
    let isWanted = true;
    if (!keep) setState((before) => (before.value === null && before.fault === null ? before : { value: null, fault: null }));
    load().then(
      (value) => { if (isWanted) setState({ value, fault: null }); },
      (fault: Error) => { if (isWanted) setState({ value: null, fault }); },
    );
    return () => { isWanted = false; };
  }, [...on, count]);
  return { ...state, again: () => setCount(count + 1) };
};
