// How the numbers of an information set lie in a worker's table: rows with one number per action.
//
// Row 0 has the regrets, row 1 what was added to the average, others what the scheme needs besides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "sampling/path_entry.hpp"
#include "sampling/scheme.hpp"
#include "tree/flat_tree.hpp"

namespace fogtree {

// The number of rows of a scheme, and their lengths.
class TableLayout {
public:
    TableLayout(Scheme scheme, int players)
        : rows_(2 + extra_rows(scheme, players)), padded_(scheme == Scheme::outcome) {}

    std::size_t rows() const { return rows_; }
    // The length of a row of n actions; outcome sampling takes four numbers at a time.
    std::size_t row(std::size_t n) const { return padded_ ? (n + 3) / 4 * 4 : n; }
    // The length of all rows of an information set with n actions; one with a single action is not
    // stored.
    std::size_t entry(std::size_t n) const { return n > 1 ? rows_ * row(n) : 0; }

    // Where each information set's numbers begin in one array and, last, the array's length. Throws
    // std::invalid_argument for trees that cannot be sampled.
    std::vector<std::uint32_t> places(const FlatTree& tree) const {
        if (tree.players < 2) throw std::invalid_argument("sampling needs two players or more");
        std::vector<std::uint32_t> out{0};
        std::size_t at = 0;
        for (const std::int32_t count : tree.infoset_actions) {
            if (count > kMostActions) throw std::invalid_argument("more than 1,024 actions");
            at += entry(static_cast<std::size_t>(count));
            if (at > std::numeric_limits<std::uint32_t>::max()) {
                throw std::invalid_argument("a tree with too many actions");
            }
            out.push_back(static_cast<std::uint32_t>(at));
        }
        return out;
    }

private:
    // The rows that a scheme needs besides regrets and averages.
    static std::size_t extra_rows(Scheme scheme, int players) {
        if (scheme == Scheme::outcome_baseline) return static_cast<std::size_t>(players);
        if (scheme == Scheme::outcome) return kPathRows - 2;
        return scheme == Scheme::average || scheme == Scheme::chance ? 1 : 0;
    }

    std::size_t rows_;
    bool padded_;
};

}  // namespace fogtree
