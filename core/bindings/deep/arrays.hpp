// Shared by the bindings of deep learning: tables between NumPy and the core, lists of networks.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "bindings/arrays.hpp"
#include "deep/coded_inputs.hpp"
#include "deep/engine.hpp"

// Tables that Python passes in, and tables handed to Python.
template <class T>
using Table =
    nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using OutTable = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<2>>;

// A NumPy array of `width` columns that takes over the vector's memory, without a copy.
template <class T>
OutTable<T> table_of(std::vector<T>&& values, std::size_t width) {
    auto* kept = new std::vector<T>(std::move(values));
    nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    const std::size_t rows = width == 0 ? 0 : kept->size() / width;
    return OutTable<T>(kept->data(), {rows, width}, owner);
}

// The elements of a table as a vector, row after row.
template <class T>
std::vector<T> flat(const Table<T>& table) {
    return {table.data(), table.data() + table.size()};
}

using NetworkList = std::vector<std::shared_ptr<fogtree::deep::Network>>;

// The networks that Python passes: one per player (none: uniform play), and the value network.
inline fogtree::deep::Networks networks_of(const NetworkList& players,
                                           const std::shared_ptr<fogtree::deep::Network>& value) {
    for (const auto& network : players) {
        if (network == nullptr) throw std::invalid_argument("None is no network");
    }
    return {{players.begin(), players.end()}, value};
}

// For each network input: the byte of the code, its kind (Part), which of the byte's inputs it is
// (`argument`), and its scale.
inline auto input_columns(const fogtree::deep::CodedInputs& inputs) {
    std::vector<std::int32_t> source, argument;
    std::vector<std::uint8_t> kind;
    std::vector<float> scale;
    for (const fogtree::deep::CodePart& part : inputs.parts()) {
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

// Adds the class `name`, with the docstring `text`, of a game whose codes are laid out as
// CodedInputs; its method `columns` tells that layout. Returns the class, for further methods.
template <class Engine>
auto bind_coded_engine(nanobind::module_& module, const char* name, const char* text) {
    return nanobind::class_<Engine, fogtree::deep::Engine>(module, name, text)
        .def(
            "columns",
            [](const Engine& engine, bool history) {
                const auto& game = engine.game();
                return input_columns(history ? game.history_inputs() : game.inputs());
            },
            nanobind::arg("history") = false,
            "For each input of a policy network, or of a value network (history): the byte of the "
            "code, its kind (equal, bit, number, two bytes), argument and scale.");
}
