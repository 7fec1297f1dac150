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

    TreeSearch(const fogtree::FlatTree& tree, std::vector<double> values,
               const search::Options& chosen, int player)
        : TreeSearch(std::make_shared<SearchedTree>(tree, std::move(values)), chosen, player) {
        if (player != 0 && player != 1) throw std::invalid_argument("player must be 0 or 1");
        engine.begin(0, game.view(0, 0), game.view(0, 1));
    }

    // Another one that is at `view` next; `other` stays where it is.
    TreeSearch(TreeSearch& other, std::uint64_t view)
        : TreeSearch(other.searched, other.options, other.me) {
        engine.branch(other.engine, view, game.possible(view, me));
    }

    // A strategy by slots: the actions of information set 0, then those of 1, and so on.
    void adopt(const std::vector<double>& slots) {
        const fogtree::FlatTree& tree = game.tree();
        if (slots.size() != tree.slots()) throw std::invalid_argument("one number per slot");
        engine.begin(0, game.view(0, 0), game.view(0, 1));
        engine.adopt([&](std::int32_t node, std::uint32_t action) {
            const auto set = static_cast<std::size_t>(tree.index[static_cast<std::size_t>(node)]);
            return slots[static_cast<std::size_t>(tree.first_slot[set]) + action];
        });
    }

private:
    TreeSearch(std::shared_ptr<SearchedTree> on, const search::Options& chosen, int player)
        : searched(std::move(on)),
          game(searched->game),
          options(chosen),
          engine(game, searched->evaluator, options, player),
          me(player) {}
};

void bind_options(nb::module_& module) {
    nb::enum_<search::Minimizer>(module, "SearchMinimizer")
        .value("pcfr_plus", search::Minimizer::pcfr_plus)
        .value("cfr_plus", search::Minimizer::cfr_plus);
    nb::enum_<search::Answer>(module, "SearchAnswer")
        .value("last", search::Answer::last)
        .value("average", search::Answer::average);
    nb::enum_<search::Start>(module, "SearchStart")
        .value("best", search::Start::best)
        .value("proportional", search::Start::proportional)
        .value("uniform", search::Start::uniform);
    nb::enum_<search::Exploration>(module, "SearchExploration")
        .value("puct", search::Exploration::puct)
        .value("policy", search::Exploration::policy);
    nb::enum_<search::Purification>(module, "SearchPurification")
        .value("stable", search::Purification::stable)
        .value("argmax", search::Purification::argmax)
        .value("none", search::Purification::none);
    using O = search::Options;
    nb::class_<O>(module, "SearchOptions")
        .def(nb::init<>())
        .def_rw("knowledge", &O::knowledge)
        .def_rw("frozen", &O::frozen)
        .def_rw("sample", &O::sample)
        .def_rw("gifts", &O::gifts)
        .def_rw("uniform_prior", &O::uniform_prior)
        .def_rw("resolve", &O::resolve)
        .def_rw("maxmargin", &O::maxmargin)
        .def_rw("tolerance", &O::tolerance)
        .def_rw("minimizer", &O::minimizer)
        .def_rw("pruning", &O::pruning)
        .def_rw("answer", &O::answer)
        .def_rw("start", &O::start)
        .def_rw("exploration", &O::exploration)
        .def_rw("exploration_constant", &O::exploration_constant)
        .def_rw("two_sided", &O::two_sided)
        .def_rw("focus", &O::focus)
        .def_rw("purification", &O::purification)
        .def_rw("most_actions", &O::most_actions)
        .def_rw("iterations_per_expansion", &O::iterations_per_expansion)
        .def_rw("solving", &O::solving)
        .def_rw("most_nodes", &O::most_nodes)
        .def_rw("most_carried", &O::most_carried)
        .def_rw("most_roots", &O::most_roots)
        .def_rw("most_bytes", &O::most_bytes)
        .def_rw("seed", &O::seed);
    using B = search::Budget;
    nb::class_<B>(module, "SearchBudget")
        .def(
            "__init__",
            [](B* self, double seconds, std::int64_t steps, std::int64_t nodes,
               std::int32_t expanders) { new (self) B{seconds, steps, nodes, expanders}; },
            nb::kw_only(), "seconds"_a = 0.0, "steps"_a = 0, "nodes"_a = 0, "expanders"_a = 0);
}

}  // namespace

void bind_search_results(nb::module_& module);

void bind_search(nb::module_& module) {
    bind_options(module);
    bind_search_results(module);
    nb::class_<TreeSearch> tree_search(module, "TreeSearch");
    bind_search_methods(tree_search);
    tree_search
        .def(nb::init<const fogtree::FlatTree&, std::vector<double>, const search::Options&, int>(),
             "tree"_a, "values"_a, "options"_a, "player"_a, nb::keep_alive<1, 2>())
        .def(
            "possible",
            [](const TreeSearch& s, std::uint64_t view) { return s.game.possible(view, s.me); },
            "view"_a, "The nodes our player cannot tell apart, knowing this.")
        .def(
            "know",
            [](TreeSearch& s, std::uint64_t view) {
                s.engine.know(view, s.game.possible(view, s.me));
            },
            "view"_a)
        .def_prop_ro(
            "fresh", [](const TreeSearch& s) { return s.engine.fresh(); },
            "Whether nothing has been searched yet.")
        .def(
            "branch",
            [](TreeSearch& s, std::uint64_t view) { return std::make_unique<TreeSearch>(s, view); },
            "view"_a, nb::keep_alive<0, 1>(),
            "Another search that is here next; this one, which has searched, stays where it is.")
        .def("adopt", &TreeSearch::adopt, "slots"_a,
             "Open the whole game and let both play this strategy, as if it had been found here.")
        .def(
            "mix",
            [](const TreeSearch& s, std::uint64_t key, int player) {
                const auto mix = s.engine.mix(key, player);
                return std::tuple(mix.actions, mix.last, mix.average);
            },
            "key"_a, "player"_a);
}
