// Python's classes of the search of a compiled game: its options, and the search itself.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bindings/search/methods.hpp"
#include "search/flat_game.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace search = fogtree::search;

namespace {

// A compiled game as the search sees it, with its leaf values.
struct SearchedTree {
    search::FlatGame game;
    search::TableEvaluator evaluator;

    SearchedTree(const fogtree::FlatTree& tree, std::vector<double> values)
        : game(tree), evaluator(game, std::move(values)) {}
};

// A search on a compiled game, with everything it refers to.
struct TreeSearch {
    std::shared_ptr<SearchedTree> searched;
    search::FlatGame& game;
    search::Options options;
    search::Search<search::FlatGame, search::TableEvaluator> engine;
    int me;

    // A search of a whole tree; `values` are player 0's at every node.
    TreeSearch(const fogtree::FlatTree& tree, std::vector<double> values,
               const search::Options& chosen, int player)
        : TreeSearch(std::make_shared<SearchedTree>(tree, std::move(values)), chosen, player) {
        engine.begin(0, game.view(0, 0), game.view(0, 1));
    }

    // A second search of the same tree, which continues from the tree of `other` at our information
    // set `view`; `other` stays where it is.
    TreeSearch(TreeSearch& other, std::uint64_t view)
        : TreeSearch(other.searched, other.options, other.me) {
        const auto alone = other.engine.in_use().alone();
        engine.branch(other.engine, view, game.possible(view, me));
    }

    // Begins again with this strategy of both players instead of a searched one. Slots: the actions
    // of information set 0, then those of 1, and so on.
    void adopt(const std::vector<double>& slots) {
        const fogtree::FlatTree& tree = game.tree();
        if (slots.size() != tree.slots()) throw std::invalid_argument("one number per slot");
        for (const double share : slots) {
            if (!(share >= 0 && share <= 1.000001))
                throw std::invalid_argument("a strategy's numbers are probabilities");
        }
        const auto alone = engine.in_use().alone();
        engine.begin(0, game.view(0, 0), game.view(0, 1));
        engine.adopt([&](std::int32_t node, std::uint32_t action) {
            const auto set = static_cast<std::size_t>(tree.index[static_cast<std::size_t>(node)]);
            return slots[static_cast<std::size_t>(tree.first_slot[set]) + action];
        });
    }

private:
    // A search that shares the tree and its values with others; it has not begun.
    TreeSearch(std::shared_ptr<SearchedTree> on, const search::Options& chosen, int player)
        : searched(std::move(on)),
          game(searched->game),
          options(chosen),
          engine(game, searched->evaluator, options, player),
          me(player) {}
};

// Adds SearchOptions with its enumerations, and SearchBudget, to the module.
void bind_options(nb::module_& module) {
    nb::enum_<search::Minimizer>(module, "SearchMinimizer", "The regret minimizer of the search.")
        .value("pcfr_plus", search::Minimizer::pcfr_plus)
        .value("cfr_plus", search::Minimizer::cfr_plus);
    nb::enum_<search::Answer>(module, "SearchAnswer", "Which strategy the search returns.")
        .value("last", search::Answer::last)
        .value("average", search::Answer::average);
    nb::enum_<search::Start>(module, "SearchStart",
                             "The initial strategy of a new information set.")
        .value("best", search::Start::best)
        .value("proportional", search::Start::proportional)
        .value("uniform", search::Start::uniform);
    nb::enum_<search::Exploration>(module, "SearchExploration",
                                   "How the expander chooses actions to explore.")
        .value("puct", search::Exploration::puct)
        .value("policy", search::Exploration::policy);
    nb::enum_<search::Purification>(module, "SearchPurification",
                                    "How unlikely actions are removed from the result.")
        .value("stable", search::Purification::stable)
        .value("argmax", search::Purification::argmax)
        .value("none", search::Purification::none);
    using O = search::Options;
    nb::class_<O>(module, "SearchOptions", "The settings of a search.")
        .def(nb::init<>())
        .def_rw("knowledge", &O::knowledge,
                "Order of common knowledge kept from the last tree; 0 keeps all.")
        .def_rw("frozen", &O::frozen,
                "Do not change the strategies of our information sets other than the actual one "
                "and those below it.")
        .def_rw("sample", &O::sample, "Least number of positions of the belief in the subgame.")
        .def_rw("gifts", &O::gifts,
                "Subtract the opponent's earlier mistakes from the alternate values.")
        .def_rw("uniform_prior", &O::uniform_prior,
                "Use a uniform prior over the opponent's information sets in Resolve.")
        .def_rw("resolve", &O::resolve, "Use the Resolve part of the gadget.")
        .def_rw("maxmargin", &O::maxmargin, "Use the Maxmargin part of the gadget.")
        .def_rw("tolerance", &O::tolerance,
                "Resolve enters only for a gain above this, in values from -1 to 1.")
        .def_rw("minimizer", &O::minimizer, "The regret minimizer.")
        .def_rw("pruning", &O::pruning, "Skip subtrees that the other player never reaches.")
        .def_rw("answer", &O::answer, "Return the last or the average strategy.")
        .def_rw("start", &O::start, "The initial strategy of new information sets.")
        .def_rw("exploration", &O::exploration, "How the expander chooses actions to explore.")
        .def_rw("exploration_constant", &O::exploration_constant, "The weight of exploration.")
        .def_rw("two_sided", &O::two_sided, "Expand for both players at once.")
        .def_rw("focus", &O::focus, "Explore for us only from positions that are possible.")
        .def_rw("purification", &O::purification,
                "How unlikely actions are removed from the result.")
        .def_rw("most_actions", &O::most_actions, "Actions that a purified strategy may keep.")
        .def_rw("iterations_per_expansion", &O::iterations_per_expansion,
                "Solver iterations per expansion with one thread; 0 divides the time by `solving`.")
        .def_rw("solving", &O::solving, "The solver's share of the time with one thread.")
        .def_rw("most_nodes", &O::most_nodes, "Largest number of nodes; 0 is unlimited.")
        .def_rw("most_carried", &O::most_carried,
                "Largest number of nodes kept for the next search; 0 is unlimited.")
        .def_rw("most_roots", &O::most_roots,
                "Largest number of positions at the root; 0 is unlimited.")
        .def_rw("most_bytes", &O::most_bytes,
                "Largest memory of the old and the new tree together; 0 is unlimited.")
        .def_rw("seed", &O::seed, "Random seed.");
    using B = search::Budget;
    nb::class_<B>(module, "SearchBudget",
                  "The limits of one search; 0 means no limit of that kind.")
        .def(
            "__init__",
            [](B* self, double seconds, std::int64_t steps, std::int64_t nodes,
               std::int32_t expanders) {
                const B budget{seconds, steps, nodes, expanders};
                search::check(budget);
                new (self) B(budget);
            },
            nb::kw_only(), "seconds"_a = 0.0, "steps"_a = 0, "nodes"_a = 0, "expanders"_a = 0,
            "Expanders are threads that grow the tree while another one solves it; with none, one "
            "thread does both.");
}

}  // namespace

