// Games, and what networks see of them.
#include <algorithm>

#include "../deep/cambia_engine.hpp"
#include "../deep/tree_engine.hpp"
#include "deep_arrays.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using fogtree::FlatTree;
using namespace fogtree::deep;

namespace {

template <class Expand>
OutTable<float> decoded(const Table<std::uint8_t>& codes, int bytes, int width, Expand&& expand) {
    if (codes.shape(1) != static_cast<std::size_t>(bytes)) {
        throw std::invalid_argument("codes of another width");
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

auto columns_of(const CambiaEngine& engine) {
    std::vector<std::int32_t> source, argument;
    std::vector<std::uint8_t> kind;
    std::vector<float> scale;
    for (const CodePart& part : engine.game().parts()) {
        for (int c = 0; c < part.width; ++c) {
            source.push_back(part.byte);
            kind.push_back(static_cast<std::uint8_t>(part.part));
            argument.push_back(c);
            scale.push_back(part.scale);
        }
    }
    return std::tuple(handed_over(std::move(source)), handed_over(std::move(kind)),
                      handed_over(std::move(argument)), handed_over(std::move(scale)));
}

// One step by its number: an action, a card, or who starts.
void replay_step(const CambiaGame& game, CambiaGame::State& state, int number) {
    auto& position = state.position;
    if (position.by_chance()) {
        if (position.phase == fogtree::cambia::Phase::starter) return position.start_with(number);
        if (position.stock_size == 0) CambiaGame::note_refill(state);
        for (int place = 0; place < position.pool_size(); ++place) {
            if (position.pool()[place] == number) return position.draw_at(game.rules(), place);
        }
        throw std::invalid_argument("not possible here");
    }
    std::vector<Action> legal(static_cast<std::size_t>(game.shape().most_actions));
    const int count = game.legal(state, legal.data());
    for (int a = 0; a < count; ++a) {
        if (legal[static_cast<std::size_t>(a)] == number) return game.step(state, a);
    }
    throw std::invalid_argument("not possible here");
}

CambiaGame::State replayed(const CambiaEngine& engine, const std::vector<int>& steps) {
    CambiaGame::State state = engine.game().root();
    for (const int step : steps) replay_step(engine.game(), state, step);
    return state;
}

Out<std::uint8_t> code_of(const CambiaEngine& engine, const std::vector<int>& steps, int viewer,
                          bool all_seeing) {
    if (viewer < 0 || viewer >= engine.shape().players)
        throw std::invalid_argument("no such player");
    const CambiaGame::State state = replayed(engine, steps);
    std::vector<std::uint8_t> code(static_cast<std::size_t>(engine.shape().code_bytes));
    if (all_seeing) {
        engine.game().encode_history(state, viewer, code.data());
    } else {
        engine.game().encode_for(state, viewer, code.data());
    }
    return handed_over(std::move(code));
}

using SparseArrays = std::tuple<In<std::int64_t>, In<std::uint16_t>, In<float>, int>;

InputTable inputs_of(const SparseArrays& arrays) {
    const auto& [first, index, value, width] = arrays;
    InputTable out;
    out.width = width;
    out.rows.first.assign(first.data(), first.data() + first.size());
    out.rows.index = copied<std::uint16_t>(index);
    out.rows.value = copied<float>(value);
    const bool fits = first.size() > 0 && index.size() == value.size() && first.data()[0] == 0 &&
                      out.rows.first.back() == index.size() &&
                      std::is_sorted(out.rows.first.begin(), out.rows.first.end()) &&
                      std::all_of(out.rows.index.begin(), out.rows.index.end(),
                                  [w = width](std::uint16_t column) { return column < w; });
    if (!fits) throw std::invalid_argument("a table does not fit");
    return out;
}

}  // namespace

void bind_deep_games(nb::module_& module) {
    const auto width = [](int Shape::* field) {
        return [field](const Engine& engine) { return engine.shape().*field; };
    };
    nb::class_<Engine>(module, "DeepGame")
        .def_prop_ro("players", width(&Shape::players))
        .def_prop_ro("action_count", width(&Shape::actions))
        .def_prop_ro("most_actions", width(&Shape::most_actions))
        .def_prop_ro("feature_count", width(&Shape::features))
        .def_prop_ro("code_bytes", width(&Shape::code_bytes))
        .def_prop_ro("history_feature_count", width(&Shape::history_features))
        .def_prop_ro("history_code_bytes", width(&Shape::history_code_bytes))
        .def(
            "decode",
            [](const Engine& e, const Table<std::uint8_t>& codes) {
                return decoded(codes, e.shape().code_bytes, e.shape().features,
                               [&](const std::uint8_t* c, SparseRows& r) { e.expand(c, r); });
            },
            "codes"_a, "The inputs that codes stand for.")
        .def(
            "decode_history",
            [](const Engine& e, const Table<std::uint8_t>& codes) {
                return decoded(
                    codes, e.shape().history_code_bytes, e.shape().history_features,
                    [&](const std::uint8_t* c, SparseRows& r) { e.expand_history(c, r); });
            },
            "codes"_a, "The value network's inputs that codes stand for.");
    nb::class_<CambiaEngine, Engine>(module, "DeepCambia")
        .def(nb::init<const fogtree::cambia::Rules&>(), "rules"_a)
        .def("columns", &columns_of,
             "For each input: its byte, its kind (equal, bit, number, two bytes), argument, scale.")
        .def("code", &code_of, "steps"_a, "viewer"_a, "all_seeing"_a,
             "What a player sees after these actions and outcomes of chance.");
    const auto history_of = [](const FlatTree& tree, const std::optional<Table<float>>& history) {
        return history ? InputTable::of_dense(flat<float>(*history), tree.nodes()) : InputTable{};
    };
    nb::class_<TreeEngine, Engine>(module, "DeepTree")
        .def(
            "__init__",
            [=](TreeEngine* self, const FlatTree& tree, const Table<float>& features,
                const In<std::int32_t>& actions, int action_count,
                const std::optional<Table<float>>& history) {
                auto inputs = InputTable::of_dense(flat<float>(features), tree.infosets());
                new (self) TreeEngine(tree, std::move(inputs), copied<std::int32_t>(actions),
                                      action_count, history_of(tree, history));
            },
            "tree"_a, "features"_a, "actions"_a, "action_count"_a, "history"_a = nb::none())
        .def(
            "__init__",
            [=](TreeEngine* self, const FlatTree& tree, const SparseArrays& features,
                const In<std::int32_t>& actions, int action_count,
                const std::optional<Table<float>>& history) {
                new (self) TreeEngine(tree, inputs_of(features), copied<std::int32_t>(actions),
                                      action_count, history_of(tree, history));
            },
            "tree"_a, "features"_a, "actions"_a, "action_count"_a, "history"_a = nb::none(),
            "Features without their zeros: where rows begin, columns, values, width.");
}
