// Exact best responses of games that are not compiled.
#include <nanobind/stl/unique_ptr.h>

#include "bindings/deep/arrays.hpp"
#include "bindings/signals.hpp"
#include "tree/response_game.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using fogtree::ResponseGame;

namespace {

// Throws unless a player's number is 0 or 1.
void check_player(int player) {
    if (player < 0 || player > 1) throw std::invalid_argument("no such player");
}

// Arrays that describe the decisions from `begin` to before `end` of a player: codes for networks,
// the simulator's keys, numbers of actions, the network output of each action, and the slot of the
// player's action before each decision (-1: none).
auto described(const ResponseGame& game, int player, std::size_t begin, std::size_t end) {
    check_player(player);
    if (begin > end || end > game.decisions(player))
        throw std::invalid_argument("no such decision");
    const auto bytes = static_cast<std::size_t>(game.code_bytes());
    std::vector<std::uint8_t> codes((end - begin) * bytes), counts;
    std::vector<std::uint64_t> keys;
    std::vector<std::int16_t> columns;
    std::vector<std::int64_t> before;
    {
        nb::gil_scoped_release release;
        ResponseGame::Description one;
        for (std::size_t number = begin; number < end; ++number) {
            game.describe(player, number, one, codes.data() + (number - begin) * bytes);
            keys.push_back(one.key);
            counts.push_back(static_cast<std::uint8_t>(one.actions.size()));
            columns.insert(columns.end(), one.actions.begin(), one.actions.end());
            before.push_back(one.before);
        }
    }
    return std::tuple(table_of(std::move(codes), bytes), handed_over(std::move(keys)),
                      handed_over(std::move(counts)), handed_over(std::move(columns)),
                      handed_over(std::move(before)));
}

}  // namespace

// Adds ResponseGame to the module.
void bind_responses(nb::module_& module) {
    nb::class_<ResponseGame>(module, "ResponseGame",
                             "A game whose best responses are computed without compiling it. The "
                             "actions of a player's decisions, one after another, are its slots.")
        .def(
            "decisions",
            [](const ResponseGame& game, int player) {
                check_player(player);
                return game.decisions(player);
            },
            "player"_a,
            "Number of a player's information sets at which the choice can change the outcome.")
        .def(
            "slots",
            [](const ResponseGame& game, int player) {
                check_player(player);
                return game.slots(player);
            },
            "player"_a, "Number of actions of all decisions of a player.")
        .def(
            "infosets",
            [](const ResponseGame& game, int player) {
                check_player(player);
                nb::gil_scoped_release release;
                return game.infosets(player);
            },
            "player"_a, "Number of all information sets of a player.")
        .def("describe", &described, "player"_a, "begin"_a, "end"_a,
             "Of the decisions from `begin` to before `end`: codes for networks, the simulator's "
             "keys, numbers of actions, the network output of each of their actions, and the slot "
             "of the player's action before each decision (-1: none).")
        .def(
            "best_response",
            [](const ResponseGame& game, int player, const In<float>& mixes, int threads) {
                check_player(player);
                const std::span<const float> given(mixes.data(), mixes.size());
                return interruptible([&](fogtree::Interruption& interruption) {
                    return game.best_response(player, given, threads, interruption);
                });
            },
            "player"_a, "mixes"_a, "threads"_a = 1,
            "The value of a player's best response; mixes: the other player's probability of each "
            "of its slots.");
}
