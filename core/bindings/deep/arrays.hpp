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
#include "deep/engine.hpp"

template <class T>
using Table =
    nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using OutTable = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<2>>;

template <class T>
OutTable<T> table_of(std::vector<T>&& values, std::size_t width) {
    auto* kept = new std::vector<T>(std::move(values));
    nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    const std::size_t rows = width == 0 ? 0 : kept->size() / width;
    return OutTable<T>(kept->data(), {rows, width}, owner);
}

template <class T>
std::vector<T> flat(const Table<T>& table) {
    return {table.data(), table.data() + table.size()};
}

using NetworkList = std::vector<std::shared_ptr<fogtree::deep::Network>>;

inline fogtree::deep::Networks networks_of(const NetworkList& players,
                                           const std::shared_ptr<fogtree::deep::Network>& value) {
    for (const auto& network : players) {
        if (network == nullptr) throw std::invalid_argument("None is no network");
    }
    return {{players.begin(), players.end()}, value};
}
