// Python's classes for sampling: plans, trainers and simulated games.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "common/hash.hpp"
#include "sampling/expectation.hpp"
#include "sampling/simulated_game.hpp"
#include "sampling/tree_trainer.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using fogtree::Entries;
using fogtree::FlatTree;
using fogtree::SamplingPlan;
using fogtree::Scheme;
using fogtree::SchemeOptions;
using fogtree::Stop;
using fogtree::Trainer;

namespace {

// Adds Scheme, SchemeOptions and SamplingPlan to the module.
void bind_plan(nb::module_& module) {
    nb::enum_<Scheme>(module, "Scheme", "A Monte Carlo sampling scheme.")
        .value("external", Scheme::external)
        .value("outcome", Scheme::outcome)
        .value("outcome_baseline", Scheme::outcome_baseline)
        .value("outcome_seed", Scheme::outcome_seed)
        .value("robust", Scheme::robust)
        .value("average", Scheme::average)
        .value("chance", Scheme::chance);
    nb::class_<SchemeOptions>(module, "SchemeOptions", "A sampling scheme with its constants.")
        .def(
            "__init__",
            [](SchemeOptions* self, Scheme scheme, double exploration, int tried,
               double baseline_rate, double epsilon, double tau, double beta) {
                const SchemeOptions options{scheme,  exploration, tried, baseline_rate,
                                            epsilon, tau,         beta};
                options.check();
                new (self) SchemeOptions(options);
            },
            nb::kw_only(), "scheme"_a, "exploration"_a, "tried"_a, "baseline_rate"_a, "epsilon"_a,
            "tau"_a, "beta"_a);
    nb::class_<SamplingPlan>(module, "SamplingPlan",
                             "A scheme with its discounting, averaging, batch size and workers.")
        .def(
            "__init__",
            [](SamplingPlan* self, const SchemeOptions& scheme, double positive_exponent,
               double negative_exponent, double averaging_exponent, double delay,
               std::int64_t batch, int workers, std::uint64_t seed) {
                const SamplingPlan plan{scheme,
                                        positive_exponent,
                                        negative_exponent,
                                        averaging_exponent,
                                        delay,
                                        batch,
                                        workers,
                                        seed};
                plan.check();
                new (self) SamplingPlan(plan);
            },
            nb::kw_only(), "scheme"_a, "positive_exponent"_a, "negative_exponent"_a,
            "averaging_exponent"_a, "delay"_a, "batch"_a, "workers"_a, "seed"_a);
}

// The entries of a table as a dictionary of NumPy arrays.
template <class Real>
ArrayDict to_dict(Entries<Real>&& entries) {
    ArrayDict out;
    out["epoch"] = entries.epoch;
    out["nodes"] = entries.nodes;
    out["keys"] = handed_over(std::move(entries.keys));
    out["counts"] = handed_over(std::move(entries.counts));
    out["regret"] = handed_over(std::move(entries.regret));
    out["average"] = handed_over(std::move(entries.average));
    out["baseline"] = handed_over(std::move(entries.baseline));
    return out;
}

// The entries of a table from a dictionary of NumPy arrays, checked by name and type.
template <class Real>
Entries<Real> from_dict(const nb::dict& dict) {
    const auto entry = [&]<class T>(const char* name, T& out) {
        if (!dict.contains(name) || !nb::try_cast(dict[name], out, false))
            throw std::invalid_argument(std::string("'") + name +
                                        "' is missing or of no such type");
    };
    const auto array = [&]<class T>(const char* name) {
        In<T> out;
        entry(name, out);
        return copied(out);
    };
    std::int64_t epoch = 0;
    std::uint64_t nodes = 0;
    entry("epoch", epoch);
    entry("nodes", nodes);
    return {epoch,
            nodes,
            array.template operator()<std::uint64_t>("keys"),
            array.template operator()<std::int32_t>("counts"),
            array.template operator()<Real>("regret"),
            array.template operator()<double>("average"),
            array.template operator()<Real>("baseline")};
}

// Adds the trainer for one type of numbers to the module, as the class `name`.
template <class Real>
void bind_trainer(nb::module_& module, const char* name) {
    using T = Trainer<Real>;
    nb::class_<T>(module, name, "Monte Carlo CFR by epochs of sampled traversals.")
        .def(
            "run",
            [](T& trainer, std::int64_t epochs, const Stop* stop) {
                if (epochs < 0) throw std::invalid_argument("epochs must not be negative");
                const auto alone = trainer.in_use().alone();
                nb::gil_scoped_release release;
                return trainer.run(epochs, stop == nullptr ? fogtree::kNeverStop : *stop);
            },
            "epochs"_a, "stop"_a = nb::none(),
            "Run this many epochs, or fewer if a stop is requested; returns how many were "
            "completed.")
        .def(
            "sample",
            [](T& trainer, int worker) {
                const auto alone = trainer.in_use().alone();
                Entries<Real> out;
                {
                    nb::gil_scoped_release release;
                    out = trainer.sample(worker);
                }
                return to_dict(std::move(out));
            },
            "worker"_a, "One worker's changes in the next epoch, for `merge`, as arrays by name.")
        .def(
            "merge",
            [](T& trainer, const std::vector<ArrayDict>& changes) {
                std::vector<Entries<Real>> all;
                for (const auto& change : changes) all.push_back(from_dict<Real>(change));
                const auto alone = trainer.in_use().alone();
                nb::gil_scoped_release release;
                trainer.merge(all);
            },
            "changes"_a,
            "End an epoch by adding the changes of all workers, in the order of the workers.")
        .def(
            "contents",
            [](const T& trainer) {
                const auto reading = trainer.in_use().reading();
                return to_dict(trainer.contents());
            },
            "Everything that `restore` needs, as arrays by name: keys of information sets, "
            "regrets, sums of strategies, baselines.")
        .def(
            "restore",
            [](T& trainer, const ArrayDict& contents) {
                const auto alone = trainer.in_use().alone();
                trainer.restore(from_dict<Real>(contents));
            },
            "contents"_a, "Continue from what `contents` returned.")
        .def(
            "limit",
            [](T& trainer, std::size_t bytes) {
                const auto alone = trainer.in_use().alone();
                trainer.limit(bytes);
            },
            "bytes"_a, "Limit the memory to this many bytes; OutOfMemory is raised beyond it.")
        .def_prop_ro("epoch", &T::epoch, "Epochs done.")
        .def_prop_ro("nodes", &T::nodes, "Nodes visited.")
        .def_prop_ro(
            "infosets",
            [](const T& trainer) {
                const auto reading = trainer.in_use().reading();
                return trainer.infosets();
            },
            "Information sets met so far.")
        .def_prop_ro(
            "bytes",
            [](const T& trainer) {
                const auto reading = trainer.in_use().reading();
                return trainer.bytes();
            },
            "Memory in use.");
}

// Adds the trainer of compiled trees for one type of numbers to the module, as the class `name`.
template <class Real>
void bind_tree_trainer(nb::module_& module, const char* name) {
    using T = fogtree::TreeTrainer<Real>;
    nb::class_<T, Trainer<Real>>(module, name, "Monte Carlo CFR on a compiled tree.")
        .def(nb::init<const FlatTree&, const SamplingPlan&>(), "tree"_a, "plan"_a);
}

// Adds SimulatedGame, and functions for tests and hashes, to the module.
void bind_simulated_games(nb::module_& module) {
    using fogtree::SimulatedGame;
    nb::class_<SimulatedGame>(module, "SimulatedGame", "A game with a native simulator.")
        .def("trainer", &SimulatedGame::trainer, "plan"_a, "A new trainer of this game.")
        .def("histories", &SimulatedGame::histories, "most"_a,
             nb::call_guard<nb::gil_scoped_release>(), "Number of histories, counted up to `most`.")
        .def(
            "keys_of",
            [](const SimulatedGame& game, const FlatTree& tree) {
                return handed_over(game.keys_of(tree));
            },
            "tree"_a, "The key of every information set of a compiled tree of the same game.")
        .def("key_after", &SimulatedGame::key_after, "steps"_a,
             "The key of the mover's information set after these steps from the root, each the "
             "index of a child.");
    module.def("hash_table_trainer", &fogtree::hash_table_trainer, "tree"_a, "plan"_a,
               "A trainer of a compiled tree with the hash table of simulated games, for tests.");
    module.def(
        "extend_hash",
        [](const std::vector<std::int64_t>& numbers, std::uint64_t start) {
            for (const std::int64_t number : numbers) start = fogtree::extend_hash(start, number);
            return start;
        },
        "numbers"_a, "start"_a = 0,
        "The hash `start`, extended by the numbers one after the other.");
}

}  // namespace

