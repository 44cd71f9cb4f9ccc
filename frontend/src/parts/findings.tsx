/* What to know before trusting a result. */
import type { Finding } from "../types";

const Found = ({ finding }: { finding: Finding }) => (
  <li class={finding.severity}>
    <strong>{finding.code} · {finding.title}</strong> <span class="severity">{finding.severity}</span><br />
    {finding.message} <em>{finding.advice}</em>
    {finding.concerned.length > 0 && (
      <details><summary>Which</summary><p>{finding.concerned.slice(0, 50).join(", ")}{finding.concerned.length > 50 && ` and ${finding.concerned.length - 50} more`}</p></details>
    )}
  </li>
);

export const Findings = ({ findings }: { findings: Finding[] }) => <ul class="findings">{findings.map((finding) => <Found key={finding.code} finding={finding} />)}</ul>;
