// Evaluators: the values of all children of a position in one call.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "games/fog_chess/evaluator.hpp"
#include "games/fog_chess/kernel.hpp"
#include "games/fog_chess/step.hpp"
#include "games/nnue/exchange.hpp"
#include "games/nnue/network_evaluator.hpp"
#include "games/nnue/own_network.hpp"
#include "games/nnue/stockfish_file.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace fogtree::fog_chess;
using fogtree::nnue::NetworkEvaluator;

namespace {

using Values = nb::ndarray<nb::numpy, float, nb::ndim<1>>;

// A NumPy array that takes over the vector's memory.
Values array_of(std::vector<float>&& numbers) {
    auto* kept = new std::vector<float>(std::move(numbers));
    nb::capsule owner(
        kept, [](void* pointer) noexcept { delete static_cast<std::vector<float>*>(pointer); });
    return Values(kept->data(), {kept->size()}, owner);
}

// Appends the values of a position's children.
void append_children(const Evaluator& evaluator, const Position& position,
                     const EvaluatorRules& rules, std::vector<float>& values) {
    Move moves[max_moves];
    const int count = kernel().generate(position, moves);
    const std::size_t before = values.size();
    values.resize(before + static_cast<std::size_t>(count));
    evaluator.children(position, moves, count, rules, values.data() + before);
}

// The values of a position's children, in the order of its moves.
Values children(const Evaluator& evaluator, const Position& position, const EvaluatorRules& rules) {
    std::vector<float> values;
    {
        nb::gil_scoped_release release;
        append_children(evaluator, position, rules, values);
    }
    return array_of(std::move(values));
}

// The values of the children after the moves with these numbers, in their order.
Values some_children(const Evaluator& evaluator, const Position& position,
                     const std::vector<std::size_t>& numbers, const EvaluatorRules& rules) {
    Move moves[max_moves];
    const auto count = static_cast<std::size_t>(kernel().generate(position, moves));
    std::vector<Move> chosen;
    if (numbers.size() > count) throw std::out_of_range("more numbers than the position has moves");
    for (const std::size_t number : numbers) {
        if (number >= count) throw std::out_of_range("the position has no move of this number");
        chosen.push_back(moves[number]);
    }
    std::vector<float> values(chosen.size());
    {
        nb::gil_scoped_release release;
        evaluator.children(position, chosen.data(), static_cast<int>(chosen.size()), rules,
                           values.data());
    }
    return array_of(std::move(values));
}

// The values of the children of many positions, one position after the other.
Values children_of_all(const Evaluator& evaluator, const std::vector<Position>& positions,
                       const EvaluatorRules& rules) {
    std::vector<float> values;
    {
        nb::gil_scoped_release release;
        for (const Position& position : positions)
            append_children(evaluator, position, rules, values);
    }
    return array_of(std::move(values));
}

// The values, for the side to move, of the children at which the game is over; NaN for the others.
Values ruled_children(const Position& position, const EvaluatorRules& rules) {
    Move moves[max_moves];
    const int count = kernel().generate(position, moves);
    std::vector<float> values(static_cast<std::size_t>(count),
                              std::numeric_limits<float>::quiet_NaN());
    for (int index = 0; index < count; ++index)
        ruled(make(position, moves[index]), rules, values.data() + index);
    return array_of(std::move(values));
}

// The moves that are searched before a value is taken: captures and promotions to a queen.
std::vector<Move> captures(const Position& position) {
    Move moves[max_moves];
    return {moves, moves + kernel().generate_captures(position, moves)};
}

// Whether a move and the recaptures on its square win at least `wanted` (static exchange
// evaluation); throws if the move is not legal. `wanted` is clamped so that sums do not overflow.
bool wins_at_least(const Position& position, Move move, int wanted) {
    constexpr int most = 1'000'000;
    Move moves[max_moves];
    const int count = kernel().generate(position, moves);
    if (std::find(moves, moves + count, move) == moves + count)
        throw std::invalid_argument("the move cannot be played here");
    return fogtree::nnue::wins_at_least(position, move, std::clamp(wanted, -most, most));
}

// The outputs of all stacks of a network: the piece-square part and the positional part of each.
std::vector<std::pair<int, int>> trace(const NetworkEvaluator& net, const Position& position) {
    std::vector<std::pair<int, int>> parts;
    for (const auto& output : net.trace(position))
        parts.emplace_back(output.psqt, output.positional);
    return parts;
}

// Any array that lies in memory row by row.
template <class Number>
using Stored = nb::ndarray<const Number, nb::c_contig, nb::device::cpu>;

// The elements of an array as a vector.
template <class Number>
std::vector<Number> numbers(const Stored<Number>& array) {
    return {array.data(), array.data() + array.size()};
}

// An evaluator by a network in fogtree's own format, from the arrays of its file.
std::unique_ptr<NetworkEvaluator> own_network(
    const std::string& description, float unit, bool mirrored, Stored<std::uint8_t> king_bucket,
    Stored<std::int16_t> bias, Stored<std::int16_t> weight, Stored<std::int32_t> psqt,
    Stored<std::int8_t> first_weight, Stored<std::int32_t> first_bias,
    Stored<std::int8_t> second_weight, Stored<std::int32_t> second_bias,
    Stored<std::int8_t> third_weight, Stored<std::int32_t> third_bias, bool quiescence) {
    const fogtree::nnue::NetworkArrays arrays{
        .king_bucket = numbers(king_bucket),
        .bias = numbers(bias),
        .weight = numbers(weight),
        .psqt = numbers(psqt),
        .first_weight = numbers(first_weight),
        .second_weight = numbers(second_weight),
        .third_weight = numbers(third_weight),
        .first_bias = numbers(first_bias),
        .second_bias = numbers(second_bias),
        .third_bias = numbers(third_bias),
    };
    return std::make_unique<NetworkEvaluator>(
        fogtree::nnue::own_network(description, unit, mirrored, arrays), quiescence);
}

// An evaluator that is a Python function: it is called for one position at a time, by any thread.
class PythonEvaluator : public Evaluator {
public:
    using Answer = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

