// Static exchange evaluation: either side takes with its least valuable piece, or stops. Common to
// chess programs since the 1970s; there is no one paper.
// Deviations: pins do not matter here, and a king takes last and only where nothing takes back.
#include "games/nnue/exchange.hpp"

#include "games/fog_chess/attacks.hpp"
#include "games/fog_chess/kernel.hpp"
#include "games/fog_chess/step.hpp"

namespace fogtree::nnue {

using namespace fog_chess;

namespace {

// Finds the pieces of both sides that attack a square.
struct Attackers {
    const Position& position;
    int square;
    Bitboard diagonal;  // bishops and queens
    Bitboard straight;  // rooks and queens

    Attackers(const Position& where, int target)
        : position(where),
          square(target),
          diagonal(where.diagonal_sliders()),
          straight(where.straight_sliders()) {}

    // The pawns, knights and kings that attack the square.
    Bitboard steppers() const {
        const Bitboard target = bit(square);
        const Bitboard pawns = position.pawns();
        return (diagonals<black>(target) & pawns & position.white_pieces) |
               (diagonals<white>(target) & pawns & ~position.white_pieces) |
               (steps.knight[square] & position.knights()) |
               (steps.king[square] & position.kings());
    }
    // The sliders that attack the square, given the squares that are still occupied.
    Bitboard sliders(Bitboard occupied) const {
        Bitboard found = 0;
        if (diagonal & occupied) found |= kernel().bishop_attacks(square, occupied) & diagonal;
        if (straight & occupied) found |= kernel().rook_attacks(square, occupied) & straight;
        return found;
    }
};

// The square of the least valuable of some pieces, as a bitboard, 0 if there are none; `kind`
// receives its code.
Bitboard least(const Position& position, Bitboard pieces, Piece& kind) {
    const Bitboard kinds[6] = {position.pawns(), position.knights(), position.bishops(),
                               position.rooks(), position.queens(),  position.kings()};
    constexpr Piece codes[6] = {pawn, knight, bishop, rook, queen, king};
    for (int number = 0; number < 6; ++number) {
        const Bitboard found = pieces & kinds[number];
        if (!found) continue;
        kind = codes[number];
        return found & -found;
    }
    return 0;
}

}  // namespace

// Whether a capture and the exchange on its square win at least this much, if both sides always
// take with their least piece.
bool wins_at_least(const Position& position, Move move, int wanted) {
    const int from = from_square(move);
    const int to = to_square(move);
    const bool passing = kind_of(move) == take_en_passant;
    // How far the side that captures is ahead of what was wanted, if nothing takes back; from then
    // on in turn how far the side that captures next would be ahead.
    int balance = exchange_worth[passing ? pawn : position.at(to)] - wanted;
    if (balance < 0) return false;
    Piece standing = position.at(from);
    balance = exchange_worth[standing] - balance;
    if (balance <= 0) return true;

    const Attackers attackers(position, to);
    Bitboard occupied = (position.occupied() | bit(to)) & ~bit(from);
    if (passing) occupied &= ~bit(en_passant_victim(move));
    Color side = position.side;
    bool ahead = true;  // whether the first side wins enough if the exchange stops now
    while (true) {
        side = other(side);
        const Bitboard all = (attackers.steppers() | attackers.sliders(occupied)) & occupied;
        const Bitboard ours = all & position.of(side);
        Piece kind = no_piece;
        const Bitboard taker = least(position, ours, kind);
        if (!taker) return ahead;
        if (kind == king) return (all & position.of(other(side))) ? ahead : !ahead;
        ahead = !ahead;
        balance = exchange_worth[kind] - balance;
        if (balance < (ahead ? 1 : 0)) return ahead;
        occupied &= ~taker;
    }
}

}  // namespace fogtree::nnue
