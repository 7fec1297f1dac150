// The belief and the search of Cambia.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings/games/cambia/table.hpp"
#include "bindings/search/methods.hpp"
#include "games/cambia/belief.hpp"
#include "games/cambia/leaf_values.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace fogtree::cambia;
namespace search = fogtree::search;
using fogtree::deep::Network;

namespace {

// One player's search, with everything it refers to, and `memory`, the key of the player's
// observations so far.
struct CambiaSearch {
    std::shared_ptr<const Rules> rules;
    SearchGame game;
    LeafValues evaluator;
    search::Search<SearchGame, LeafValues> engine;
    int player;
    std::uint64_t memory = 0;

    // `me`: the player who searches. `values`: a network that values leaves; if it is null they are
    // valued by the cards.
    CambiaSearch(const Rules& game_rules, const search::Options& options, int me,
                 std::shared_ptr<Network> values)
        : rules(std::make_shared<const Rules>(game_rules)),
          game(game_rules),
          evaluator(game_rules, std::move(values)),
          engine(game, evaluator, options, me),
          player(me) {
        if (game_rules.players != 2) throw std::invalid_argument("the search is for two players");
    }

    // Throws unless a position from Python belongs to a game with these rules.
    void check_fits(const Position& position) const {
        if (!position.fits(*rules))
            throw std::invalid_argument("a position of a game with other rules");
    }

    // Moves the root of the search to the present, with positions sampled from the belief: `groups`
    // groups of `group_size` that the opponent cannot tell apart. `belief` is a copy, because
    // another thread may add observations to the original.
    void move_to(const Belief belief, int groups, int group_size, std::uint64_t seed,
                 std::optional<double> seconds, bool give_up) {
        if (!(belief.rules() == *rules) || belief.player() != player)
            throw std::invalid_argument("a belief of another game or player");
        const auto alone = engine.in_use().alone();
        const nb::gil_scoped_release release;
        const fogtree::TimeLimit limit = time_limit(engine, seconds);
        std::vector<Position> possible;
        std::vector<std::uint64_t> known;
        for (const Belief::Sample& sample : belief.sample(groups, group_size, seed)) {
            possible.push_back(sample.position);
            known.push_back(sample.known_to_other);
        }
        engine.move_to(memory, possible, {}, known, limit, give_up);
    }

    // The steps of a line of the tree from `position`: who acts (-1: chance), and the action or the
    // card drawn. `numbers`: the action of each step or, at chance, the index of the outcome.
    std::vector<std::pair<int, int>> steps(Position position,
                                           const std::vector<std::uint32_t>& numbers) const {
        check_fits(position);
        std::vector<std::pair<int, int>> out;
        std::vector<SearchGame::Edge> edges;
        for (const std::uint32_t number : numbers) {
            edges.clear();
            game.expand(position, edges);
            const bool chance = position.by_chance();
            const auto here = [&](const SearchGame::Edge& edge) { return edge.action == number; };
            const auto outcome = std::min<std::size_t>(number, edges.size());
            const auto edge = chance ? edges.begin() + static_cast<std::ptrdiff_t>(outcome)
                                     : std::ranges::find_if(edges, here);
            if (edge == edges.end()) throw std::invalid_argument("no such step");
            out.emplace_back(game.player(position), static_cast<int>(edge->action));
            position = edge->child;
        }
        return out;
    }
};

}  // namespace

// Adds CambiaBelief, CambiaSearchState and CambiaSearch to the module.
void bind_cambia_search(nb::module_& module) {
    nb::class_<Belief>(module, "CambiaBelief",
                       "The positions consistent with a player's observations.")
        .def(nb::init<const Rules&, int>(), "rules"_a, "player"_a)
        .def("observe", &Belief::observe, "token"_a, "Add the player's next observation.")
        .def_prop_ro("hidden", &Belief::hidden,
                     "Number of cards in hands that the player has not seen.")
        .def(
            "sample",
            [](const Belief& self, int groups, int group, std::uint64_t seed) {
                const auto shared = std::make_shared<const Rules>(self.rules());
                std::vector<Table> out;
                for (const Belief::Sample& s : self.sample(groups, group, seed)) {
                    out.push_back({shared, s.position});
                }
                return out;
            },
            "groups"_a, "group"_a, "seed"_a,
            "Random positions of the belief, in groups of `group` that the opponent cannot tell "
            "apart.")
        .def(
            "contains",
            [](const Belief& self, const Table& table) { return self.contains(table.position); },
            "position"_a, "Whether a position is consistent with the observations.");
    nb::class_<Position>(module, "CambiaSearchState", "A position of the search tree.");
    nb::class_<CambiaSearch> type(module, "CambiaSearch", "A search on two-player Cambia.");
    bind_search_methods(type);
    type.def(nb::init<const Rules&, const search::Options&, int, std::shared_ptr<Network>>(),
             "rules"_a, "options"_a, "player"_a, "values"_a = nb::none(),
             "Leaf values come from a value network or, without one, from the cards.")
        .def(
            "observe",
            [](CambiaSearch& self, Token token) {
                check_token(*self.rules, token);
                const auto alone = self.engine.in_use().alone();
                self.memory = SearchGame::remember(self.memory, token);
            },
            "token"_a, "Add our player's next observation.")
        .def("move_to", &CambiaSearch::move_to, "belief"_a, "groups"_a, "group_size"_a, "seed"_a,
             "seconds"_a = nb::none(), "give_up"_a = false,
             "Move the search to what our player knows now. When the seconds are over or the stop "
             "flag is set, less of the last tree is kept; with `give_up` the search stays where it "
             "was.")
        .def(
            "value",
            [](const CambiaSearch& self, const Table& table) {
                if (!(*table.rules == *self.rules))
                    throw std::invalid_argument("a position of a game with other rules");
                return self.evaluator.evaluate(table.position);
            },
            "table"_a, "Player 0's value of a position, by the leaf values.")
        .def(
            "table",
            [](const CambiaSearch& self, const Position& position) {
                self.check_fits(position);
                return Table{self.rules, position};
            },
            "position"_a, "The position of a search state, with the rules.")
        .def("steps", &CambiaSearch::steps, "position"_a, "numbers"_a,
             "A line of the tree as (player, action) pairs; player -1 is chance, its action a "
             "card.");
}
