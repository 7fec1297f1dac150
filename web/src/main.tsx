// The shell of all pages: the bar at the top, and the page that the address names.
import { render, type JSX } from "preact";
import "./styles/base.css";
import "./styles/board.css";
import "./styles/game.css";
import "./styles/table.css";
import "./styles/boards.css";
import "./styles/pages.css";
import { Link, Router, usePath } from "./router";
import { AnalysePage } from "./pages/analyse";
import { ArenaPage } from "./pages/arena";
import { ChessPage } from "./pages/chess";
import { GamePage } from "./pages/game";
import { HomePage } from "./pages/home";
import { LabPage } from "./pages/lab";
import { MissingPage } from "./pages/missing";
import { OpenPage } from "./pages/open";
import { PlayPage } from "./pages/play";
import { PuzzlesPage } from "./pages/puzzles";
import { WalkPage } from "./pages/walk";

const LINKS: [string, string][] = [
  ["/chess", "Chess"],
  ["/puzzles", "Puzzles"],
  ["/cambia", "Cambia"],
  ["/lab", "Solver lab"],
  ["/walk", "Walk-through"],
  ["/arena", "Arena"],
];

function Page(): JSX.Element {
  const path = usePath();
  const [, first, second] = path.split("/");
  if (first === "chess") return <ChessPage />;
  if (first === "puzzles") return <PuzzlesPage id={second} />;
  if (first === "analyse") return <AnalysePage />;
  if (first === "open") return <OpenPage />;
  if (first === "cambia") return <PlayPage game="cambia" />;
  if (first === "play" && second) return <PlayPage game={decodeURIComponent(second)} />;
  if (first === "game" && second) return <GamePage id={second} key={second} />;
  if (first === "lab") return <LabPage />;
  if (first === "walk") return <WalkPage />;
  if (first === "arena") return <ArenaPage />;
  return path === "/" ? <HomePage /> : <MissingPage />;
}

function Shell(): JSX.Element {
  const path = usePath();
  return (
    <>
      <header class="bar">
        <Link to="/" class="name">
          fogtree
        </Link>
        <nav aria-label="Pages">
          {LINKS.map(([to, name]) => (
            <Link to={to} key={to} current={path === to || path.startsWith(`${to}/`)}>
              {name}
            </Link>
          ))}
        </nav>
      </header>
      <main>
        <Page />
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
