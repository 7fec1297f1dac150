// The samples of traversals, as arrays.
#include <array>

#include "bindings/deep/arrays.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace fogtree::deep;

namespace {

// By kind of sample: its name in Python, and the name of the column that has its numbers.
constexpr std::array<const char*, kSampleKinds> kNames{"regret", "strategy", "value"};
constexpr std::array<const char*, kSampleKinds> kNumbers{"targets", "probabilities", "returns"};

// The kind of samples with this name in Python.
Kind kind_of(const std::string& name) {
    for (std::size_t k = 0; k < kSampleKinds; ++k) {
        if (name == kNames[k]) return static_cast<Kind>(k);
    }
    throw std::invalid_argument("no such kind of samples");
}

// A NumPy array of `width` columns that takes over the block's memory.
template <class T>
OutTable<T> table_of(Block<T>&& block, std::size_t width) {
    T* kept = block.data.release();
    nb::capsule owner(kept, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return OutTable<T>(kept, {width == 0 ? 0 : block.size / width, width}, owner);
}

// A NumPy array that takes over the block's memory.
template <class T>
Out<T> array_of(Block<T>&& block) {
    T* kept = block.data.release();
    nb::capsule owner(kept, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Out<T>(kept, {block.size}, owner);
}

// Puts the columns of `count` samples of one kind into `out`, under `prefix` and the column's name.
// `numbers` are the indices of the samples; nullptr means the first ones. Without a prefix the
// column of numbers is called "targets" for every kind.
void put_rows(nb::dict& out, const std::string& prefix, const CollectedSamples& samples, Kind kind,
              const std::int64_t* numbers, std::size_t count, int threads) {
    const auto key = [&](const char* part) { return nb::str((prefix + part).c_str()); };
    const char* numbers_key = prefix.empty() ? "targets" : kNumbers[static_cast<std::size_t>(kind)];
    if (kind == Kind::values) {
        ValueTable table;
        {
            nb::gil_scoped_release release;
            table = samples.values(numbers, count, threads);
        }
        out[key("codes")] = table_of(std::move(table.codes), samples.history_code_bytes());
        out[key("actions")] = array_of(std::move(table.actions));
        out[key("explored")] = array_of(std::move(table.explored));
        out[key(numbers_key)] = array_of(std::move(table.returns));
        return;
    }
    DecisionTable table;
    {
        nb::gil_scoped_release release;
        table = samples.decisions(kind, numbers, count, threads);
    }
    out[key("codes")] = table_of(std::move(table.codes), samples.code_bytes());
    out[key("actions")] = table_of(std::move(table.actions), samples.width());
    out[key(numbers_key)] = table_of(std::move(table.numbers), samples.width());
    out[key("weights")] = array_of(std::move(table.weights));
    out[key("players")] = array_of(std::move(table.players));
    out[key("steps")] = array_of(std::move(table.steps));
}

// The mean of the traversals' estimates of the game's value for the traverser.
double mean_value(const CollectedSamples& samples) {
    const auto count = static_cast<double>(samples.traversals());
    return count > 0 ? samples.counts().value / count : 0.0;
}

// Everything in the samples: counts, and the columns of all kinds of rows by name.
ArrayDict tables(const CollectedSamples& samples, int threads) {
    nb::dict out;
    const Counts& counts = samples.counts();
    out["nodes"] = counts.nodes;
    out["queries"] = counts.queries;
    out["traversals"] = samples.traversals();
    out["depth"] = counts.depth;
    out["value"] = mean_value(samples);
    for (std::size_t k = 0; k < kSampleKinds; ++k) {
        const auto kind = static_cast<Kind>(k);
        put_rows(out, std::string(kNames[k]) + "_", samples, kind, nullptr, samples.rows(kind),
                 threads);
    }
    return nb::borrow<ArrayDict>(out);
}

// The columns of some samples of one kind, by the samples' indices.
ArrayDict take(const CollectedSamples& samples, const std::string& kind,
               const In<std::int64_t>& numbers, int threads) {
    nb::dict out;
    put_rows(out, "", samples, kind_of(kind), numbers.data(), numbers.size(), threads);
    return nb::borrow<ArrayDict>(out);
}

}  // namespace

// Adds DeepSamples to the module.
void bind_deep_samples(nb::module_& module) {
    nb::class_<CollectedSamples>(module, "DeepSamples", "The samples of some traversals.")
        .def_prop_ro(
            "nodes", [](const CollectedSamples& s) { return s.counts().nodes; }, "Nodes visited.")
        .def_prop_ro(
            "queries", [](const CollectedSamples& s) { return s.counts().queries; },
            "Rows of inputs that the traversals asked a network about.")
        .def_prop_ro("traversals", &CollectedSamples::traversals, "Number of traversals.")
        .def_prop_ro(
            "depth", [](const CollectedSamples& s) { return s.counts().depth; },
            "Most decisions on one path from the root.")
        .def_prop_ro("value", &mean_value,
                     "The mean of the traversals' estimates of the game's value for the traverser.")
        .def(
            "count",
            [](const CollectedSamples& s, const std::string& kind) {
                return s.rows(kind_of(kind));
            },
            "kind"_a, "Number of rows kept of a kind: regret, strategy or value.")
        .def(
            "met",
            [](const CollectedSamples& s, const std::string& kind) { return s.met(kind_of(kind)); },
            "kind"_a, "Number of rows of a kind that the traversals produced, kept or not.")
        .def(
            "order",
            [](const CollectedSamples& s, const std::string& kind) {
                return array_of(s.order(kind_of(kind)));
            },
            "kind"_a, "For each kept row, its index among all rows of its kind, kept or not.")
        .def("take", &take, "kind"_a, "numbers"_a, "threads"_a = 1,
             "Some rows of a kind, by their indices among those kept, as arrays by column name.")
        .def(
            "players",
            [](const CollectedSamples& s, const std::string& kind) {
                return array_of(s.players(kind_of(kind)));
            },
            "kind"_a, "For each kept row of a kind, the player who decides.")
        .def(
            "explored", [](const CollectedSamples& s) { return array_of(s.explored()); },
            "For each value row, whether its action was chosen to explore.")
        .def("tables", &tables, "threads"_a = 1,
             "All rows of all kinds as arrays, and the counts, by name.");
}
