// A position in 48 bytes, and the move that leads from one to the next.
#pragma once

#include <cstdint>
#include <type_traits>

#include "games/fog_chess/bitboard.hpp"
#include "games/fog_chess/zobrist.hpp"

namespace fogtree::fog_chess {

// The codes are chosen so that every kind of piece, and each kind of slider together with the
// queen, is one or two operations on the three planes that hold the codes' bits.
enum Piece : std::uint8_t {
    no_piece = 0,
    pawn = 1,
    bishop = 2,
    knight = 3,
    rook = 4,
    king = 5,
    queen = 6
};

// Castling rights, one bit each.
enum Castling : std::uint8_t {
    white_short = 1,
    white_long = 2,
    black_short = 4,
    black_long = 8,
};

// A position. The three planes hold the bits of the pieces' codes.
struct Position {
    Bitboard plane[3];  // bit i of the piece's code
    Bitboard white_pieces;
    std::uint64_t key;        // the Zobrist key, see zobrist.hpp
    std::uint8_t castling;    // the rights that are left, bits of Castling
    std::uint8_t en_passant;  // the square passed over if it can be taken now, else 0
    std::uint8_t halfmove;    // plies since the last capture or pawn move, at most 255
    Color side;               // to move
    std::uint16_t fullmove;   // at most 65535
    std::uint8_t repeats;     // how often it occurred before, where that is counted; else 0
    std::uint8_t unused;

    FOGTREE_INLINE Bitboard occupied() const { return plane[0] | plane[1] | plane[2]; }
    // The squares of all pieces of a colour.
    FOGTREE_INLINE Bitboard of(Color color) const {
        return color == white ? white_pieces : occupied() & ~white_pieces;
    }
    // The squares of all pieces of a kind, of both colours.
    FOGTREE_INLINE Bitboard pawns() const { return plane[0] & ~(plane[1] | plane[2]); }
    FOGTREE_INLINE Bitboard knights() const { return plane[0] & plane[1]; }
    FOGTREE_INLINE Bitboard kings() const { return plane[0] & plane[2]; }
    FOGTREE_INLINE Bitboard queens() const { return plane[1] & plane[2]; }
    FOGTREE_INLINE Bitboard bishops() const { return plane[1] & ~(plane[0] | plane[2]); }
    FOGTREE_INLINE Bitboard rooks() const { return plane[2] & ~(plane[0] | plane[1]); }
    // Bishops and queens; rooks and queens.
    FOGTREE_INLINE Bitboard diagonal_sliders() const { return plane[1] & ~plane[0]; }
    FOGTREE_INLINE Bitboard straight_sliders() const { return plane[2] & ~plane[0]; }
    // The kind of piece on a square, whatever its colour; no_piece if it is empty.
    FOGTREE_INLINE Piece at(int square) const {
        return static_cast<Piece>((plane[0] >> square & 1) | (plane[1] >> square & 1) << 1 |
                                  (plane[2] >> square & 1) << 2);
    }
    FOGTREE_INLINE bool has_king(Color color) const { return (kings() & of(color)) != 0; }
    // Whether a king was captured: the game is over.
    FOGTREE_INLINE bool king_captured() const { return !has_king(white) || !has_king(black); }

    // Puts a piece on an empty square, given as a bitboard. Like clear(), it leaves the key as it
    // is.
    FOGTREE_INLINE void put(Color color, Piece piece, Bitboard square) {
        plane[0] |= piece & 1 ? square : 0;
        plane[1] |= piece & 2 ? square : 0;
        plane[2] |= piece & 4 ? square : 0;
        white_pieces |= color == white ? square : 0;
    }
    // Removes all pieces from these squares.
    FOGTREE_INLINE void clear(Bitboard squares) {
        plane[0] &= ~squares;
        plane[1] &= ~squares;
        plane[2] &= ~squares;
        white_pieces &= ~squares;
    }
};

static_assert(sizeof(Position) == 48 && std::is_trivially_copyable_v<Position>);

// The Zobrist key of a position, computed from all its pieces and rights. `Position::key` equals
// it, except in positions made without a key (see `make` in step.hpp).
std::uint64_t compute_key(const Position& position);
// Whether two positions are the same for a belief: in board, side to move, castling rights and en
// passant square; move counters and repeats do not matter.
bool same_position(const Position& one, const Position& two);

// The special kinds of moves. A move has 16 bits: 6 for the origin, 6 for the target, 4 for its
// kind.
enum MoveKind : std::uint8_t {
    plain = 0,
    double_push = 1,
    take_en_passant = 2,
    castle = 3,
    promote_knight = 4,
    promote_bishop = 5,
    promote_rook = 6,
    promote_queen = 7
};

using Move = std::uint16_t;
inline constexpr Move no_move = 0;
// Fifteen queens of at most 27 moves each and a king: no side with 16 pieces has more.
inline constexpr int max_moves = 512;

// A move from its parts, and the parts of a move.
FOGTREE_INLINE constexpr Move make_move(int from, int to, MoveKind kind) {
    return static_cast<Move>(from | to << 6 | kind << 12);
}
FOGTREE_INLINE constexpr int from_square(Move move) {
    return move & 63;
}
FOGTREE_INLINE constexpr int to_square(Move move) {
    return move >> 6 & 63;
}
FOGTREE_INLINE constexpr MoveKind kind_of(Move move) {
    return static_cast<MoveKind>(move >> 12);
}
FOGTREE_INLINE constexpr bool is_promotion(Move move) {
    return kind_of(move) >= promote_knight;
}
// The piece a pawn becomes: the kinds of promotion come in this order, from 4 on.
FOGTREE_INLINE constexpr Piece promoted(MoveKind kind) {
    constexpr Piece pieces[4] = {knight, bishop, rook, queen};
    return pieces[(kind - promote_knight) & 3];
}

// Where the rook stands before and after castling.
struct RookHop {
    int from;
    int to;
};
// The rook's squares when the king castles to `king_to`. Square numbers of the g-file (short
// castling) have the bit of value 4, those of the c-file (long castling) do not.
FOGTREE_INLINE constexpr RookHop rook_hop(int king_to) {
    return king_to & 4 ? RookHop{king_to + 1, king_to - 1} : RookHop{king_to - 2, king_to + 1};
}

// The castling rights that remain after a move from or to a square, as a mask: a move from
// or to the home square of a king or rook takes that piece's rights away.
FOGTREE_INLINE constexpr std::uint8_t castling_rights_kept(int square) {
    switch (square) {
        case 0:
            return 15 & ~white_long;
        case 4:
            return 15 & ~(white_short | white_long);
        case 7:
            return 15 & ~white_short;
        case 56:
            return 15 & ~black_long;
        case 60:
            return 15 & ~(black_short | black_long);
        case 63:
            return 15 & ~black_short;
        default:
            return 15;
    }
}

// The masks of castling_rights_kept by square.
struct RightsTable {
    std::uint8_t kept[64];
};
// Fills the table of masks.
constexpr RightsTable make_castling_rights() {
    RightsTable table{};
    for (int square = 0; square < 64; ++square) table.kept[square] = castling_rights_kept(square);
    return table;
}
inline constexpr RightsTable rights = make_castling_rights();

}  // namespace fogtree::fog_chess
