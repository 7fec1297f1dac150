// Any game in Python as a game for deep learning: its states are walked through the protocol of
// `Game` and `State`; what players remember is encoded by fogtree.deep.history_encoding, once for
// every history of a player that is met.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bindings/protocol_game.hpp"
#include "deep/game_engine.hpp"
#include "deep/traversal.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fogtree {

namespace {

// How many memories are kept, and how many bytes their codes may take, here and in Python.
constexpr std::size_t kMostMemories = 100000, kMostCodeBytes = std::size_t{256} << 20;

// How the bytes of a code become inputs: each bit is one, or every four bytes are a number.
struct CodeForm {
    bool bits = true;

    void expand(const std::uint8_t* code, int features, int column, deep::SparseRows& rows) const {
        for (int f = 0; f < features; ++f) {
            if (bits) {
                if (code[f >> 3] == 0) {
                    f |= 7;
                } else if (code[f >> 3] >> (f & 7) & 1) {
                    rows.add(column + f, 1);
                }
                continue;
            }
            float number = 0;
            std::memcpy(&number, code + 4 * f, sizeof number);
            if (number != 0) rows.add(column + f, number);
        }
    }
};

// A game in Python whose positions are encoded for networks.
class EncodedProtocolGame {
public:
    // What a player remembers: Python's object, its code, and the actions with their output columns
    // once they are known.
    struct Memory {
        nb::object encoded;
        std::vector<std::uint8_t> code;
        mutable nb::object actions;
        mutable std::vector<deep::Action> columns;
    };
    // A state with the memories of all players; it does not change.
    struct Place {
        ProtocolGame::State inner;
        std::vector<std::shared_ptr<const Memory>> memories;
    };
    using State = std::shared_ptr<const Place>;

    EncodedProtocolGame(nb::object game, nb::object encoding, const deep::Shape& shape, bool bits)
        : game_(std::move(game), shape.players),
          encoding_(std::move(encoding)),
          shape_(shape),
          form_{bits},
          most_memories_(std::min(
              kMostMemories,
              kMostCodeBytes /
                  (2 * std::max<std::size_t>(static_cast<std::size_t>(shape.code_bytes), 1)))) {}

    ProtocolGame::Guard guard() const { return game_.guard(); }
    const deep::Shape& shape() const { return shape_; }

    // The first state; memories are looked up anew, so that none are kept for a whole run.
    State root() const {
        auto place = std::make_shared<Place>();
        place->inner = game_.root();
        for (std::size_t p = 0; p < place->inner->views.size(); ++p) {
            place->memories.push_back(
                after(place->inner->histories[p], nullptr, nb::none(), place->inner->views[p]));
        }
        return place;
    }

    int player(const State& state) const { return state->inner->player; }

    // The output columns of the legal actions, which Python finds once for an information set.
    int legal(const State& state, deep::Action* actions) const {
        const auto count = static_cast<std::size_t>(game_.actions(state->inner));
        const Memory& memory = *state->memories[static_cast<std::size_t>(player(state))];
        const nb::object& edges = state->inner->edges;
        if (!memory.actions.is_valid()) {
            std::vector<deep::Action> columns;
            for (const nb::handle column : encoding_.attr("column_list")(edges)) {
                columns.push_back(nb::cast<deep::Action>(column));
            }
            memory.columns = std::move(columns);
            memory.actions = edges;
        } else {
            check_same(memory.actions, edges);
        }
        std::copy(memory.columns.begin(), memory.columns.end(), actions);
        return static_cast<int>(count);
    }

    float payoff(const State& state, int player) const {
        return static_cast<float>(game_.payoff(state->inner, player));
    }

    void step(State& state, int number) const {
        const int mover = player(state);
        nb::object own = nb::none();
        if (mover >= 0) {
            game_.actions(state->inner);
            const nb::handle taken(PyTuple_GetItem(state->inner->edges.ptr(), number));
            own = nb::make_tuple(nb::borrow(taken));
        }
        ProtocolGame::State inner = state->inner;
        game_.step(inner, number);
        move(state, std::move(inner), mover, own);
    }

    template <class Source>
    void sample(State& state, Source& source) const {
        ProtocolGame::State inner = state->inner;
        game_.sample(inner, source);
        move(state, std::move(inner), kChance, nb::none());
    }

    void encode(const State& state, std::uint8_t* code) const {
        const auto& found = state->memories[static_cast<std::size_t>(player(state))]->code;
        std::copy(found.begin(), found.end(), code);
    }

    // What all players remember, whoever views it: networks know their own side.
    void encode_history(const State& state, int, std::uint8_t* code) const {
        for (const auto& memory : state->memories) {
            code = std::copy(memory->code.begin(), memory->code.end(), code);
        }
    }

    void expand(const std::uint8_t* code, deep::SparseRows& rows) const {
        form_.expand(code, shape_.features, 0, rows);
        rows.end_row();
    }

    void expand_history(const std::uint8_t* code, deep::SparseRows& rows) const {
        for (int p = 0; p < shape_.players; ++p) {
            form_.expand(code + p * shape_.code_bytes, shape_.features, p * shape_.features, rows);
        }
        rows.end_row();
    }

private:
    // Refuses actions that differ from those in another history of the same information set.
    void check_same(const nb::object& before, const nb::object& actions) const {
        const int equal = PyObject_RichCompareBool(before.ptr(), actions.ptr(), Py_EQ);
        if (equal < 0) throw nb::python_error();
        if (equal == 0) encoding_.attr("refuse_actions")(before, actions);
    }

