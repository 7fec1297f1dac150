// Making a move by copy, and a child's key without making it.
#pragma once

#include "games/fog_chess/attacks.hpp"
#include "games/fog_chess/position.hpp"

namespace fogtree::fog_chess {

// The square passed over by a double push, if an enemy pawn can take there, else 0.
FOGTREE_INLINE int en_passant_after(const Position& position, Move move) {
    if (kind_of(move) != double_push) return 0;
    const Bitboard takers =
        beside(bit(to_square(move))) & position.pawns() & position.of(other(position.side));
    return takers ? (from_square(move) + to_square(move)) / 2 : 0;
}

// The square of the pawn that a move captures en passant: the origin's rank (bits 3 to 5 of its
// number) and the target's file (bits 0 to 2).
FOGTREE_INLINE int en_passant_victim(Move move) {
    return (from_square(move) & 56) | (to_square(move) & 7);
}

// The key of the position after a move, without making the move.
FOGTREE_INLINE std::uint64_t child_key(const Position& position, Move move) {
    const int from = from_square(move);
    const int to = to_square(move);
    const MoveKind kind = kind_of(move);
    const Color us = position.side;
    const Color them = other(us);
    const Piece piece = position.at(from);
    const Piece landing = is_promotion(move) ? promoted(kind) : piece;
    const int left = position.castling & rights.kept[from] & rights.kept[to];
    std::uint64_t key = position.key ^ zobrist.piece[us][piece][from] ^
                        zobrist.piece[us][landing][to] ^ zobrist.piece[them][position.at(to)][to] ^
                        zobrist.castling[position.castling] ^ zobrist.castling[left] ^
                        zobrist.en_passant[position.en_passant] ^ zobrist.black_to_move;
    if (kind == plain) return key;
    if (kind == double_push) key ^= zobrist.en_passant[en_passant_after(position, move)];
    if (kind == take_en_passant) key ^= zobrist.piece[them][pawn][en_passant_victim(move)];
    if (kind == castle) {
        const RookHop hop = rook_hop(to);
        key ^= zobrist.piece[us][rook][hop.from] ^ zobrist.piece[us][rook][hop.to];
    }
    return key;
}

// The position after a pseudo-legal move. Without `Keyed` its key stays that of the parent, which
// saves time where nobody reads it.
template <bool Keyed = true>
FOGTREE_INLINE Position make(const Position& position, Move move) {
    const int from = from_square(move);
    const int to = to_square(move);
    const MoveKind kind = kind_of(move);
    const Color us = position.side;
    const Piece piece = position.at(from);
    const bool takes = (position.occupied() & bit(to)) != 0;

    Position next = position;
    if constexpr (Keyed) next.key = child_key(position, move);
    next.clear(bit(from) | bit(to));
    next.put(us, is_promotion(move) ? promoted(kind) : piece, bit(to));
    next.castling = position.castling & rights.kept[from] & rights.kept[to];
    next.en_passant = 0;
    next.repeats = 0;
    next.halfmove = piece == pawn || takes
                        ? 0
                        : static_cast<std::uint8_t>(position.halfmove + (position.halfmove < 255));
    next.side = other(us);
    next.fullmove =
        static_cast<std::uint16_t>(position.fullmove + (us == black && position.fullmove < 65535));
    if (kind == plain) return next;
    if (kind == double_push)
        next.en_passant = static_cast<std::uint8_t>(en_passant_after(position, move));
    if (kind == take_en_passant) next.clear(bit(en_passant_victim(move)));
    if (kind == castle) {
        const RookHop hop = rook_hop(to);
        next.clear(bit(hop.from));
        next.put(us, rook, bit(hop.to));
    }
    return next;
}

}  // namespace fogtree::fog_chess
