// A list that scrolls by itself.
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** The ref of a list that scrolls: whenever one of ``changes`` does, the row that ``find`` returns comes to its middle. */
export function useCentredRow(
  find: (list: HTMLElement) => HTMLElement | null | undefined,
  changes: readonly unknown[],
): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const row = list.current && find(list.current);
    if (list.current && row) list.current.scrollTop = row.offsetTop - list.current.clientHeight / 2;
  }, changes);
  return list;
}
