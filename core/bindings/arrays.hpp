// Arrays between NumPy and std::vector.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <utility>
#include <vector>

// An array that Python passes in, an array handed to Python, and a dictionary of arrays by name.
template <class T>
using In = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using Out = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>;
using ArrayDict = nanobind::typed<nanobind::dict, nanobind::str, nanobind::any>;

// The elements of a NumPy array as a vector.
template <class T>
std::vector<T> copied(const In<T>& array) {
    return {array.data(), array.data() + array.size()};
}

// A NumPy array that takes over the vector's memory, without a copy.
template <class T>
Out<T> handed_over(std::vector<T>&& values) {
    auto* kept = new std::vector<T>(std::move(values));
    nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Out<T>(kept->data(), {kept->size()}, owner);
}