    explicit PythonEvaluator(nb::callable ask) : ask_(std::move(ask)) {}

    // Asks the Python function for the values of all children, and checks them.
    void children(const Position& parent, const Move* /*moves*/, int count,
                  const EvaluatorRules& /*rules*/, float* values) const override {
        const nb::gil_scoped_acquire acquire;
        Answer answer;
        if (!nb::try_cast(ask_(parent), answer) || answer.size() != static_cast<std::size_t>(count))
            throw std::invalid_argument("an evaluator must give one number for every move");
        for (int index = 0; index < count; ++index)
            if (!std::isfinite(answer.data()[index]))
                throw std::invalid_argument("an evaluator's numbers must be finite");
        std::copy_n(answer.data(), count, values);
    }

private:
    nb::callable ask_;
};

}  // namespace

// Adds the evaluators of Fog-of-War chess, and functions to test them, to the module.
void bind_fog_chess_evaluators(nb::module_& module) {
    nb::class_<EvaluatorRules>(module, "FogChessEvaluatorRules",
                               "The rules that an evaluator needs to know.")
        .def(
            "__init__",
            [](EvaluatorRules* self, SightRules sight, float stalemate) {
                if (!(stalemate >= -1 && stalemate <= 1))
                    throw std::invalid_argument("the value of stalemate must be -1 to 1");
                new (self) EvaluatorRules{sight, stalemate};
            },
            "sight"_a, "stalemate"_a);
    nb::class_<Evaluator>(module, "FogChessEvaluator", "Estimates the values of positions.")
        .def("children", &children, "position"_a, "rules"_a,
             "The value of every child for the side to move in `position`, in the order of its "
             "moves.")
        .def("some_children", &some_children, "position"_a, "numbers"_a, "rules"_a,
             "The values of the children after the moves with these numbers, for the side to move; "
             "IndexError if the position has no such move, or for more numbers than moves.")
        .def("children_of_all", &children_of_all, "positions"_a, "rules"_a,
             "The values of the children of many positions, one after the other.");
    nb::class_<PythonEvaluator, Evaluator>(module, "FogChessPythonEvaluator",
                                           "An evaluator that calls a Python function.")
        .def(nb::init<nb::typed<nb::callable, Values(Position)>>(), "ask"_a,
             "The function returns the values of a position's children, as `children` does.");
    nb::class_<SimpleEvaluator, Evaluator>(module, "FogChessSimpleEvaluator",
                                           "An evaluator that counts material and visible squares.")
        .def(nb::init<>());
    nb::class_<NetworkEvaluator, Evaluator>(module, "FogChessNetwork",
                                            "An evaluator by an efficiently updatable network.")
        .def_static(
            "read_stockfish",
            [](const nb::bytes& path, bool quiescence) {
                const std::string name(path.c_str(), path.size());
                if (name.find('\0') != std::string::npos)
                    throw std::invalid_argument("a file's name has no zero byte");
                nb::gil_scoped_release release;
                return std::make_unique<NetworkEvaluator>(fogtree::nnue::read_stockfish_file(name),
                                                          quiescence);
            },
            "path"_a, "quiescence"_a, "Read a network file of Stockfish.")
        .def_static("of", &own_network, "description"_a, "unit"_a, "mirrored"_a, "king_bucket"_a,
                    "bias"_a, "weight"_a, "psqt"_a, "first_weight"_a, "first_bias"_a,
                    "second_weight"_a, "second_bias"_a, "third_weight"_a, "third_bias"_a,
                    "quiescence"_a,
                    "A network of this package's own format, from the arrays of its file.")
        .def_prop_ro(
            "description", [](const NetworkEvaluator& self) { return self.network().description; },
            "The description in the network's file.")
        .def_prop_ro(
            "unit", [](const NetworkEvaluator& self) { return self.network().unit; },
            "The network's value that stands for tanh(1): a value is tanh(network's value / unit).")
        .def("evaluate", &NetworkEvaluator::evaluate, "position"_a,
             "The value for the side to move, in the network's units.")
        .def("trace", &trace, "position"_a,
             "The output of each layer stack: (piece-square part, positional part).")
        .def(
            "choose",
            [](NetworkEvaluator& self, const std::string& name) {
                if (!self.choose(name.c_str()))
                    throw std::invalid_argument("no inference '" + name + "' on this processor");
            },
            "name"_a, "Select the inference code by its name in fog_chess_inferences.");
    module.def("fog_chess_ruled_children", &ruled_children, "position"_a, "rules"_a,
               "The values of the children at which the game is over, for the side to move; others "
               "are NaN.");
    module.def(
        "fog_chess_inferences",
        [] {
            std::vector<std::string> names;
            for (const char* name : {"avx512", "avx2", "portable"})
                if (fogtree::nnue::find_inference(name)) names.emplace_back(name);
            return names;
        },
        "The ways to compute a network that this processor supports, the fastest first.");
    module.def("fog_chess_captures", &captures, "position"_a,
               "All captures, and promotions to a queen, in the order of the position's moves.");
    module.def("fog_chess_wins_at_least", &wins_at_least, "position"_a, "move"_a, "wanted"_a,
               "Whether a capture and the recaptures on its square win at least this much; a pawn "
               "is 361.");
    module.def("fog_chess_squashed", &squashed, "centipawns"_a,
               "A value in hundredths of a pawn, mapped to between -1 and 1.");
}
