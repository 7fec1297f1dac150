// The search on Fog-of-War chess.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/search/methods.hpp"
#include "games/fog_chess/belief.hpp"
#include "games/fog_chess/search_player.hpp"
#include "games/fog_chess/tree_sample.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace fogtree::fog_chess;
namespace search = fogtree::search;

namespace {

// Nodes of a search tree as arrays.
struct SampledNodes {
    Out<std::uint8_t> boards;
    Out<float> searched, evaluated;
};

// Random nodes of the search tree as arrays; tree_sample.hpp explains the arguments.
SampledNodes sampled_nodes(const ChessSearch& self, std::size_t leaves, std::size_t inner,
                           std::int64_t least_nodes, float almost_won, std::uint64_t seed) {
    const auto reading = self.engine.in_use().reading();
    TreeSample sample;
    {
        nb::gil_scoped_release release;
        sample = sample_tree(self, {leaves, inner, least_nodes, almost_won}, seed);
    }
    return {handed_over(std::move(sample.boards)), handed_over(std::move(sample.searched)),
            handed_over(std::move(sample.evaluated))};
}

// Adds FogChessSampledNodes to the module.
void bind_sampled_nodes(nb::module_& module) {
    nb::class_<SampledNodes>(module, "FogChessSampledNodes",
                             "Nodes of a search tree as arrays; values are the mover's.")
        .def_ro("boards", &SampledNodes::boards, nb::rv_policy::automatic,
                "Packed boards as their movers see them, 32 bytes each.")
        .def_ro("searched", &SampledNodes::searched, nb::rv_policy::automatic,
                "Values under the strategies of the search; NaN at leaves.")
        .def_ro("evaluated", &SampledNodes::evaluated, nb::rv_policy::automatic,
                "Values by the evaluator.");
}

// The boards of positions, packed for training, one after the other.
Out<std::uint8_t> pack_boards(const std::vector<Position>& positions) {
    std::vector<std::uint8_t> boards(positions.size() * packed_bytes);
    for (std::size_t at = 0; at < positions.size(); ++at)
        pack(positions[at], boards.data() + at * packed_bytes);
    return handed_over(std::move(boards));
}

}  // namespace

// Adds FogChessSearch to the module.
void bind_fog_chess_search(nb::module_& module) {
    bind_sampled_nodes(module);
    module.def("fog_chess_pack_boards", &pack_boards, "positions"_a,
               "Packed boards of positions as their movers see them, 32 bytes each.");
    nb::class_<ChessSearch> chess_search(module, "FogChessSearch", "A search on Fog-of-War chess.");
    bind_search_methods(chess_search);
    chess_search
        .def(nb::init<const Evaluator&, const EvaluatorRules&, const search::Options&, int,
                      const Position&>(),
             "evaluator"_a, "rules"_a, "options"_a, "player"_a, "start"_a, nb::keep_alive<1, 2>())
        .def(
            "observe_own_move",
            [](ChessSearch& self, Move move, const Observation& view) {
                const auto alone = self.engine.in_use().alone();
                self.remember(move, view);
            },
            "move"_a, "view"_a, "Our player made a move and then observed this.")
        .def(
            "observe_opponent_move",
            [](ChessSearch& self, const Observation& view) {
                const auto alone = self.engine.in_use().alone();
                self.remember(0, view);
            },
            "view"_a, "The opponent moved and our player observed this.")
        .def(
            "restart",
            [](ChessSearch& self, const Observation& view) {
                const auto alone = self.engine.in_use().alone();
                self.restart(view);
            },
            "view"_a, "Forget the game so far: this observation is all that is known.")
        .def(
            "move_to",
            [](ChessSearch& self, const Belief& belief, std::size_t size, std::uint64_t seed,
               std::optional<double> seconds, bool give_up) {
                if (static_cast<int>(belief.player()) != self.me ||
                    !(belief.rules() == self.game.rules().sight))
                    throw std::invalid_argument("a belief of another game or player");
                const auto alone = self.engine.in_use().alone();
                nb::gil_scoped_release release;
                const fogtree::TimeLimit limit = time_limit(self.engine, seconds);
                self.move_to(belief.sample(size, seed), limit, give_up);
            },
            "belief"_a, "size"_a, "seed"_a, "seconds"_a = nb::none(), "give_up"_a = false,
            "Move the search to what our player knows now, with at most `size` possible positions. "
            "When the seconds are over or the stop flag is set, less of the last tree is kept; "
            "with "
            "`give_up` the search stays where it was.")
        .def("sampled_nodes", &sampled_nodes, "leaves"_a, "inner"_a, "least_nodes"_a,
             "almost_won"_a, "seed"_a,
             "Random nodes of the tree, about this many leaves and expanded nodes; the latter have "
             "at least `least_nodes` nodes in their subtrees. Values of all are below "
             "`almost_won` for both sides.");
}
