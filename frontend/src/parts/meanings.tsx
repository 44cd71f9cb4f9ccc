/* What words mean, on hover and on focus. */
import { createContext } from "preact";
import { useContext, useId, useState } from "preact/hooks";

export const Glossary = createContext<Record<string, string>>({});

/* A word with its meaning where it has one. `as` a button, it can also be pressed. */
export const Term = ({ word, press }: { word: string; press?: () => void }) => {
  const meaning = useContext(Glossary)[word];
  const id = useId();
  const [place, setPlace] = useState<{ left: number; top: number } | null>(null);
  const show = (event: Event): void => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    setPlace({ left: Math.max(8, Math.min(box.left, innerWidth - 320)), top: box.bottom + 6 });
  };
  const hide = (): void => setPlace(null);
  const events = meaning ? {
    onMouseEnter: show, onMouseLeave: hide, onFocus: show, onBlur: hide,
    onKeyDown: (event: KeyboardEvent) => { if (event.key === "Escape") hide(); },
    "aria-describedby": place ? id : undefined,
  } : {};
  return (
    <>
      {press
        ? <button type="button" class={meaning ? "term" : undefined} onClick={press} {...events}>{word}</button>
        : <span class={meaning ? "term" : undefined} tabIndex={meaning ? 0 : undefined} {...events}>{word}</span>}
      {place && <span role="tooltip" id={id} class="meaning" style={{ left: `${place.left}px`, top: `${place.top}px` }}>{meaning}</span>}
    </>
  );
};
