// Python names of the search on Fog-of-War chess.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "../fogchess/search_game.hpp"
#include "search_inspection.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace fogtree::fogchess;
namespace search = fogtree::search;

namespace {

// One player's search, with everything it refers to, and what the player remembers.
struct ChessSearch {
    SearchGame game;
    SearchEvaluator evaluator;
    search::Search<SearchGame, SearchEvaluator> engine;
    int me;
    std::uint64_t memory = 0;

    ChessSearch(const Evaluator& values, const EvaluatorRules& rules,
                const search::Options& options, int player, const Position& start)
        : game(rules),
          evaluator(values, rules),
          engine(game, evaluator, options, player),
          me(player) {
        if (player != 0 && player != 1) throw std::invalid_argument("player must be 0 or 1");
        std::uint64_t knows[2];
        for (int p = 0; p < 2; ++p) knows[p] = SearchGame::remember(0, 0, game.view(start, p));
        memory = knows[me];
        engine.begin(start, knows[0], knows[1]);
    }
};

}  // namespace

void bind_fogchess_search(nb::module_& module) {
    nb::class_<ChessSearch> chess_search(module, "FogChessSearch");
    bind_inspection(chess_search);
    chess_search
        .def(nb::init<const Evaluator&, const EvaluatorRules&, const search::Options&, int,
                      const Position&>(),
             "evaluator"_a, "rules"_a, "options"_a, "player"_a, "start"_a, nb::keep_alive<1, 2>())
        .def(
            "moved",
            [](ChessSearch& self, Move move, const Observation& view) {
                self.memory = SearchGame::remember(self.memory, move, view);
            },
            "move"_a, "view"_a, "We made this move and saw this.")
        .def(
            "saw",
            [](ChessSearch& self, const Observation& view) {
                self.memory = SearchGame::remember(self.memory, 0, view);
            },
            "view"_a, "The other side moved and we saw this.")
        .def(
            "forget",
            [](ChessSearch& self) {
                self.memory = search::combined(self.memory, 1);
                self.engine.forget();
            },
            "How we came here is not known; the possible positions are all there is.")
        .def(
            "know",
            [](ChessSearch& self, const std::vector<Position>& possible) {
                nb::gil_scoped_release release;
                self.engine.know(self.memory, possible);
            },
            "possible"_a, "Turn to what we know now; some or all positions that are possible.")
        .def(
            "decide",
            [](ChessSearch& self, const search::Budget& budget) {
                search::Decision decision;
                {
                    nb::gil_scoped_release release;
                    decision = self.engine.decide(budget);
                }
                return as_dict(decision);
            },
            "budget"_a);
}