void bind_search_results(nb::module_& module);

// Adds StopFlag, the classes above and TreeSearch to the module.
void bind_search(nb::module_& module) {
    nb::class_<fogtree::StopFlag>(module, "StopFlag",
                                  "A flag that ends a piece of work; any thread may set it.")
        .def(nb::init<>())
        .def("set", &fogtree::StopFlag::set, "Set the flag.")
        .def("clear", &fogtree::StopFlag::clear, "Clear the flag.")
        .def_prop_ro("is_set", &fogtree::StopFlag::is_set, "Whether the flag is set.");
    bind_options(module);
    bind_search_results(module);
    nb::class_<TreeSearch> tree_search(module, "TreeSearch", "A search on a compiled game.");
    bind_search_methods(tree_search);
    tree_search
        .def(nb::init<const fogtree::FlatTree&, std::vector<double>, const search::Options&, int>(),
             "tree"_a, "values"_a, "options"_a, "player"_a, nb::keep_alive<1, 2>(),
             "values: the leaf value of every node for player 0, in the unit of the payoffs.")
        .def(
            "possible",
            [](const TreeSearch& s, std::uint64_t view) { return s.game.possible(view, s.me); },
            "view"_a,
            "The nodes that are consistent with a view (number of a remembered history) of our "
            "player.")
        .def(
            "move_to",
            [](TreeSearch& s, std::uint64_t view, std::optional<double> seconds) {
                const auto alone = s.engine.in_use().alone();
                const fogtree::TimeLimit limit = time_limit(s.engine, seconds);
                s.engine.move_to(view, s.game.possible(view, s.me), {}, {}, limit);
            },
            "view"_a, "seconds"_a = nb::none(), nb::call_guard<nb::gil_scoped_release>(),
            "Move the search to what our player observes now. When the seconds are over or the "
            "stop flag is set, less of the last tree is kept.")
        .def_prop_ro(
            "fresh", [](const TreeSearch& s) { return s.engine.fresh(); },
            "Whether nothing has been searched yet.")
        .def(
            "branch",
            [](TreeSearch& s, std::uint64_t view) { return std::make_unique<TreeSearch>(s, view); },
            "view"_a, nb::keep_alive<0, 1>(),
            "A new search at a later view that continues from this one, which stays unchanged.")
        .def("adopt", &TreeSearch::adopt, "slots"_a,
             "Expand the whole game and set both players' strategies, as if a search had found "
             "them.")
        .def(
            "mix",
            [](const TreeSearch& s, std::uint64_t key, int player) {
                const auto reading = s.engine.in_use().reading();
                const auto mix = s.engine.mix(key, player);
                return std::tuple(mix.actions, mix.last, mix.average);
            },
            "key"_a, "player"_a,
            "Actions, current strategy and average strategy of an information set.");
}
