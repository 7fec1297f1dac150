// Python's classes of compiled games: the flat tree, the sequence form and the engine that solves
// it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "tree/device_layout.hpp"
#include "tree/engine.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using fogtree::Engine;
using fogtree::FlatTree;
using fogtree::Schedule;
using fogtree::SequenceForm;

namespace {

using Index = std::int32_t;

// Adds FlatTree to the module.
void bind_flat_tree(nb::module_& module) {
    nb::class_<FlatTree>(module, "FlatTree", "A game tree as flat arrays.")
        .def(
            "__init__",
            [](FlatTree* self, int players, In<std::int32_t> parent, In<std::int8_t> player,
               In<std::int32_t> action, In<std::int32_t> index, In<double> chance,
               In<std::int32_t> view, In<double> payoffs, In<std::int8_t> infoset_player,
               In<std::int32_t> infoset_actions) {
                FlatTree tree;
                tree.players = players;
                tree.parent = copied(parent);
                tree.player = copied(player);
                tree.action = copied(action);
                tree.index = copied(index);
                tree.chance = copied(chance);
                tree.view = copied(view);
                tree.payoffs = copied(payoffs);
                tree.infoset_player = copied(infoset_player);
                tree.infoset_actions = copied(infoset_actions);
                tree.finish();
                new (self) FlatTree(std::move(tree));
            },
            "players"_a, "parent"_a.noconvert(), "player"_a.noconvert(), "action"_a.noconvert(),
            "index"_a.noconvert(), "chance"_a.noconvert(), "view"_a.noconvert(),
            "payoffs"_a.noconvert(), "infoset_player"_a.noconvert(),
            "infoset_actions"_a.noconvert(),
            "Arrays by node, parents before children: parent, player, action, index, chance, and "
            "view by node and player; payoffs by end of the game and player; the last two by "
            "information set.")
        .def(
            "arrays",
            [](nb::handle_t<FlatTree> self) {
                const auto& tree = nb::cast<const FlatTree&>(self);
                ArrayDict out;
                const auto show = [&](const char* name, const auto& column) {
                    using T = typename std::decay_t<decltype(column)>::value_type;
                    out[name] = nb::ndarray<nb::numpy, const T, nb::ndim<1>>(column.data(),
                                                                             {column.size()}, self);
                };
                show("parent", tree.parent);
                show("player", tree.player);
                show("action", tree.action);
                show("index", tree.index);
                show("chance", tree.chance);
                show("view", tree.view);
                show("payoffs", tree.payoffs);
                show("infoset_player", tree.infoset_player);
                show("infoset_actions", tree.infoset_actions);
                return out;
            },
            "The arrays that the constructor takes, by name and not copied.")
        .def_prop_ro("bytes", &FlatTree::bytes, "Memory of the arrays in bytes.");
}

// A player's payoffs as arrays: own sequence, the other's sequence, value.
std::tuple<Out<Index>, Out<Index>, Out<double>> payoff_arrays(const SequenceForm& form,
                                                              std::size_t player) {
    std::vector<Index> row, column;
    std::vector<double> value;
    for (const auto& e : form.payoffs.at(player)) {
        row.push_back(e.row);
        column.push_back(e.column);
        value.push_back(e.value);
    }
    return {handed_over(std::move(row)), handed_over(std::move(column)),
            handed_over(std::move(value))};
}

// A player's treeplex as arrays: number of actions, first sequence and parent sequence of every
// information set, and for every sequence how many of the game's sequences it stands for.
std::tuple<Out<Index>, Out<Index>, Out<Index>, Out<double>> treeplex_arrays(
    const SequenceForm& form, std::size_t player) {
    const auto& plex = form.treeplexes.at(player);
    std::vector<Index> actions, first, parent;
    for (const auto& set : plex.infosets) {
        actions.push_back(set.actions);
        first.push_back(set.first_sequence);
        parent.push_back(set.parent_sequence);
    }
    return {handed_over(std::move(actions)), handed_over(std::move(first)),
            handed_over(std::move(parent)), handed_over(std::vector<double>(plex.members))};
}

// The arrays of DeviceLayout by name; their memory is handed over to Python, not copied.
ArrayDict device_arrays(const SequenceForm& form, std::size_t player) {
    if (form.players != 2 || player > 1) throw std::invalid_argument("no such player");
    fogtree::DeviceLayout layout;
    {
        nb::gil_scoped_release release;
        layout = fogtree::device_layout(form, player);
    }
    ArrayDict out;
    out["lanes"] = layout.lanes;
    const auto give = [&](const char* name, auto& column) {
        out[name] = handed_over(std::move(column));
    };
    give("position", layout.position);
    give("members", layout.members);
    give("chunks", layout.chunks);
    give("level_begin", layout.level_begin);
    give("lane_parent", layout.lane_parent);
    give("lane_copies", layout.lane_copies);
    give("rows", layout.rows);
    give("terms", layout.terms);
    give("payoffs", layout.payoffs);
    give("child_begin", layout.child_begin);
    give("children", layout.children);
    return out;
}

// Adds SequenceForm and sequence_form to the module.
void bind_sequence_form(nb::module_& module) {
    nb::class_<SequenceForm>(module, "SequenceForm", "The sequence form of a game tree.")
        .def_prop_ro(
            "merged", [](const SequenceForm& form) { return form.merged; },
            "Whether equivalent information sets were merged.")
        .def_prop_ro("nonzeros", &SequenceForm::nonzeros,
                     "Number of entries of the payoff matrices.")
        .def_prop_ro("bytes", &SequenceForm::bytes, "Memory of the sequence form in bytes.")
        .def_prop_ro(
            "infosets",
            [](const SequenceForm& form) {
                std::vector<std::size_t> out;
                for (const auto& plex : form.treeplexes) out.push_back(plex.infosets.size());
                return out;
            },
            "Number of information sets of each player.")
        .def_prop_ro(
            "sequences",
            [](const SequenceForm& form) {
                std::vector<std::size_t> out;
                for (const auto& plex : form.treeplexes) out.push_back(plex.sequences());
                return out;
            },
            "Number of sequences of each player.")
        .def_prop_ro(
            "place",
            [](const SequenceForm& form) { return handed_over(std::vector<Index>(form.place)); },
            nb::rv_policy::automatic,
            "The index of each information set of the tree within its player's treeplex; -1 if it "
            "has one action.")
        .def("payoffs", &payoff_arrays, "player"_a,
             "Rows (own sequence), columns (the other's) and values, chance folded in.")
        .def("device_layout", &device_arrays, "player"_a,
             "One player's decisions and payoffs as arrays by name, in the order in which an "
             "accelerator reads them (device_layout.hpp).")
        .def("treeplex", &treeplex_arrays, "player"_a,
             "For each information set, its number of actions, first sequence and parent sequence; "
             "for each sequence, how many of the game's sequences it stands for.");
    module.def(
        "sequence_form",
        [](const FlatTree& tree, bool merge) {
            nb::gil_scoped_release release;
            return std::make_shared<SequenceForm>(fogtree::sequence_form(tree, merge));
        },
        "tree"_a, "merge"_a,
        "The sequence form of a tree; merge combines equivalent information sets.");
}

// The kernels of an instruction set; the fastest ones if the name is empty.
template <class Real>
const fogtree::Kernels<Real>& kernels_named(const std::string& name) {
    for (const auto* one : fogtree::all_kernels<Real>()) {
        if (name == one->name) return *one;
    }
    if (!name.empty()) throw std::invalid_argument("no such instruction set here: " + name);
    return fogtree::kernels<Real>();
}

// An engine's state as a dictionary of arrays.
template <class Real>
ArrayDict state_dict(const Engine<Real>& engine) {
    const auto reading = engine.in_use().reading();
    auto state = engine.state();
    ArrayDict out;
    out["iteration"] = state.iteration;
    out["weight"] = state.weight;
    out["regret"] = handed_over(std::move(state.regret));
    out["strategy"] = handed_over(std::move(state.strategy));
    out["average"] = handed_over(std::move(state.average));
    out["memory"] = handed_over(std::move(state.memory));
    return out;
}

// Adds the engine for one type of numbers to the module, as the class `name`.
template <class Real>
void bind_engine(nb::module_& module, const char* name) {
    using E = Engine<Real>;
    nb::class_<E>(module, name, "Regret minimization on a sequence form.")
        .def(
            "__init__",
            [](E* self, std::shared_ptr<SequenceForm> form, const Schedule& schedule, int threads,
               const std::string& instruction_set, std::size_t least_parallel) {
                new (self) E(std::move(form), schedule, threads,
                             kernels_named<Real>(instruction_set), least_parallel);
            },
            "form"_a, "schedule"_a, "threads"_a = 1, "instruction_set"_a = "",
            "least_parallel"_a = fogtree::kLargeGame,
            "An empty instruction_set selects the fastest. Games with fewer than least_parallel "
            "sequences, or with other than two players, use one thread.")
        .def(
            "run",
            [](E& engine, std::int64_t iterations) {
                const auto alone = engine.in_use().alone();
                nb::gil_scoped_release release;
                engine.run(iterations);
            },
            "iterations"_a, "Run some iterations.")
        .def_prop_ro("iteration", &E::iteration, "Iterations done.")
        .def_prop_ro("bytes", &E::bytes, "Memory of the engine in bytes.")
        .def(
            "nash_conv",
            [](E& engine) {
                const auto alone = engine.in_use().alone();
                nb::gil_scoped_release release;
                const fogtree::Evaluation out = engine.evaluate();
                double gain = 0;
                for (std::size_t p = 0; p < out.values.size(); ++p) {
                    gain += out.best_responses[p] - out.values[p];
                }
                return gain;
            },
            "NashConv: the sum over players of what a best response gains.")
        .def(
            "evaluate",
            [](E& engine) {
                const auto alone = engine.in_use().alone();
                fogtree::Evaluation out;
                {
                    nb::gil_scoped_release release;
                    out = engine.evaluate();
                }
                return std::pair(out.values, out.best_responses);
            },
            "Each player's value, and each player's best-response value.")
        .def(
            "strategy",
            [](const E& engine, bool average) {
                const auto reading = engine.in_use().reading();
                return handed_over(engine.strategy(average));
            },
            "average"_a, "The average or the current strategy, one probability per slot.")
        .def(
            "set_strategy",
            [](E& engine, In<double> slots) {
                if (slots.size() != engine.slots()) {
                    throw std::invalid_argument("a strategy has one number per slot");
                }
                const auto alone = engine.in_use().alone();
                engine.set_strategy(slots.data());
            },
            "slots"_a, "Replace the current strategy by these probabilities, one per slot.")
        .def(
            "utilities",
            [](E& engine, int player) {
                const auto alone = engine.in_use().alone();
                return handed_over(engine.utilities(player));
            },
            "player"_a, "The counterfactual values of a player's actions, one per slot.")
        .def(
            "best_response",
            [](E& engine, int player) {
                const auto alone = engine.in_use().alone();
                double value = 0;
                auto slots = engine.best_response(player, value);
                return std::pair(value, handed_over(std::move(slots)));
            },
            "player"_a,
            "The value of a player's best response to the others, and its strategy, one "
            "probability per slot.")
        .def(
            "reach",
            [](const E& engine, int player) {
                const auto reading = engine.in_use().reading();
                return handed_over(engine.reach(player));
            },
            "player"_a,
            "For each slot, the product of the player's own probabilities up to and with that "
            "action.")
        .def("state", &state_dict<Real>, "Everything that `restore` needs, as arrays by name.")
        .def(
            "restore",
            [](E& engine, std::int64_t iteration, double weight, In<double> regret,
               In<double> strategy, In<double> average, In<double> memory) {
                const auto alone = engine.in_use().alone();
                engine.restore({iteration, weight, copied(regret), copied(strategy),
                                copied(average), copied(memory)});
            },
            "iteration"_a, "weight"_a, "regret"_a, "strategy"_a, "average"_a, "memory"_a,
            "Continue from a saved state.");
}

}  // namespace

