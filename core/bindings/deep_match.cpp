// Matches of Cambia between networks and scripted players.
#include "../deep/cambia_match.hpp"

#include "../deep/cambia_engine.hpp"
#include "deep_arrays.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace fogtree::deep;

void bind_deep_match(nb::module_& module) {
    using Strategies = std::vector<NetworkList>;
    nb::class_<Contestant>(module, "DeepContestant")
        .def(
            "__init__",
            [](Contestant* self, const Strategies& strategies, std::vector<double> weights,
               bool uniform_fallback, bool softmax) {
                Contestant made;
                for (const NetworkList& networks : strategies) {
                    made.strategies.push_back({networks.begin(), networks.end()});
                }
                if (weights.empty()) weights.assign(strategies.size(), 1.0);
                made.weights = std::move(weights);
                made.uniform_fallback = uniform_fallback;
                made.softmax = softmax;
                new (self) Contestant(std::move(made));
            },
            "strategies"_a, "weights"_a = std::vector<double>{}, nb::kw_only(),
            "uniform_fallback"_a = false, "softmax"_a = false,
            "Strategies of which one is drawn for each game: a network per seat, or one for all.")
        .def_static(
            "scripted",
            [](const std::string& name) {
                Contestant made;
                made.script = fogtree::cambia::script_named(name);
                return made;
            },
            "name"_a);
    nb::class_<MatchScore>(module, "CambiaScore")
        .def_ro("wins", &MatchScore::wins)
        .def_ro("draws", &MatchScore::draws)
        .def_ro("losses", &MatchScore::losses)
        .def_ro("gains", &MatchScore::gains)
        .def_ro("turns", &MatchScore::turns)
        .def_ro("decisions", &MatchScore::decisions);
    module.def(
        "cambia_match",
        [](const CambiaEngine& engine, const Contestant& first, const Contestant& second,
           std::int64_t games, std::uint64_t seed, int threads) {
            nb::gil_scoped_release release;
            return play_match(engine.game(), first, second, games, seed, threads);
        },
        "game"_a, "first"_a, "second"_a, "games"_a, "seed"_a, "threads"_a = 1,
        "Every deal once from each seat of the first; equal arguments give equal scores.");
}
