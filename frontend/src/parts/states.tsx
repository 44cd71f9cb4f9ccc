/* What a page shows while it waits, when it failed, and when there is nothing. */
import type { ComponentChildren } from "preact";
import type { Loaded } from "../loading";
import { setToken } from "../sources/live";
import { Fault } from "../sources/source";

export const Waiting = ({ what = "Loading" }: { what?: string }) => (
  <div class="state waiting" role="status"><span class="pulse" aria-hidden="true" /><p>{what} …</p></div>
);

export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="state empty"><h3>{title}</h3>{children}</div>
);

const AskToken = ({ again }: { again: () => void }) => {
  const enter = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.target as HTMLFormElement).elements.namedItem("token") as HTMLInputElement;
    setToken(field.value.trim());
    again();
  };
  return (
    <form class="state" onSubmit={enter}>
      <h3>This service asks for a token</h3>
      <p>Whoever runs it makes one with <code>itemcurve store new-token</code>. It is kept until this tab is closed.</p>
      <label>Token <input name="token" type="password" autocomplete="off" required /></label> <button type="submit">Go on</button>
    </form>
  );
};

export const Failed = ({ fault, again }: { fault: Error; again: () => void }) => {
  const status = fault instanceof Fault ? fault.status : 0;
  if (status === 401) return <AskToken again={again} />;
  return (
    <div class="state failed" role="alert">
      <h3>{status === 404 ? "This is not here" : "This could not be shown"}</h3>
      <p>{fault.message}</p>
      <p><button type="button" onClick={again}>Try again</button> <a href="#/">All runs</a></p>
    </div>
  );
};

export const Shown = <T,>({ loaded, what, children }: { loaded: Loaded<T>; what?: string; children: (value: T) => ComponentChildren }) => {
  if (loaded.fault) return <Failed fault={loaded.fault} again={loaded.again} />;
  if (loaded.value === null) return <Waiting what={what} />;
  return <>{children(loaded.value)}</>;
};
