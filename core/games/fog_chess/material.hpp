// How much material a side may have: the pieces of the start, and one more for each pawn promoted.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "games/fog_chess/bitboard.hpp"
#include "games/fog_chess/position.hpp"

namespace fogtree::fog_chess {

inline constexpr Bitboard light_squares = 0x55aa55aa55aa55aaull;

// Kinds of pieces as the limits see them: bishops of either square colour are told apart.
enum MaterialKind { a_pawn, a_knight, a_light_bishop, a_dark_bishop, a_rook, a_queen, a_king };
inline constexpr int material_kinds = 7;

MaterialKind material_kind(Piece piece, int square);
Piece piece_of(MaterialKind kind);

// How many pieces of each kind a side has.
struct Material {
    std::uint8_t number[material_kinds] = {};

    int promotions() const;  // the least number of promotions that makes this possible
    bool possible(int most_promotions) const;
};

// All material that can be reached by adding pieces to what is known, and the steps between.
class MaterialGraph {
public:
    MaterialGraph(const Material& known, int most_promotions);

    static constexpr int none = -1;
    int size() const { return static_cast<int>(states_.size()); }
    const Material& state(int index) const { return states_[static_cast<std::size_t>(index)]; }
    // The state with one piece more, or none.
    int add(int index, int kind) const {
        return next_[static_cast<std::size_t>(index * material_kinds + kind)];
    }

private:
    int find_or_add(const Material& material);

    std::vector<Material> states_;
    std::vector<int> next_;
    std::unordered_map<std::uint64_t, int> index_;
};

}  // namespace fogtree::fog_chess
