#include "games/fog_chess/material.hpp"

#include <algorithm>

namespace fogtree::fog_chess {

namespace {

// Pieces of each kind at the start of the game.
constexpr int at_start[material_kinds] = {8, 2, 1, 1, 2, 1, 1};

// The counts of all kinds in one number, for a hash table.
std::uint64_t packed(const Material& material) {
    std::uint64_t word = 0;
    for (const std::uint8_t number : material.number) word = word << 8 | number;
    return word;
}

}  // namespace

// The kind of a piece on a square; bishops are distinguished by the colour of their square.
MaterialKind material_kind(Piece piece, int square) {
    switch (piece) {
        case pawn:
            return a_pawn;
        case knight:
            return a_knight;
        case bishop:
            return light_squares & bit(square) ? a_light_bishop : a_dark_bishop;
        case rook:
            return a_rook;
        case queen:
            return a_queen;
        default:
            return a_king;
    }
}

// The piece of a kind.
Piece piece_of(MaterialKind kind) {
    constexpr Piece pieces[material_kinds] = {pawn, knight, bishop, bishop, rook, queen, king};
    return pieces[kind];
}

// The least number of promoted pawns that explains this material.
int Material::promotions() const {
    int extra = 0;
    for (int kind = a_knight; kind <= a_queen; ++kind)
        extra += std::max(0, number[kind] - at_start[kind]);
    return extra;
}

// Whether a side can have this material with at most this many promotions.
bool Material::possible(int most_promotions) const {
    return number[a_king] <= 1 && number[a_pawn] <= 8 &&
           promotions() <= std::min(most_promotions, 8 - number[a_pawn]);
}

// All material that can be reached from what is known by adding pieces one by one. For state i and
// kind k, next_[i * material_kinds + k] is the state with one more, or `none`.
MaterialGraph::MaterialGraph(const Material& known, int most_promotions) {
    if (!known.possible(most_promotions)) return;
    find_or_add(known);
    for (int index = 0; index < size(); ++index)
        for (int kind = 0; kind < material_kinds; ++kind) {
            Material more = state(index);
            ++more.number[kind];
            const int target = more.possible(most_promotions) ? find_or_add(more) : none;
            next_.push_back(target);
        }
}

// The number of a state, which is added if it is new.
int MaterialGraph::find_or_add(const Material& material) {
    const auto [place, is_new] = index_.try_emplace(packed(material), size());
    if (is_new) states_.push_back(material);
    return place->second;
}

}  // namespace fogtree::fog_chess