// Adds everything of compiled games to the module.
void bind_tree(nb::module_& module) {
    bind_flat_tree(module);
    bind_sequence_form(module);
    nb::enum_<fogtree::Rule>(module, "Rule", "A local regret minimizer.")
        .value("regret_matching", fogtree::Rule::regret_matching)
        .value("predictive", fogtree::Rule::predictive)
        .value("asymmetric_predictive", fogtree::Rule::asymmetric_predictive)
        .value("normal_hedge", fogtree::Rule::normal_hedge)
        .value("hedge", fogtree::Rule::hedge);
    nb::class_<Schedule>(module, "Schedule",
                         "A minimizer with its update order, discounting and averaging.")
        .def(
            "__init__",
            [](Schedule* self, fogtree::Rule rule, bool alternating, double positive_exponent,
               double negative_exponent, double averaging_exponent, double delay, bool last) {
                const Schedule schedule{
                    rule,  alternating, positive_exponent, negative_exponent, averaging_exponent,
                    delay, last};
                schedule.check();
                new (self) Schedule(schedule);
            },
            nb::kw_only(), "rule"_a, "alternating"_a, "positive_exponent"_a, "negative_exponent"_a,
            "averaging_exponent"_a, "delay"_a, "last"_a);
    bind_engine<float>(module, "Engine32");
    bind_engine<double>(module, "Engine64");
    module.def(
        "instruction_sets",
        [] {
            std::vector<std::string> out;
            for (const auto* one : fogtree::all_kernels<double>()) out.emplace_back(one->name);
            return out;
        },
        "The instruction sets that this processor supports, the fastest last.");
}
