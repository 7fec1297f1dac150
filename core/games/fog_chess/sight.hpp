// What a player sees: masks of squares, and the observation made of them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "games/fog_chess/position.hpp"

namespace fogtree::fog_chess {

// The rules of sight in which servers differ.
struct SightRules {
    bool mark_blocked = true;            // hidden pieces in front of own pawns are marked
    bool pawn_diagonals_always = false;  // else only where a pawn can capture
    bool show_en_passant_victim = true;  // a pawn that can be taken en passant is seen

    bool operator==(const SightRules&) const = default;
};

// What a player sees of the board.
struct Sight {
    Bitboard seen;     // own pieces and every square they could move to
    Bitboard blocked;  // squares in front of own pawns with an unknown piece
};

// One player's view of a position, 56 bytes without padding: equal views are equal byte for byte.
struct Observation {
    Bitboard seen;            // the squares that the player sees
    Bitboard plane[3];        // the planes of the position, where seen
    Bitboard white_pieces;    // where seen
    Bitboard blocked;         // see Sight::blocked
    std::uint8_t player;      // whose view it is
    std::uint8_t side;        // to move
    std::uint8_t castling;    // the player's own rights
    std::uint8_t en_passant;  // if the player can take there now, else 0
    std::uint32_t unused;

    bool operator==(const Observation& that) const;
};

static_assert(sizeof(Observation) == 56 && std::has_unique_object_representations_v<Observation>);

// Both castling rights of a colour, as bits.
FOGTREE_INLINE constexpr std::uint8_t own_rights(Color color) {
    return color == white ? white_short | white_long : black_short | black_long;
}

// The player's view of a position, given the squares that the player sees.
FOGTREE_INLINE Observation observe(const Position& position, Color player, const Sight& sight) {
    return {
        sight.seen,
        {position.plane[0] & sight.seen, position.plane[1] & sight.seen,
         position.plane[2] & sight.seen},
        position.white_pieces & sight.seen,
        sight.blocked,
        player,
        position.side,
        static_cast<std::uint8_t>(position.castling & own_rights(player)),
        position.side == player ? position.en_passant : std::uint8_t{0},
        0,
    };
}

// A hash of an observation, from which keys of information sets are made.
std::uint64_t hash(const Observation& observation);

}  // namespace fogtree::fog_chess
