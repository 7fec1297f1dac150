// The shell of all pages: the bar at the top, and the page that the address names.
import { render, type JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import "./styles/base.css";
import "./styles/board.css";
import "./styles/game.css";
import "./styles/table.css";
import "./styles/boards.css";
import "./styles/pages.css";
import "./registered_games";
import { NamePage, type PageName } from "./page_name";
import { ownPages } from "./registry";
import { Link, Router, usePath } from "./router";
import { ArenaPage } from "./pages/arena";
import { GamePage } from "./pages/game";
import { GamesPage } from "./pages/games";
import { HomePage } from "./pages/home";
import { LabPage } from "./pages/lab";
import { MissingPage } from "./pages/missing";
import { OpenPage } from "./pages/open";
import { PlayPage } from "./pages/play";
import { WalkPage } from "./pages/walk";

const OWN_PAGES = ownPages();
const linksTo = (place: string) => OWN_PAGES.filter((one) => one.place === place).map((one): [string, string] => [one.path, one.menu]);

const LINKS: [string, string][] = [
  ...linksTo("games"),
  ["/play", "More games"],
  ["/lab", "Solver lab"],
  ["/walk", "Walk-through"],
  ["/arena", "Arena and training"],
  ...linksTo("study"),
  ["/open", "Open a record"],
];

function Page(): JSX.Element {
  const path = usePath();
  const [, first, second] = path.split("/");
  const own = OWN_PAGES.find((one) => one.path === `/${first}`);
  if (own) return <own.Page rest={second} />;
  if (first === "open") return <OpenPage />;
  if (first === "play" && !second) return <GamesPage />;
  if (first === "play" && second) return <PlayPage game={decodeURIComponent(second)} />;
  if (first === "game" && second) return <GamePage id={second} key={second} />;
  if (first === "lab") return <LabPage />;
  if (first === "walk") return <WalkPage />;
  if (first === "arena") return <ArenaPage />;
  return path === "/" ? <HomePage /> : <MissingPage />;
}

function Shell(): JSX.Element {
  const path = usePath();
  const [named, setNamed] = useState<PageName | null>(null);
  const inMenu = LINKS.find(([to]) => path === to || path.startsWith(`${to}/`));
  const menu = named ? LINKS.find(([to]) => named.menu === to || named.menu.startsWith(`${to}/`))?.[0] : inMenu?.[0];
  const title = named?.title ?? inMenu?.[1];
  useLayoutEffect(() => {
    document.title = title === undefined ? "fogtree" : `${title} · fogtree`;
  }, [title]);
  const pages = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const nav = pages.current!;
    const show = () => {
      const link = nav.querySelector<HTMLElement>("[aria-current]");
      if (link) nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2; // on phones
    };
    show();
    addEventListener("resize", show);
    return () => removeEventListener("resize", show);
  }, [menu]);
  return (
    <>
      <header class="bar">
        <Link to="/" class="name">
          fogtree
        </Link>
        <nav class="scroll" aria-label="Pages" ref={pages}>
          {LINKS.map(([to, name]) => (
            <Link to={to} key={to} current={to === menu}>
              {name}
            </Link>
          ))}
        </nav>
      </header>
      <main>
        <NamePage.Provider value={setNamed}>
          <Page />
        </NamePage.Provider>
      </main>
    </>
  );
}

const root = document.getElementById("app")!;
root.textContent = "";
render(
  <Router>
    <Shell />
  </Router>,
  root,
);