// Adds everything of Monte Carlo CFR to the module.
void bind_sampling(nb::module_& module) {
    bind_plan(module);
    nb::class_<Stop>(module, "Stop",
                     "A request to end a run early, which drops the epoch in progress.")
        .def(nb::init<>())
        .def("request", &Stop::request, "Ask the run to stop, from any thread.")
        .def_prop_ro("requested", &Stop::requested, "Whether a stop was requested.");
    nb::exception<fogtree::OutOfMemory>(module, "OutOfMemory", PyExc_MemoryError);
    nb::exception<fogtree::KeyCollision>(module, "KeyCollision", PyExc_RuntimeError);
    bind_trainer<float>(module, "Trainer32");
    bind_trainer<double>(module, "Trainer64");
    bind_tree_trainer<float>(module, "TreeTrainer32");
    bind_tree_trainer<double>(module, "TreeTrainer64");
    bind_simulated_games(module);
    module.def(
        "expected_update",
        [](const FlatTree& tree, const SchemeOptions& options, int traverser, In<double> regret,
           In<double> average, In<double> baseline, int together) {
            auto out = fogtree::expectation(tree, options, traverser, copied(regret),
                                            copied(average), copied(baseline), together);
            ArrayDict dict;
            dict["regret"] = handed_over(std::move(out.regret));
            dict["average"] = handed_over(std::move(out.average));
            dict["walks"] = out.walks;
            dict["probability"] = out.probability;
            return dict;
        },
        "tree"_a, "options"_a, "traverser"_a, "regret"_a, "average"_a, "baseline"_a,
        "together"_a = 1,
        "The exact expected update of one traversal, or of `together` traversals at once, by "
        "enumerating all of them; for tests. Regrets give the strategy that is played.");
}
