// Cambia for deep learning: encoded positions, and matches of networks and scripted players.
#include "bindings/deep/arrays.hpp"
#include "bindings/signals.hpp"
#include "games/cambia/deep_engine.hpp"
#include "games/cambia/match.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace fogtree::cambia;

namespace {

// Plays one step, by its number: an action, the card that is drawn, or the player who starts.
void replay_step(const EncodedGame& game, EncodedGame::State& state, int number) {
    auto& position = state.position;
    if (position.by_chance()) {
        if (position.phase == Phase::starter) {
            if (number < 0 || number >= game.rules().players)
                throw std::invalid_argument("no such player");
            return position.start_with(number);
        }
        if (position.stock_size == 0) EncodedGame::note_refill(state);
        for (int place = 0; place < position.pool_size(); ++place) {
            if (position.pool()[place] == number) return position.draw_at(game.rules(), place);
        }
        throw std::invalid_argument("not possible here");
    }
    std::vector<fogtree::deep::Action> legal(static_cast<std::size_t>(game.shape().most_actions));
    const int count = game.legal(state, legal.data());
    for (int a = 0; a < count; ++a) {
        if (legal[static_cast<std::size_t>(a)] == number) return game.step(state, a);
    }
    throw std::invalid_argument("not possible here");
}

// The state after these steps from the start.
EncodedGame::State replayed(const DeepEngine& engine, const std::vector<int>& steps) {
    EncodedGame::State state = engine.game().root();
    for (const int step : steps) replay_step(engine.game(), state, step);
    return state;
}

// The code of the state after these steps as the viewer sees it, or with all cards visible.
Out<std::uint8_t> code_of(const DeepEngine& engine, const std::vector<int>& steps, int viewer,
                          bool all_seeing) {
    if (viewer < 0 || viewer >= engine.shape().players)
        throw std::invalid_argument("no such player");
    const EncodedGame::State state = replayed(engine, steps);
    std::vector<std::uint8_t> code(static_cast<std::size_t>(engine.shape().code_bytes));
    if (all_seeing) {
        engine.game().encode_history(state, viewer, code.data());
    } else {
        engine.game().encode_for(state, viewer, code.data());
    }
    return handed_over(std::move(code));
}

// Adds DeepContestant, CambiaScore and cambia_match to the module.
void bind_match(nb::module_& module) {
    using Strategies = std::vector<NetworkList>;
    nb::class_<Contestant>(module, "DeepContestant", "A player of matches of Cambia.")
        .def(
            "__init__",
            [](Contestant* self, const Strategies& strategies, std::vector<double> weights,
               bool uniform_fallback, bool softmax) {
                Contestant made;
                for (const NetworkList& networks : strategies) {
                    made.strategies.push_back(networks_of(networks, nullptr).players);
                }
                if (weights.empty()) weights.assign(strategies.size(), 1.0);
                made.weights = std::move(weights);
                made.uniform_fallback = uniform_fallback;
                made.softmax = softmax;
                new (self) Contestant(std::move(made));
            },
            "strategies"_a, "weights"_a = std::vector<double>{}, nb::kw_only(),
            "uniform_fallback"_a = false, "softmax"_a = false,
            "Each game is played by a strategy drawn by weight; a strategy is one network per "
            "seat, or "
            "one for all seats.")
        .def_static(
            "scripted",
            [](const std::string& name) {
                Contestant made;
                made.script = script_named(name);
                return made;
            },
            "name"_a, "A scripted player.");
    nb::class_<MatchScore>(module, "CambiaScore", "The score of the first player of a match.")
        .def_ro("wins", &MatchScore::wins, "Games won.")
        .def_ro("draws", &MatchScore::draws, "Games drawn.")
        .def_ro("losses", &MatchScore::losses, "Games lost.")
        .def_ro("gains", &MatchScore::gains, "Sum of returns.")
        .def_ro("turns", &MatchScore::turns, "Turns of all games.")
        .def_ro("decisions", &MatchScore::decisions, "Decisions of all games.");
    module.def(
        "cambia_match",
        [](const DeepEngine& engine, const Contestant& first, const Contestant& second,
           std::int64_t games, std::uint64_t seed, int threads) {
            return interruptible([&](fogtree::Interruption& interruption) {
                return play_match(engine.game(), first, second, games, seed, threads, interruption);
            });
        },
        "game"_a, "first"_a, "second"_a, "games"_a, "seed"_a, "threads"_a = 1,
        "Play every deal once with the first player in each seat; equal arguments give equal "
        "scores.");
}

}  // namespace

// Adds DeepCambia and the classes of matches to the module.
void bind_cambia_deep(nb::module_& module) {
    bind_coded_engine<DeepEngine>(module, "DeepCambia", "Cambia for deep learning.")
        .def(nb::init<const Rules&>(), "rules"_a)
        .def("code", &code_of, "steps"_a, "viewer"_a, "all_seeing"_a,
             "The encoded position after some steps, as a player sees it or with everything "
             "visible.");
    bind_match(module);
}
