/* A row of a table in words, `name=value, …`, as pairs to look over; other texts as they are. */

const PAIR = /, (?=[^,=;]+=)/;

export const RowFacts = ({ text }: { text: string }) => {
  const [last, ...before] = text.split("; ").reverse();
  const pairs = last.split(PAIR).map((part) => part.split(/=(.*)/s));
  if (pairs.length < 2 || pairs.slice(0, -1).some((pair) => pair.length < 2)) return <p class="row">{text}</p>;
  return (
    <>
      {before.reverse().map((line) => <p class="row" key={line}>{line}</p>)}
      <dl class="row">{pairs.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value ?? ""}</dd></div>)}</dl>
    </>
  );
};
