// Pages by the path of the address; links change the page without loading it again.
import { createContext, type ComponentChildren, type JSX } from "preact";
import { useContext, useLayoutEffect, useState } from "preact/hooks";

const Path = createContext<string>(location.pathname);

export function navigate(path: string, replace = false): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
  scrollTo(0, 0);
}

export function Router(props: { children: ComponentChildren }): JSX.Element {
  const [path, setPath] = useState(location.pathname);
  useLayoutEffect(() => {
    const follow = () => setPath(location.pathname);
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  return <Path.Provider value={path}>{props.children}</Path.Provider>;
}

export function usePath(): string {
  return useContext(Path);
}

export function Link(props: {
  to: string;
  class?: string;
  current?: boolean;
  children: ComponentChildren;
}): JSX.Element {
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    navigate(props.to);
  };
  return (
    <a href={props.to} class={props.class} aria-current={props.current ? "page" : undefined} onClick={follow}>
      {props.children}
    </a>
  );
}
