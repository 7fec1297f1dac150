// One position's children that agree with what a player saw: the inner loop of the belief.
//
// All positions of a belief give the player the same view, and that view depends only on what
// stands on the *sensitive* squares: those seen, those in front of own pawns and those pawns could
// capture on. So a move of the other side changes the view if and only if it touches one of them,
// takes a pawn en passant, or makes en passant possible. If the view did not change, every move
// that touches nothing survives unseen; if it did, only the others can have done it, and they must
// put right every seen square on which parent and new view disagree.
#pragma once

#include "moves.hpp"

namespace fogtree::fogchess {

template <class Sliders>
struct Expansion {
    FOGTREE_INLINE static Bitboard touched(Move move) {
        const Bitboard ends = bit(from_square(move)) | bit(to_square(move));
        if (kind_of(move) == castle) {
            const RookHop hop = rook_hop(to_square(move));
            return ends | bit(hop.from) | bit(hop.to);
        }
        return kind_of(move) == take_en_passant ? ends | bit(en_passant_victim(move)) : ends;
    }

    FOGTREE_INLINE static bool noticed(const Position& parent, Move move, Bitboard squares,
                                       Bitboard sensitive) {
        return (squares & sensitive) || en_passant_after(parent, move);
    }

    FOGTREE_INLINE static void keep(Candidate*& out, std::uint64_t key, std::uint32_t parent,
                                    Move move, const StepFilter& filter) {
        if (order(key, filter.seed) <= filter.threshold) *out++ = {key, parent, move, 0};
    }

    // The seen squares of the new view on which the parent disagrees with it.
    FOGTREE_INLINE static Bitboard disagreement(const Position& parent, const Observation& view) {
        return ((parent.plane[0] ^ view.plane[0]) | (parent.plane[1] ^ view.plane[1]) |
                (parent.plane[2] ^ view.plane[2]) | (parent.white_pieces ^ view.white_pieces)) &
               view.seen;
    }

    template <Color Them>
    FOGTREE_INLINE static int expand_of(const Position& parent, std::uint32_t index,
                                        const StepFilter& filter, SightRules rules,
                                        Candidate* candidates) {
        constexpr Color us = other(Them);
        Candidate* out = candidates;
        const Bitboard wrong = filter.unchanged ? 0 : disagreement(parent, filter.after);
        if (count(wrong) > 4) return 0;
        Move moves[max_moves];
        const int size = Hot<Sliders>::template generate_of<Them>(parent, moves);
        for (int number = 0; number < size; ++number) {
            const Move move = moves[number];
            const Bitboard squares = touched(move);
            if (noticed(parent, move, squares, filter.sensitive) == filter.unchanged) continue;
            if (filter.unchanged) {
                keep(out, child_key(parent, move), index, move, filter);
                continue;
            }
            if (wrong & ~squares || (squares & filter.own_before) != filter.own_lost) continue;
            const Position next = make(parent, move);
            const Sight sight = Hot<Sliders>::template sight_of<us>(next, rules);
            if (sight.seen == filter.after.seen && same_view(next, us, sight, filter.after))
                keep(out, next.key, index, move, filter);
        }
        return static_cast<int>(out - candidates);
    }

    FOGTREE_INLINE static bool same_view(const Position& position, Color player, const Sight& sight,
                                         const Observation& view) {
        const Observation made = observe(position, player, sight);
        return disagreement(position, view) == 0 && made.blocked == view.blocked &&
               made.castling == view.castling && made.en_passant == view.en_passant &&
               made.side == view.side;
    }

    static int expand(const Position& parent, std::uint32_t index, const StepFilter& filter,
                      SightRules rules, Candidate* candidates) {
        if (parent.king_captured()) return 0;
        return parent.side == white ? expand_of<white>(parent, index, filter, rules, candidates)
                                    : expand_of<black>(parent, index, filter, rules, candidates);
    }
};

template <class Sliders>
constexpr Kernel kernel_table(const char* name) {
    using Moves = Hot<Sliders>;
    return {name,
            Moves::generate,
            Moves::count_moves,
            Moves::sight,
            Moves::sensitive,
            Moves::perft,
            Moves::see,
            Expansion<Sliders>::expand,
            Moves::rook_attacks,
            Moves::bishop_attacks};
}

}  // namespace fogtree::fogchess
