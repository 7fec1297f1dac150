// What Cambia brings to the pages.
import { SPECTATOR } from "../keys";
import { PlayPage } from "../pages/play";
import type { Registration } from "../registry";
import { CambiaReview } from "./cambia_review";
import { CambiaTable } from "./cambia_table";

export const CAMBIA: Registration = {
  games: {
    cambia: {
      round: "hand",
      pages: [{ path: "/cambia", menu: "Cambia", place: "games", Page: () => <PlayPage game="cambia" /> }],
      drawnStart: true,
      timeouts: {
        label: "Snaps",
        testid: "snaps",
        choices: [
          [0, "turn by turn"],
          [10, "against the clock, 10 s"],
          [5, "against the clock, 5 s"],
          [3, "against the clock, 3 s"],
        ],
      },
    },
  },
  views: {
    cambia: {
      Live: CambiaTable,
      Review: ({ review, live }) => <CambiaReview review={review} me={live.seat === SPECTATOR ? null : live.seat} moves />,
    },
  },
};
