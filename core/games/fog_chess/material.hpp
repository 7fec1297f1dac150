// How much material a side may have: the pieces of the start, where pawns may have been promoted.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "games/fog_chess/bitboard.hpp"
#include "games/fog_chess/position.hpp"

namespace fogtree::fog_chess {

inline constexpr Bitboard light_squares = 0x55aa55aa55aa55aaull;

// Kinds of pieces of which a side has a limited number: bishops on light and on dark squares are
// different kinds.
enum MaterialKind { a_pawn, a_knight, a_light_bishop, a_dark_bishop, a_rook, a_queen, a_king };
inline constexpr int material_kinds = 7;

// The kind of a piece on a square, and the piece of a kind.
MaterialKind material_kind(Piece piece, int square);
Piece piece_of(MaterialKind kind);

// How many pieces of each kind a side has.
struct Material {
    std::uint8_t number[material_kinds] = {};

    int promotions() const;  // the least number of promotions that makes this possible
    // Whether a side can have this with at most so many promotions.
    bool possible(int most_promotions) const;
};

// All possible material that includes the known pieces, as a graph: a state for each, state 0 the
// known pieces alone, and from each the states with one piece more.
class MaterialGraph {
public:
    MaterialGraph(const Material& known, int most_promotions);

    static constexpr int none = -1;
    int size() const { return static_cast<int>(states_.size()); }
    const Material& state(int index) const { return states_[static_cast<std::size_t>(index)]; }
    // The state with one piece of a kind more than state `index`; `none` if that is impossible.
    int add(int index, int kind) const {
        return next_[static_cast<std::size_t>(index * material_kinds + kind)];
    }

private:
    int find_or_add(const Material& material);

    std::vector<Material> states_;
    std::vector<int> next_;                         // see add()
    std::unordered_map<std::uint64_t, int> index_;  // states by their counts in one number
};

}  // namespace fogtree::fog_chess
