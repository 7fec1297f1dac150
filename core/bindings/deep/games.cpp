// Games for deep learning, and the network inputs of their positions.
#include <algorithm>

#include "bindings/deep/arrays.hpp"
#include "deep/tree_engine.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using fogtree::FlatTree;
using namespace fogtree::deep;

namespace {

// The network inputs of codes, one row each: `expand(code, rows)` appends the nonzero inputs of one
// code. A code has `bytes` bytes, a row of inputs `width` columns.
template <class Expand>
OutTable<float> decode_rows(const Table<std::uint8_t>& codes, int bytes, int width,
                            Expand&& expand) {
    if (codes.shape(1) != static_cast<std::size_t>(bytes)) {
        throw std::invalid_argument("these codes have another number of bytes than the game's");
    }
    const auto columns = static_cast<std::size_t>(width);
    std::vector<float> out(codes.shape(0) * columns);
    {
        nb::gil_scoped_release release;
        SparseRows rows;
        for (std::size_t r = 0; r < codes.shape(0); ++r) {
            rows.clear();
            expand(codes.data() + r * codes.shape(1), rows);
            for (std::size_t k = 0; k < rows.index.size(); ++k) {
                out[r * columns + rows.index[k]] = rows.value[k];
            }
        }
    }
    return table_of(std::move(out), columns);
}

constexpr int kMostInputs = 65535;  // their indices have 16 bits

// A table of network inputs from a dense array, which must have this many rows.
InputTable dense_inputs(const Table<float>& table, std::size_t rows) {
    if (table.shape(0) != rows)
        throw std::invalid_argument("a table of network inputs has the wrong number of rows");
    return InputTable::of_dense(flat<float>(table), rows);
}

using SparseArrays = std::tuple<In<std::int64_t>, In<std::uint16_t>, In<float>, int>;

// A table of network inputs from the arrays of a SparseRows object in Python, which are checked.
InputTable inputs_of(const SparseArrays& arrays) {
    const auto& [first, index, value, width] = arrays;
    if (width < 1 || width > kMostInputs) throw std::invalid_argument("a table does not fit");
    InputTable out;
    out.width = width;
    out.rows.first.assign(first.data(), first.data() + first.size());
    out.rows.index = copied<std::uint16_t>(index);
    out.rows.value = copied<float>(value);
    const std::int64_t* end = first.data() + first.size();
    const bool fits = first.size() > 0 && index.size() == value.size() && first.data()[0] == 0 &&
                      end[-1] == static_cast<std::int64_t>(index.size()) &&
                      std::is_sorted(first.data(), end) &&
                      std::all_of(out.rows.index.begin(), out.rows.index.end(),
                                  [w = width](std::uint16_t column) { return column < w; });
    if (!fits) throw std::invalid_argument("a table does not fit");
    return out;
}

}  // namespace

// Adds DeepGame and DeepTree to the module.
void bind_deep_games(nb::module_& module) {
    const auto width = [](int Shape::* field) {
        return [field](const Engine& engine) { return engine.shape().*field; };
    };
    nb::class_<Engine>(module, "DeepGame", "A game whose positions are encoded for networks.")
        .def_prop_ro("players", width(&Shape::players), "Number of players.")
        .def_prop_ro("action_count", width(&Shape::actions),
                     "Number of actions of the whole game, which is that of a network's outputs.")
        .def_prop_ro("most_actions", width(&Shape::most_actions),
                     "Largest number of legal actions at one position.")
        .def_prop_ro("feature_count", width(&Shape::features),
                     "Number of inputs of a player's network.")
        .def_prop_ro("code_bytes", width(&Shape::code_bytes),
                     "Length of a position's code in bytes.")
        .def_prop_ro("history_feature_count", width(&Shape::history_features),
                     "Number of inputs of a value network; 0 if the game has none.")
        .def_prop_ro("history_code_bytes", width(&Shape::history_code_bytes),
                     "Length of a history's code in bytes.")
        .def(
            "decode",
            [](const Engine& e, const Table<std::uint8_t>& codes) {
                return decode_rows(codes, e.shape().code_bytes, e.shape().features,
                                   [&](const std::uint8_t* c, SparseRows& r) { e.expand(c, r); });
            },
            "codes"_a,
            "The inputs of a player's network from the codes of positions, one row each.")
        .def(
            "decode_history",
            [](const Engine& e, const Table<std::uint8_t>& codes) {
                return decode_rows(
                    codes, e.shape().history_code_bytes, e.shape().history_features,
                    [&](const std::uint8_t* c, SparseRows& r) { e.expand_history(c, r); });
            },
            "codes"_a, "The inputs of a value network from the codes of histories, one row each.");
    const auto history_of = [](const FlatTree& tree, const std::optional<Table<float>>& history) {
        return history ? dense_inputs(*history, tree.nodes()) : InputTable{};
    };
    nb::class_<TreeEngine, Engine>(module, "DeepTree", "A compiled tree for deep learning.")
        .def(
            "__init__",
            [=](TreeEngine* self, const FlatTree& tree, const Table<float>& features,
                const In<std::int32_t>& actions, int action_count,
                const std::optional<Table<float>>& history) {
                auto inputs = dense_inputs(features, tree.infosets());
                new (self) TreeEngine(tree, std::move(inputs), copied<std::int32_t>(actions),
                                      action_count, history_of(tree, history));
            },
            "tree"_a, "features"_a, "actions"_a, "action_count"_a, "history"_a = nb::none(),
            "features: a row of network inputs for each information set; actions: for each slot, "
            "the network output that stands for its action; action_count: number of outputs; "
            "history: a row of inputs for each node, for a value network.")
        .def(
            "__init__",
            [=](TreeEngine* self, const FlatTree& tree, const SparseArrays& features,
                const In<std::int32_t>& actions, int action_count,
                const std::optional<Table<float>>& history) {
                new (self) TreeEngine(tree, inputs_of(features), copied<std::int32_t>(actions),
                                      action_count, history_of(tree, history));
            },
            "tree"_a, "features"_a, "actions"_a, "action_count"_a, "history"_a = nb::none(),
            "The same with sparse features: where each row begins, columns, values, number of "
            "columns.");
}
