// What the browser's tab calls the page, and which entry of the menu it belongs to.
import { createContext } from "preact";
import { useContext, useLayoutEffect } from "preact/hooks";

/** ``menu`` is the address of the menu's entry. */
export type PageName = { title: string; menu: string };

export const NamePage = createContext<(name: PageName | null) => void>(() => undefined);

/** Name a page that its address does not name; as long as it has no title, it stays nameless. */
export function usePageName(title: string, menu: string): void {
  const name = useContext(NamePage);
  useLayoutEffect(() => {
    if (title === "") return;
    name({ title, menu });
    return () => name(null);
  }, [title, menu]);
}
