"""How fast the pages are in a real browser, by the browser's own clocks.

Starts ``fogtree serve`` and the system's Chromium. Measures the first page (bytes, and the time
until it is drawn and has its list of games), and the response of the chess board: in the browser's
trace, from the click that picks a piece to the end of the frame that shows it picked.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
from collections import Counter
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from web_players import ServerProcess, running_server

_OPTIONS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")
_CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
_GAMES = ".games a"
_DRAWN = """performance.getEntriesByName("first-contentful-paint").length"""
_TIMES = """() => {
  const [first] = performance.getEntriesByType("navigation");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return { drawn: paint.startTime, loaded: first.loadEventEnd };
}"""
_EVENTS = """() => {
  window.slow = [];
  const clicks = (list) => list.getEntries().filter((one) => one.name === "click");
  new PerformanceObserver((list) => slow.push(...clicks(list).map((one) => one.duration)))
    .observe({ type: "event", durationThreshold: 16 });
}"""


def measure_first_page(browser: Browser, server: ServerProcess, rounds: int) -> None:
    """The first page, by visitors who have nothing in their cache."""
    times: dict[str, list[float]] = {"drawn": [], "loaded": [], "complete": []}
    for _ in range(rounds):
        context = browser.new_context()
        page = context.new_page()
        session = context.new_cdp_session(page)
        sizes: list[float] = []
        session.on("Network.loadingFinished", lambda e, to=sizes: to.append(e["encodedDataLength"]))
        session.send("Network.enable")
        page.goto(f"{server.address}/")
        page.wait_for_selector(_GAMES)
        times["complete"].append(page.evaluate("performance.now()"))
        page.wait_for_function(_DRAWN)  # the browser may say so later
        for name, value in page.evaluate(_TIMES).items():
            times[name].append(value)
        page.wait_for_load_state("networkidle")
        context.close()
    print(f"first page: {sum(sizes) / 1000:.1f} kB in {len(sizes)} answers, {rounds} visitors")
    for name, values in times.items():
        print(f"  {name}: {_shown(values)}")


def measure_clicks(browser: Browser, server: ServerProcess, clicks: int) -> None:
    """Clicks on pieces of a running game."""
    game = server.post("/api/games", {"game": "fog_chess", "seats": [{}, {}]})
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    key = game["keys"]["0"]
    page.goto(f"{server.address}/game/{game['id']}#seat=0&key={key}")
    page.wait_for_selector("[data-testid=typed-move]")
    page.wait_for_timeout(500)
    page.evaluate(_EVENTS)
    browser.start_tracing(page=page, categories=_CATEGORIES)
    for number in range(clicks):
        page.click(f"[data-square={'abcdefgh'[number % 8]}2]")
        page.wait_for_timeout(100)
    trace = json.loads(browser.stop_tracing())["traceEvents"]
    picks = _responses(trace)
    print(f"{len(picks)} clicks that pick a piece, from the event to the end of its frame:")
    print(f"  {_shown(picks)}; {sum(one < 16 for one in picks)} under 16 ms")
    slow = sorted(Counter(page.evaluate("slow")).items())
    shown = ", ".join(f"{count} of {duration:g} ms" for duration, count in slow)
    print(f"  until the next refresh of the screen, in steps of 8 ms from 16 on: {shown or 'none'}")


def _responses(trace: list[dict[str, Any]]) -> list[float]:
    """Milliseconds from each click to the end of the next frame of its thread."""
    clicks = [e for e in trace if e["name"] == "EventDispatch" and _type_of(e) == "click"]
    found = []
    for click in clicks:
        after = [
            e["ts"] + e.get("dur", 0)
            for e in trace
            if e["name"] == "Commit" and e["tid"] == click["tid"] and e["ts"] >= click["ts"]
        ]
        if after:
            found.append((min(after) - click["ts"]) / 1000)
    return found


def _type_of(event: dict[str, Any]) -> str | None:
    found: str | None = event.get("args", {}).get("data", {}).get("type")
    return found


def _shown(values: list[float]) -> str:
    ordered = sorted(values)
    middle, late = statistics.median(ordered), ordered[int(0.95 * (len(ordered) - 1))]
    return f"median {middle:.1f} ms, 95 % {late:.1f} ms, longest {ordered[-1]:.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visitors", type=int, default=10, help="visits of the first page")
    parser.add_argument("--clicks", type=int, default=48, help="clicks on the board")
    arguments = parser.parse_args()
    names = "chromium", "chromium-browser", "chromium-headless-shell"
    chromium = next(filter(None, map(shutil.which, names)), None)
    with running_server() as server, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=[*_OPTIONS])
        measure_first_page(browser, server, arguments.visitors)
        measure_clicks(browser, server, arguments.clicks)
        browser.close()


if __name__ == "__main__":
    main()
