// The belief: the positions consistent with what a player saw.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/time_limit.hpp"
#include "games/fog_chess/belief.hpp"
#include "games/fog_chess/belief_step.hpp"
#include "games/fog_chess/reconstruct.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace fogtree::fog_chess;

namespace {

// A belief that consists of these positions and keeps at most `cap` after each move.
Belief belief_of(const std::vector<Position>& positions, int player, SightRules rules,
                 std::size_t cap, std::uint64_t seed, int threads) {
    if (player != 0 && player != 1) throw std::invalid_argument("player must be 0 or 1");
    nb::gil_scoped_release release;
    return Belief(positions, static_cast<Color>(player), rules, {cap, seed, threads});
}

constexpr std::size_t most_samples = 1 << 24;  // of 48 bytes each

// The belief from a single view: all positions that give it or, if they are more than `limit` or
// the cap, `samples` of them. `promotions`: the most promoted pieces of the opponent; none: only
// those that are seen.
Belief belief_from_view(const Observation& view, SightRules rules, std::optional<int> promotions,
                        std::size_t samples, std::size_t limit, std::size_t cap, std::uint64_t seed,
                        int threads) {
    if (samples > most_samples)
        throw std::invalid_argument("samples must be at most " + std::to_string(most_samples));
    nb::gil_scoped_release release;
    const ReconstructOptions options{promotions.value_or(-1), std::min(limit, cap), samples, seed};
    Reconstruction found = reconstruct(view, rules, options);
    return Belief(std::move(found.positions), static_cast<Color>(view.player), rules,
                  {cap, seed, threads}, found.complete);
}

// The probability of every content (empty or a piece) of every square, if all positions of the
// belief are equally likely.
nb::ndarray<nb::numpy, double, nb::shape<64, square_kinds>> marginals(const Belief& belief) {
    auto* values = new double[64 * square_kinds];
    nb::capsule owner(values,
                      [](void* pointer) noexcept { delete[] static_cast<double*>(pointer); });
    const SquareCounts counts = belief.count_squares();
    const double total = static_cast<double>(std::max<std::size_t>(1, belief.positions().size()));
    for (std::size_t square = 0; square < 64; ++square)
        for (std::size_t kind = 0; kind < square_kinds; ++kind)
            values[square * square_kinds + kind] =
                static_cast<double>(counts[square][kind]) / total;
    return nb::ndarray<nb::numpy, double, nb::shape<64, square_kinds>>(values, {64, square_kinds},
                                                                       owner);
}

// The position with this index; throws if there is none.
const Position& position_at(const Belief& belief, std::size_t index) {
    if (index >= belief.positions().size()) throw nb::index_error("no such position");
    return belief.positions()[index];
}

// Works on an update until it is complete, the seconds are over (none: no limit) or the flag is
// set; returns whether it is complete.
bool advance(BeliefStep& step, const fogtree::StopFlag* stop, std::optional<double> seconds) {
    const auto alone = step.in_use().alone();
    nb::gil_scoped_release release;
    return step.advance(seconds ? fogtree::TimeLimit(stop, *seconds) : fogtree::TimeLimit(stop));
}

}  // namespace

// Adds FogChessBelief and FogChessBeliefStep to the module.
void bind_fog_chess_belief(nb::module_& module) {
    using Release = nb::call_guard<nb::gil_scoped_release>;
    nb::class_<Belief>(module, "FogChessBelief",
                       "The positions consistent with a player's observations; immutable.")
        .def_static("of", &belief_of, "positions"_a, "player"_a, "rules"_a, nb::kw_only(), "cap"_a,
                    "seed"_a, "threads"_a, "The belief with these positions.")
        .def_static("from_view", &belief_from_view, "view"_a, "rules"_a, nb::kw_only(),
                    "promotions"_a.none(), "samples"_a, "limit"_a, "cap"_a, "seed"_a, "threads"_a,
                    "The positions that give this view or, if they are more than `limit` or `cap`, "
                    "a sample of them.")
        .def("after_own_move", &Belief::after_own_move, "move"_a, "view"_a, Release(),
             "The belief after a move of its player, who then has this view.")
        .def("after_other_move", &Belief::after_other_move, "view"_a, Release(),
             "The belief after any move of the opponent that leaves this view.")
        .def("contains", &Belief::contains, "position"_a, Release(),
             "Whether a position is in the belief.")
        .def("marginals", &marginals,
             "The probability of each content of each square, shape (64, 13).")
        .def("sample", &Belief::sample, "size"_a, "seed"_a,
             "Some positions drawn without replacement, or all if there are fewer.")
        .def("reduced", &Belief::reduced, "size"_a, "seed"_a, Release(),
             "A sample as a belief, which keeps at most as many positions after every move.")
        .def_prop_ro("view", &Belief::view, "The last observation.")
        .def_prop_ro("complete", &Belief::complete,
                     "Whether it has all positions, not only a sample.")
        .def("__len__", [](const Belief& self) { return self.positions().size(); })
        .def("__getitem__", &position_at, "index"_a);
    nb::class_<BeliefStep>(module, "FogChessBeliefStep",
                           "An update of a belief that can be done in several pieces.")
        .def(
            "__init__",
            [](BeliefStep* self, const Belief& belief, std::optional<Move> move,
               const Observation& view) {
                new (self) BeliefStep(belief, move.value_or(no_move), view);
            },
            "belief"_a, "move"_a.none(), "view"_a, nb::keep_alive<1, 2>(),
            "After a move of the player or, without one, after a move of the opponent.")
        .def("advance", &advance, "stop"_a.none(), "seconds"_a.none(),
             "Go on until the update is complete (True), the seconds are over or the flag is set "
             "(False).")
        .def(
            "take",
            [](BeliefStep& step) {
                const auto alone = step.in_use().alone();
                return step.take();
            },
            "The new belief, once the update is complete.");
}
