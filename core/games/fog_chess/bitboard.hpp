// Sets of squares as 64-bit words: a1 is bit 0, h1 bit 7, h8 bit 63.
//
// Everything here is forced inline: these functions are compiled into kernels for different
// processors, and no copy of one may be shared with another by the linker.
#pragma once

#include <cstdint>

#define FOGTREE_INLINE [[gnu::always_inline]] inline

namespace fogtree::fog_chess {

using Bitboard = std::uint64_t;

enum Color : std::uint8_t { white = 0, black = 1 };

FOGTREE_INLINE constexpr Color other(Color color) {
    return color == white ? black : white;
}

inline constexpr Bitboard file_a = 0x0101010101010101ull;
inline constexpr Bitboard file_h = file_a << 7;
inline constexpr Bitboard rank_1 = 0xffull;

// The set of one square.
FOGTREE_INLINE constexpr Bitboard bit(int square) {
    return Bitboard{1} << square;
}
// The squares of a rank, numbered from 0: rank(0) is the first rank.
FOGTREE_INLINE constexpr Bitboard rank(int number) {
    return rank_1 << (8 * number);
}
// The number of squares in a set.
FOGTREE_INLINE int count(Bitboard squares) {
    return __builtin_popcountll(squares);
}
// The lowest square of a set that is not empty.
FOGTREE_INLINE int first(Bitboard squares) {
    return __builtin_ctzll(squares);
}
// Removes the first square of a set and returns it.
FOGTREE_INLINE int take_first(Bitboard& squares) {
    const int square = first(squares);
    squares &= squares - 1;
    return square;
}

// All squares moved one step towards the other side's home rank, as pawns of colour Us move.
template <Color Us>
FOGTREE_INLINE constexpr Bitboard forward(Bitboard squares) {
    return Us == white ? squares << 8 : squares >> 8;
}
// All squares moved one step forward and one towards the a-file; those that would leave the board
// are dropped.
template <Color Us>
FOGTREE_INLINE constexpr Bitboard forward_a(Bitboard squares) {
    return Us == white ? (squares & ~file_a) << 7 : (squares & ~file_a) >> 9;
}
// As forward_a, towards the h-file.
template <Color Us>
FOGTREE_INLINE constexpr Bitboard forward_h(Bitboard squares) {
    return Us == white ? (squares & ~file_h) << 9 : (squares & ~file_h) >> 7;
}
// The squares that pawns of colour Us attack.
template <Color Us>
FOGTREE_INLINE constexpr Bitboard diagonals(Bitboard pawns) {
    return forward_a<Us>(pawns) | forward_h<Us>(pawns);
}
// The neighbours of these squares on the same rank.
FOGTREE_INLINE constexpr Bitboard beside(Bitboard squares) {
    return (squares & ~file_a) >> 1 | (squares & ~file_h) << 1;
}

}  // namespace fogtree::fog_chess
