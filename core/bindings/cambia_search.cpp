// Python names of what is possible in Cambia, and of the search on it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "../cambia/belief.hpp"
#include "../cambia/search_game.hpp"
#include "cambia_table.hpp"
#include "search_results.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace fogtree::cambia;
namespace search = fogtree::search;

namespace {

// One player's search, with everything it refers to, and what the player remembers.
struct CambiaSearch {
    SearchGame game;
    CardEstimate evaluator;
    search::Search<SearchGame, CardEstimate> engine;
    std::uint64_t memory = 0;

    CambiaSearch(const Rules& rules, const search::Options& options, int player)
        : game(rules), evaluator(rules), engine(game, evaluator, options, player) {
        if (rules.players != 2) throw std::invalid_argument("the search is for two players");
        if (player != 0 && player != 1) throw std::invalid_argument("player must be 0 or 1");
    }

    void know(const Belief& belief, int groups, int group, std::uint64_t seed) {
        std::vector<Position> possible;
        std::vector<std::uint64_t> known;
        for (const Belief::Sample& sample : belief.sample(groups, group, seed)) {
            possible.push_back(sample.position);
            known.push_back(sample.known_to_other);
        }
        engine.know(memory, possible, {}, known);
    }
};

}  // namespace

void bind_cambia_search(nb::module_& module) {
    nb::class_<Belief>(module, "CambiaBelief")
        .def(nb::init<const Rules&, int>(), "rules"_a, "player"_a)
        .def("observe", &Belief::observe, "token"_a, "The next thing that the player noticed.")
        .def_prop_ro("hidden", &Belief::hidden)
        .def(
            "sample",
            [](const Belief& self, const Rules& rules, int groups, int group, std::uint64_t seed) {
                const auto shared = std::make_shared<const Rules>(rules);
                std::vector<Table> out;
                for (const Belief::Sample& s : self.sample(groups, group, seed)) {
                    out.push_back({shared, s.position});
                }
                return out;
            },
            "rules"_a, "groups"_a, "group"_a, "seed"_a)
        .def(
            "contains",
            [](const Belief& self, const Table& table) { return self.contains(table.position); },
            "position"_a, "Whether the table could be this.");
    nb::class_<CambiaSearch>(module, "CambiaSearch")
        .def(nb::init<const Rules&, const search::Options&, int>(), "rules"_a, "options"_a,
             "player"_a)
        .def(
            "saw",
            [](CambiaSearch& self, Token token) {
                self.memory = SearchGame::remember(self.memory, token);
            },
            "token"_a, "The next thing that our player noticed.")
        .def("know", &CambiaSearch::know, "belief"_a, "groups"_a, "group"_a, "seed"_a,
             nb::call_guard<nb::gil_scoped_release>(), "Turn to what we know now.")
        .def(
            "decide",
            [](CambiaSearch& self, const search::Budget& budget) {
                return decided(self.engine, budget);
            },
            "budget"_a)
        .def(
            "stop", [](CambiaSearch& self) { self.engine.stop(); },
            "From any thread: the search that is running decides now.")
        .def("choices", [](const CambiaSearch& self) { return as_list(self.engine.choices()); });
}
