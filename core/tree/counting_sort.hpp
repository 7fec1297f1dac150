// A stable sort by small whole numbers, in time proportional to the items and the numbers.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace fogtree {

// Sorts `items` by `key(item)`, a number from 0 to keys - 1; items with equal keys keep their
// order. A sort by several keys is one sort by each, the most important one last. `spare` is memory
// for the items, whose contents are lost; it may be passed again to later sorts.
template <class Item, class Key>
void counting_sort(std::vector<Item>& items, std::vector<Item>& spare, std::size_t keys,
                   Key&& key) {
    std::vector<std::size_t> place(keys + 1, 0);
    for (const Item& item : items) ++place[static_cast<std::size_t>(key(item)) + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    spare.resize(items.size());
    for (const Item& item : items) spare[place[static_cast<std::size_t>(key(item))]++] = item;
    items.swap(spare);
}

}  // namespace fogtree
