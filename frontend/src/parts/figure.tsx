/* A picture with its caption, which can be taken along. */
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { savePicture } from "./saving";

export const Figure = ({ name, caption, children, wide = false }: { name: string; caption?: ComponentChildren; children: ComponentChildren; wide?: boolean }) => {
  const frame = useRef<HTMLElement>(null);
  const take = (kind: "svg" | "png") => () => { if (frame.current) void savePicture(frame.current, name, kind); };
  return (
    <figure ref={frame} class={wide ? "wide" : undefined}>
      {children}
      <figcaption>
        {caption} <span class="take">
          <button type="button" class="quiet" onClick={take("svg")} aria-label={`Save ${name} as SVG`}>SVG</button>
          <button type="button" class="quiet" onClick={take("png")} aria-label={`Save ${name} as PNG`}>PNG</button>
        </span>
      </figcaption>
    </figure>
  );
};
