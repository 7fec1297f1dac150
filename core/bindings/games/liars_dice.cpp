// The native simulator of liar's dice, and its walk.
#include <nanobind/nanobind.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "games/liars_dice/rules.hpp"
#include "games/liars_dice/simulated_game.hpp"
#include "tree/history_walk_of.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using fogtree::liars_dice::LiarsDice;

constexpr int kMostRolls = 32767;

void bind_liars_dice(nb::module_& module) {
    module.def("simulated_liars_dice", &fogtree::liars_dice::simulated_game, "dice"_a, "sides"_a,
               "The native simulator of liar's dice.");
    module.def(
        "liars_dice_walk",
        [](int dice, int sides) -> std::unique_ptr<fogtree::NativeWalk> {
            return std::make_unique<fogtree::HistoryWalkOf<LiarsDice>>(LiarsDice(dice, sides));
        },
        "dice"_a, "sides"_a, "A walk over liar's dice.");
    module.def(
        "liars_dice_key",
        [](int player, int roll, const std::vector<int>& bids) {
            if (player < 0 || player > 1 || roll < 0 || roll > kMostRolls)
                throw std::invalid_argument("no such player or roll");
            std::uint64_t history = 0;
            for (const int bid : bids) history = LiarsDice::after_bid(history, bid);
            return LiarsDice::key_of(player, roll, history);
        },
        "player"_a, "roll"_a, "bids"_a,
        "The simulator's key of the information set of a player, a roll and the bids so far.");
}
