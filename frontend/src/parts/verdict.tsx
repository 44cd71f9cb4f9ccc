/* A verdict as a word with a mark; the marks differ in shape, not in colour alone. */
export const VERDICT_COLOURS: Record<string, string> = {
  informative: "--informative", easy: "--easy", hard: "--hard", uninformative: "--uninformative",
  constant: "--constant", "suspect label": "--suspect", suspect: "--suspect",
};
const SHAPES: Record<string, string> = {
  informative: "M6 1a5 5 0 1 1 0 10a5 5 0 1 1 0-10", easy: "M6 1L11 10H1Z", hard: "M1 2H11L6 11Z",
  uninformative: "M1 4H11V8H1Z", constant: "M1 1H11V11H1Z", "suspect label": "M2 0L6 4L10 0L12 2L8 6L12 10L10 12L6 8L2 12L0 10L4 6L0 2Z",
};

export const colourOf = (word: string): string => VERDICT_COLOURS[word] ?? "--other";

export const Mark = ({ word }: { word: string }) => (
  <svg class="mark" viewBox="0 0 12 12" aria-hidden="true">
    <path d={SHAPES[word === "suspect" ? "suspect label" : word] ?? SHAPES.informative} fill={`var(${colourOf(word)})`} />
  </svg>
);

export const Verdict = ({ word }: { word: string }) => <span class="verdict"><Mark word={word} />{word}</span>;
