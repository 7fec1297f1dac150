// The classes of a search's results.
#include "bindings/search/results.hpp"

#include <nanobind/operators.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
namespace search = fogtree::search;

namespace {

// Adds SearchResult and its SearchCandidate to the module.
void bind_result(nb::module_& module) {
    using C = search::Candidate;
    nb::class_<C>(module, "SearchCandidate", "One of our actions after a search.")
        .def_ro("action", &C::action, "The action's number in its game.")
        .def_ro("probability", &C::probability, "The probability to play it, after purification.")
        .def_ro("strategy", &C::strategy, "The probability by the solver, before purification.")
        .def_ro("value", &C::value, "Our expected value, from -1 to 1.")
        .def_ro("visits", &C::visits, "How often the expander took it.");
    using R = search::Decision;
    nb::class_<R>(module, "SearchResult", "The result of one search.")
        .def_ro("candidates", &R::candidates,
                "Our actions; empty if the search ended before it got to our decision.")
        .def_ro("action", &R::action, "The action drawn from the probabilities.")
        .def_ro("value", &R::value, "Our expected value, from -1 to 1.")
        .def_ro("p_max", &R::largest_enter,
                "The largest probability with which the opponent would enter the subgame.")
        .def_ro("safe", &R::safe,
                "Whether the opponent gains nowhere by the new strategy: p_max is 0.")
        .def_ro("full", &R::full, "Whether a bound on nodes or memory stopped the growth.")
        .def_ro("stopped", &R::stopped, "Whether it was stopped before the budget was spent.")
        .def_ro("wins_at_once", &R::wins_at_once,
                "Whether the action was played alone because it wins at once in every possible "
                "position of the subgame.")
        .def_ro("nodes", &R::nodes, "Nodes of the tree.")
        .def_ro("infosets", &R::infosets, "Number of information sets of the tree.")
        .def_ro("bytes", &R::bytes, "Memory of the tree in bytes.")
        .def_ro("iterations", &R::iterations, "Iterations of the solver.")
        .def_ro("steps", &R::steps, "Walks of the expander.")
        .def_ro("touched", &R::touched, "Nodes visited by the solver in all iterations.")
        .def_ro("depth", &R::depth, "The deepest node, in plies below the root.")
        .def_ro("seconds", &R::seconds, "Duration of the search.")
        .def_prop_ro(
            "carried_nodes", [](const R& r) { return r.subgame.carried_nodes; },
            "Nodes kept from the tree of the search before.")
        .def_prop_ro(
            "carried_infosets", [](const R& r) { return r.subgame.carried_infosets; },
            "Information sets kept from the tree of the search before.")
        .def_prop_ro(
            "sampled", [](const R& r) { return r.subgame.sampled; },
            "Positions of the belief that were not in the tree of the search before.")
        .def_prop_ro(
            "cover", [](const R& r) { return r.subgame.cover; },
            "Nodes kept for each order of knowledge, the first order first.");
}

// Adds SearchEvent and SearchMoment, which a watcher gets, to the module.
void bind_moment(nb::module_& module) {
    nb::enum_<search::Event>(module, "SearchEvent", "What a watcher of a search is called for.")
        .value("opened", search::Event::opened, "The subgame is built.")
        .value("expanded", search::Event::expanded, "One walk of the expander has ended.")
        .value("iterated", search::Event::iterated, "One iteration of the solver has ended.")
        .value("progress", search::Event::progress, "Another part of the budget is spent.");
    using M = search::Moment;
    nb::class_<M>(module, "SearchMoment", "The state of a search that is being watched.")
        .def_ro("event", &M::event, "Why the watcher is called.")
        .def_ro("part", &M::part, "The part of the budget that is spent, from 0 to 1.")
        .def_ro("seconds", &M::seconds, "Seconds since the search began.")
        .def_ro("iterations", &M::iterations, "Iterations of the solver so far.")
        .def_ro("steps", &M::steps, "Walks of the expander so far.")
        .def_ro("nodes", &M::nodes, "Nodes of the tree.")
        .def_ro("added", &M::added, "Nodes that the last walk added.");
}

// Adds the classes of the root of a subgame to the module.
void bind_root(nb::module_& module) {
    using S = search::LineStep;
    nb::class_<S>(module, "LineStep", "One step of a principal variation.")
        .def_ro("player", &S::player, "Who acts; -1 is chance.")
        .def_ro("action", &S::action, "The likeliest action.")
        .def_ro("probability", &S::probability, "The probability of the action.");
    using P = PythonRoot;
    nb::class_<P>(module, "RootPosition", "A position at the root of the subgame.")
        .def_ro("choice", &P::choice,
                "The opponent's information set, as an index into the opponent's choices.")
        .def_prop_ro(
            "state", [](const P& p) { return nb::borrow<nb::any>(p.state); }, "The position.")
        .def_ro("possible", &P::possible, "Whether our observations allow it.")
        .def_ro("weight", &P::weight, "Its probability within the opponent's information set.")
        .def_ro("earlier_reach", &P::earlier_reach,
                "Its probability by the strategies of the search before; 0 if not in its tree.")
        .def_ro("value", &P::value, "Our value under the current strategies.")
        .def_ro("nodes", &P::nodes, "Nodes of its subtree.")
        .def_ro("line", &P::line, "The principal variation from here.")
        .def_ro("line_value", &P::line_value, "Our value at the end of the line.");
    using O = search::OpponentChoice;
    nb::class_<O>(module, "OpponentChoice",
                  "One of the opponent's information sets at the root, in the gadget game.")
        .def_ro("nodes", &O::nodes, "Number of positions at the root that belong to it.")
        .def_ro("alternate", &O::alternate, "Our value if the opponent does not enter the subgame.")
        .def_ro("utility", &O::utility, "Our value if the opponent enters the subgame.")
        .def_ro("margin", &O::margin, "Utility minus alternate; negative if the opponent gains.")
        .def_ro("prior", &O::prior, "Its prior probability.")
        .def_ro("reach", &O::reach, "The probability that the opponent chooses it.")
        .def_ro("enter", &O::enter,
                "The probability with which the opponent enters the subgame, by Resolve.")
        .def_ro("maxmargin", &O::maxmargin,
                "The probability with which the opponent chooses it, by Maxmargin.");
}

// Adds the classes that report on the search tree to the module.
void bind_tree_reports(nb::module_& module) {
    using I = search::InfosetReport;
    using A = I::Action;
    nb::class_<A>(module, "InfosetAction", "One action of an information set of the tree.")
        .def_ro("action", &A::action, "The action's number in its game.")
        .def_ro("strategy", &A::strategy, "Its probability in the current strategy.")
        .def_ro("cumulative", &A::cumulative,
                "Its regret, summed over the iterations by the minimizer.")
        .def_ro("regret", &A::regret, "Its regret in the last iteration.")
        .def_ro("value", &A::quality, "The mover's value of it.")
        .def_ro("variance", &A::variance,
                "The variance of its value between the expander's visits.")
        .def_ro("visits", &A::visits, "How often the expander took it.")
        .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"));
    nb::class_<I>(module, "InfosetReport", "An information set of the tree.")
        .def_ro("others_reach", &I::others_reach,
                "The probability that chance and the other player's actions lead here.")
        .def_ro("visits", &I::visits, "How often the expander came here.")
        .def_ro("actions", &I::actions, "Its actions.")
        .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"));
    using L = search::TreeLevel;
    nb::class_<L>(module, "TreeLevel", "Counts of the nodes at one ply below the root.")
        .def_ro("nodes", &L::nodes, "All nodes.")
        .def_ro("expanded", &L::expanded, "Nodes with children.")
        .def_ro("terminal", &L::terminal, "Nodes where the game is over.");
    using N = PythonNode;
    nb::class_<N>(module, "SearchNode", "A node of the tree.")
        .def_ro("parent", &N::parent,
                "The parent's index in the list; at the root -1 minus the opponent's choice.")
        .def_ro("action", &N::action, "The action that leads here.")
        .def_ro("player", &N::player, "Who acts; -1 is chance, -2 is nobody.")
        .def_ro("expanded", &N::expanded, "Whether it has children.")
        .def_ro("value", &N::value, "Our value by the evaluator.")
        .def_prop_ro(
            "infosets",
            [](const N& n) {
                return nb::typed<nb::tuple, std::uint64_t, std::uint64_t>(
                    nb::make_tuple(n.infosets[0], n.infosets[1]));
            },
            "Each player's information set, by its key.")
        .def_prop_ro(
            "state", [](const N& n) { return nb::borrow<nb::any>(n.state); }, "The position.");
    nb::class_<WalkChoice>(module, "WalkChoice", "A choice on a walk of the expander.")
        .def_ro("key", &WalkChoice::key, "The information set, by its key.")
        .def_ro("player", &WalkChoice::player, "Who decides.")
        .def_ro("action", &WalkChoice::action, "The action taken.")
        .def_ro("explored", &WalkChoice::explored,
                "Whether it was chosen to explore, not drawn from the strategy.");
}

}  // namespace

// Adds all classes of a search's results to the module.
void bind_search_results(nb::module_& module) {
    bind_result(module);
    bind_moment(module);
    bind_root(module);
    bind_tree_reports(module);
}
