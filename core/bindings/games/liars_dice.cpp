// Liar's dice: its walk, its simulator, and its positions for networks.
#include <nanobind/stl/unique_ptr.h>

#include <stdexcept>

#include "bindings/deep/arrays.hpp"
#include "games/liars_dice/deep_engine.hpp"
#include "games/liars_dice/response_dice.hpp"
#include "games/liars_dice/rules.hpp"
#include "games/liars_dice/simulated_game.hpp"
#include "tree/history_walk_of.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace fogtree::liars_dice;

constexpr int kMostRolls = 32767;  // the highest number of a roll that liars_dice_key accepts

namespace {

// The code of an information set, from one roll, or of a history, from two (the viewer's first),
// after these bids; a roll below 0 is not yet made.
Out<std::uint8_t> code_of(const DeepEngine& engine, const std::vector<int>& rolls,
                          const std::vector<int>& bids, int viewer) {
    const EncodedGame& game = engine.game();
    const auto& shape = game.shape();
    std::bitset<EncodedGame::kMostBids> made;
    for (const int bid : bids) {
        if (bid < 0 || bid >= shape.actions - 1) throw std::invalid_argument("no such bid");
        made.set(static_cast<std::size_t>(bid));
    }
    if (rolls.empty() || rolls.size() > 2) throw std::invalid_argument("one or two rolls");
    const int bytes = rolls.size() == 1 ? shape.code_bytes : shape.history_code_bytes;
    std::vector<std::uint8_t> code(static_cast<std::size_t>(bytes));
    std::uint8_t* place = code.data();
    for (const int roll : rolls) {
        if (roll >= game.dice().rolls()) throw std::invalid_argument("no such roll");
        place = game.write_hand(roll, place);
    }
    game.write_bids(made, viewer, place);
    return handed_over(std::move(code));
}

}  // namespace

// Adds the walk, simulator, best responses and deep-learning game of liar's dice to the module.
void bind_liars_dice(nb::module_& module) {
    module.def("simulated_liars_dice", &fogtree::liars_dice::simulated_game, "dice"_a, "sides"_a,
               "The native simulator of liar's dice.");
    module.def(
        "liars_dice_walk",
        [](int dice, int sides) -> std::unique_ptr<fogtree::NativeWalk> {
            return std::make_unique<fogtree::HistoryWalkOf<LiarsDice>>(LiarsDice(dice, sides));
        },
        "dice"_a, "sides"_a, "A walk over all histories of liar's dice.");
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
    module.def("liars_dice_responses", &response_game, "dice"_a, "sides"_a,
               nb::call_guard<nb::gil_scoped_release>(),
               "Exact best responses in liar's dice with up to 24 bids.");
    bind_coded_engine<DeepEngine>(module, "DeepLiarsDice", "Liar's dice for deep learning.")
        .def(nb::init<int, int>(), "dice"_a, "sides"_a)
        .def("code", &code_of, "rolls"_a, "bids"_a, "viewer"_a,
             "The code of the viewer's information set after these bids, from one roll; from two "
             "rolls, the viewer's first, the code of a history. A roll below 0 is not yet made.");
}
