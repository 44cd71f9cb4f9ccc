/* How wide a part of the page is, so that pictures fit it and their words stay readable. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";

export const useWidth = (usual: number): [RefObject<HTMLDivElement | null>, number] => {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(usual);
  useEffect(() => {
    if (!ref.current) return undefined;
    const watch = new ResizeObserver(([entry]) => { if (entry.contentRect.width > 0) setWidth(Math.round(entry.contentRect.width)); });
    watch.observe(ref.current);
    return () => watch.disconnect();
  }, []);
  return [ref, width];
};
