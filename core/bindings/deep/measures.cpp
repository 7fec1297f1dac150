// Measures of strategies: regrets by traversals, and exact expectations on a compiled tree.
#include <algorithm>
#include <chrono>

#include "bindings/deep/arrays.hpp"
#include "deep/tree_engine.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace fogtree::deep;

namespace {

ArrayDict expectation(const TreeEngine& engine, const Options& options, const NetworkList& players,
                      const std::shared_ptr<Network>& value, int traverser) {
    auto found = engine.expectation(options, networks_of(players, value), traverser);
    nb::dict out;
    out["regret"] = handed_over(std::move(found.regret));
    out["strategy"] = handed_over(std::move(found.strategy));
    out["visits"] = handed_over(std::move(found.visits));
    out["value"] = found.value;
    out["probability"] = found.probability;
    out["walks"] = found.walks;
    return nb::borrow<ArrayDict>(out);
}

// How good the strategies are, by traversals that learn nothing.
struct Validation {
    double mean_regret = 0;  // of a decision: its largest instantaneous regret
    double max_regret = 0;
    double strategy_entropy = 0;  // mean, in nats
    std::int64_t traversals = 0;
    int depth = 0;
    double elapsed_seconds = 0;
    std::int64_t total_nodes = 0;
};

Validation validate(const Engine& engine, const NetworkList& players,
                    const std::shared_ptr<Network>& value, std::int64_t traversals, int depth,
                    std::uint64_t seed, int threads, bool uniform_fallback, bool softmax) {
    nb::gil_scoped_release release;
    const auto start = std::chrono::steady_clock::now();
    Options options{Method::external, 0, 1, depth, uniform_fallback, softmax ? ~0u : 0u, true};
    Counts sums;
    const int count = engine.shape().players;
    for (int p = 0; p < count; ++p) {
        const std::int64_t share = traversals / count + (p < traversals % count);
        const Task task{p, share, 0, seed, threads};
        sums.append(engine.traverse(options, networks_of(players, value), task).counts());
    }
    const Summary& summary = sums.summary;
    const auto decisions = static_cast<double>(std::max<std::int64_t>(summary.decisions, 1));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    return {summary.regret / decisions,
            summary.regret_most,
            summary.entropy / decisions,
            traversals,
            depth,
            elapsed.count(),
            sums.nodes};
}

}  // namespace

void bind_deep_measures(nb::module_& module) {
    nb::class_<Validation>(module, "DeepValidation",
                           "Mean regret and entropy of strategies, by traversals.")
        .def_ro("mean_regret", &Validation::mean_regret,
                "Mean over decisions of the largest regret.")
        .def_ro("max_regret", &Validation::max_regret, "The largest regret of any decision.")
        .def_ro("strategy_entropy", &Validation::strategy_entropy, "Mean entropy in nats.")
        .def_ro("traversals", &Validation::traversals, "Number of traversals.")
        .def_ro("depth", &Validation::depth, "Depth down to which regrets are exact.")
        .def_ro("elapsed_seconds", &Validation::elapsed_seconds, "Duration in seconds.")
        .def_ro("total_nodes", &Validation::total_nodes, "Nodes visited.");
    module.def("deep_validate", &validate, "game"_a, "networks"_a, "value"_a.none(), "traversals"_a,
               "depth"_a, "seed"_a, "threads"_a = 1, nb::kw_only(), "uniform_fallback"_a = false,
               "softmax"_a = false,
               "Measure regrets by external traversals of every player, exact down to a depth.");
    module.def("deep_expectation", &expectation, "game"_a, "options"_a, "networks"_a,
               "value"_a.none(), "traverser"_a,
               "The exact expectation of a traversal's samples, by enumeration.");
}