    // Python's object for a player's memory with a copy of its code.
    Memory memory_of(nb::object encoded) const {
        const auto code = nb::cast<nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig>>(
            encoded.attr("code"));
        if (code.size() != static_cast<std::size_t>(shape_.code_bytes)) {
            throw std::invalid_argument("a code of another size");
        }
        return {std::move(encoded), {code.data(), code.data() + code.size()}, {}, {}};
    }

    // The memory with this hash, after an own action (a tuple, or None) and a view; `before` is
    // null at the root.
    std::shared_ptr<const Memory> after(std::uint64_t hash, const Memory* before,
                                        const nb::object& own, const nb::object& view) const {
        const auto known = memories_.find(hash);
        if (known != memories_.end()) return known->second;
        if (memories_.size() >= most_memories_) memories_.clear();
        const nb::object earlier = before ? before->encoded : encoding_.attr("nothing");
        auto found = std::make_shared<const Memory>(
            memory_of(encoding_.attr("extended")(earlier, own, view)));
        memories_.emplace(hash, found);
        return found;
    }

    // Moves on to another state of the game, with new memories where histories have changed.
    void move(State& state, ProtocolGame::State inner, int mover, const nb::object& own) const {
        auto place = std::make_shared<Place>();
        place->memories = state->memories;
        for (std::size_t p = 0; p < place->memories.size(); ++p) {
            const std::uint64_t hash = inner->histories[p];
            if (hash == state->inner->histories[p]) continue;
            place->memories[p] =
                after(hash, state->memories[p].get(),
                      static_cast<int>(p) == mover ? own : nb::object(nb::none()), inner->views[p]);
        }
        place->inner = std::move(inner);
        state = std::move(place);
    }

    ProtocolGame game_;
    nb::object encoding_;
    deep::Shape shape_;
    CodeForm form_;
    std::size_t most_memories_;
    mutable std::unordered_map<std::uint64_t, std::shared_ptr<const Memory>> memories_;
};

// Runs training walks of a game in Python, in one thread that holds the interpreter's lock.
class ProtocolEngine : public deep::Engine {
public:
    ProtocolEngine(nb::object game, nb::object encoding, const deep::Shape& shape, bool bits)
        : game_(std::move(game), std::move(encoding), shape, bits) {}

    const deep::Shape& shape() const override { return game_.shape(); }
    void expand(const std::uint8_t* code, deep::SparseRows& rows) const override {
        game_.expand(code, rows);
    }
    void expand_history(const std::uint8_t* code, deep::SparseRows& rows) const override {
        game_.expand_history(code, rows);
    }

    deep::CollectedSamples traverse(const deep::Options& options, const deep::Networks& networks,
                                    const deep::Task& task,
                                    Interruption& interruption) const override {
        deep::Task alone = task;
        alone.threads = 1;
        check(shape(), options, networks, alone);
        const auto guard = game_.guard();
        std::atomic<std::int64_t> next{0};
        std::vector<deep::SampleBatch> batches(1);
        {
            deep::TraversalThread<EncodedProtocolGame> thread(game_, options, networks, alone,
                                                              interruption, next);
            thread.run();
            batches[0] = std::move(thread.batch);
        }
        return deep::CollectedSamples(shape(), std::move(batches), task.traversals);
    }

    std::unique_ptr<deep::Session> begin(const deep::Options&, deep::ValueForm, const deep::Task&,
                                         int, int, const deep::Finish&) const override {
        throw std::invalid_argument("a game in Python has no sessions of walks");
    }

private:
    EncodedProtocolGame game_;
};

// The sizes of a game and its encoding, checked: columns are numbered in 16 bits, and a code has at
// most four bytes a column.
deep::Shape checked_shape(int players, int action_count, int most_actions, int feature_count,
                          int code_bytes) {
    constexpr int most_columns = 65535;
    const auto within = [](int value, int most) { return value >= 1 && value <= most; };
    if (!within(players, 32) || !within(action_count, most_columns) ||
        !within(most_actions, most_columns) || !within(feature_count, most_columns) ||
        !within(code_bytes, 4 * most_columns)) {
        throw std::invalid_argument("a size of the game's encoding is out of range");
    }
    return {players,
            action_count,
            most_actions,
            feature_count,
            code_bytes,
            players * feature_count,
            players * code_bytes};
}

}  // namespace

}  // namespace fogtree

void bind_protocol_deep(nb::module_& module) {
    using fogtree::ProtocolEngine;
    nb::class_<ProtocolEngine, fogtree::deep::Engine>(
        module, "DeepProtocolGame", "Any game for deep learning, walked through its protocol.")
        .def(
            "__init__",
            [](ProtocolEngine* self, nb::object game, nb::object encoding, int players,
               int action_count, int most_actions, int feature_count, int code_bytes, bool bits) {
                const fogtree::deep::Shape shape = fogtree::checked_shape(
                    players, action_count, most_actions, feature_count, code_bytes);
                new (self) ProtocolEngine(std::move(game), std::move(encoding), shape, bits);
            },
            nb::kw_only(), "game"_a, "encoding"_a, "players"_a, "action_count"_a, "most_actions"_a,
            "feature_count"_a, "code_bytes"_a, "bits"_a,
            "The encoding says what players remember: see fogtree.deep.history_encoding. Codes are "
            "bits, or numbers of four bytes.");
}
