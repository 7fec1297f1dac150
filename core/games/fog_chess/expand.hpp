// One position's children that agree with what a player saw: the inner loop of the belief.
//
// All positions of a belief give the player the same view, and that view depends only on what
// stands on the *sensitive* squares: those seen, those in front of own pawns and those pawns could
// capture on. So a move of the other side changes the view if and only if it touches one of them,
// takes a pawn en passant, or makes en passant possible. If the view did not change, the children
// are those of all moves that touch no sensitive square. If it did, they are those of other moves,
// which must change every seen square on which the parent and the new view disagree.
#pragma once

#include "games/fog_chess/moves.hpp"

namespace fogtree::fog_chess {

// The functions that find a position's consistent children, for one kind of slider lookup.
template <class Sliders>
struct Expansion {
    // The squares whose contents a move changes.
    FOGTREE_INLINE static Bitboard touched(Move move) {
        const Bitboard ends = bit(from_square(move)) | bit(to_square(move));
        if (kind_of(move) == castle) {
            const RookHop hop = rook_hop(to_square(move));
            return ends | bit(hop.from) | bit(hop.to);
        }
        return kind_of(move) == take_en_passant ? ends | bit(en_passant_victim(move)) : ends;
    }

    // Whether the viewer notices a move that changes these squares: one of them is sensitive, or
    // the move makes en passant possible.
    FOGTREE_INLINE static bool noticed(const Position& parent, Move move, Bitboard squares,
                                       Bitboard sensitive) {
        return (squares & sensitive) || en_passant_after(parent, move);
    }

    // Writes candidates whose place in the random order is at most a threshold.
    struct CandidateFilter {
        Candidate* out;
        std::uint64_t multiplier;
        std::uint64_t threshold;

        // Writes a candidate, and moves on only if it is kept; else the next one overwrites it.
        FOGTREE_INLINE void keep(std::uint64_t key, std::uint32_t parent, Move move) {
            *out = {key, parent, move, 0};
            out += order(key, multiplier) <= threshold;  // a branch here would be a coin toss
        }
    };

    // The seen squares of a view on which a position has something else.
    FOGTREE_INLINE static Bitboard disagreement(const Position& parent, const Observation& view) {
        return ((parent.plane[0] ^ view.plane[0]) | (parent.plane[1] ^ view.plane[1]) |
                (parent.plane[2] ^ view.plane[2]) | (parent.white_pieces ^ view.white_pieces)) &
               view.seen;
    }

    // Keeps the moves of side `Them` that the viewer does not notice, except castling. They capture
    // nothing, since all of the viewer's pieces stand on sensitive squares, so that the key of a
    // child differs from the parent's only by the piece that moved.
    template <Color Them>
    struct Unnoticed {
        const Position& parent;
        std::uint32_t index;       // of the parent in the belief
        Bitboard free;             // squares neither occupied nor sensitive
        std::uint64_t passed_key;  // the parent's, with the other side to move and no en passant
        CandidateFilter& kept;     // receives the moves

        // Keeps the moves of a piece from a square to the free ones of `targets`; castling rights
        // may be lost.
        FOGTREE_INLINE void add(Piece piece, int from, Bitboard targets) {
            const int left = parent.castling & rights.kept[from];
            const std::uint64_t key = passed_key ^ zobrist.piece[Them][piece][from] ^
                                      zobrist.castling[parent.castling] ^ zobrist.castling[left];
            for (targets &= free; targets;) {
                const int to = take_first(targets);
                kept.keep(key ^ zobrist.piece[Them][piece][to], index, make_move(from, to, plain));
            }
        }
        // Keeps the moves of all `movable` pieces but pawns.
        FOGTREE_INLINE void add_pieces(Bitboard movable, Bitboard occupied) {
            for (Bitboard pieces = parent.knights() & movable; pieces;) {
                const int from = take_first(pieces);
                add(knight, from, steps.knight[from]);
            }
            for (Bitboard pieces = parent.diagonal_sliders() & movable; pieces;) {
                const int from = take_first(pieces);
                const Piece piece = parent.plane[2] & bit(from) ? queen : bishop;
                add(piece, from, Sliders::bishop(from, occupied));
            }
            for (Bitboard pieces = parent.straight_sliders() & movable; pieces;) {
                const int from = take_first(pieces);
                const Piece piece = parent.plane[1] & bit(from) ? queen : rook;
                add(piece, from, Sliders::rook(from, occupied));
            }
            for (Bitboard pieces = parent.kings() & movable; pieces;) {
                const int from = take_first(pieces);
                add(king, from, steps.king[from]);
            }
        }
        // Keeps a pawn's move; `landing` is the piece that then stands on `to`: a pawn, or what it
        // was promoted to.
        FOGTREE_INLINE void add_pawn(int from, int to, MoveKind kind, Piece landing) {
            kept.keep(
                passed_key ^ zobrist.piece[Them][pawn][from] ^ zobrist.piece[Them][landing][to],
                index, make_move(from, to, kind));
        }
        // Keeps the pushes of `pawns`. A double push to a square beside a pawn of the viewer is
        // left out: it would be noticed, since the pawn can be taken en passant.
        FOGTREE_INLINE void add_pawn_pushes(Bitboard pawns, Bitboard occupied) {
            constexpr int up = Them == white ? 8 : -8;
            constexpr Bitboard last = rank(Them == white ? 7 : 0);
            const Bitboard once = forward<Them>(pawns) & ~occupied;
            const Bitboard takers = parent.pawns() & parent.of(other(Them));
            Bitboard twice = forward<Them>(once & rank(Them == white ? 2 : 5)) & free;
            for (twice &= ~beside(takers); twice;) {
                const int to = take_first(twice);
                add_pawn(to - 2 * up, to, double_push, pawn);
            }
            for (Bitboard targets = once & free & ~last; targets;) {
                const int to = take_first(targets);
                add_pawn(to - up, to, plain, pawn);
            }
            for (Bitboard targets = once & free & last; targets;) {
                const int to = take_first(targets);
                for (int kind = promote_knight; kind <= promote_queen; ++kind)
                    add_pawn(to - up, to, static_cast<MoveKind>(kind),
                             promoted(static_cast<MoveKind>(kind)));
            }
        }
    };

    // Keeps the moves of the other side that change nothing the viewer sees.
    template <Color Them>
    FOGTREE_INLINE static void expand_unnoticed(const Position& parent, std::uint32_t index,
                                                const StepFilter& filter, CandidateFilter& kept) {
        const Bitboard occupied = parent.occupied();
        const Bitboard own = parent.of(Them);
        const Bitboard movable = own & ~filter.sensitive;
        Unnoticed<Them> moves{
            parent, index, ~(occupied | filter.sensitive),
            parent.key ^ zobrist.en_passant[parent.en_passant] ^ zobrist.black_to_move, kept};
        moves.add_pieces(movable, occupied);
        moves.add_pawn_pushes(parent.pawns() & movable, occupied);
        Move castling[2];
        Move* end = castling;
        Hot<Sliders>::template add_castling<Them>(end, parent, occupied);
        for (const Move* move = castling; move != end; ++move)
            if (!(touched(*move) & filter.sensitive))
                kept.keep(child_key(parent, *move), index, *move);
    }

    // Keeps the moves of the other side after which the viewer has the new view, which differs from
    // the old one.
    template <Color Them>
    FOGTREE_INLINE static void expand_noticed(const Position& parent, std::uint32_t index,
                                              const StepFilter& filter, SightRules rules,
                                              CandidateFilter& kept) {
        constexpr Color us = other(Them);
        const Bitboard wrong = disagreement(parent, filter.after);
        if (count(wrong) > 4) return;  // no move changes more squares than castling: four
        Move moves[max_moves];
        const int size = Hot<Sliders>::template generate_of<Them>(parent, moves);
        for (int number = 0; number < size; ++number) {
            const Move move = moves[number];
            const Bitboard squares = touched(move);
            if (wrong & ~squares || (squares & filter.own_before) != filter.own_lost) continue;
            if (!noticed(parent, move, squares, filter.sensitive)) continue;
            const Position next = make(parent, move);
            const Sight sight = Hot<Sliders>::template sight_of<us>(next, rules);
            if (sight.seen == filter.after.seen && same_view(next, us, sight, filter.after))
                kept.keep(next.key, index, move);
        }
    }

    // Adds the consistent children of a position to `kept`. `Them`, the side to move, is a template
    // parameter for speed.
    template <Color Them>
    FOGTREE_INLINE static void expand_of(const Position& parent, std::uint32_t index,
                                         const StepFilter& filter, SightRules rules,
                                         CandidateFilter& kept) {
        if (filter.unchanged)
            expand_unnoticed<Them>(parent, index, filter, kept);
        else
            expand_noticed<Them>(parent, index, filter, rules, kept);
    }

    // Whether a position gives the player this view, if the squares seen are the same, which the
    // caller compares.
    FOGTREE_INLINE static bool same_view(const Position& position, Color player, const Sight& sight,
                                         const Observation& view) {
        const Observation made = observe(position, player, sight);
        return disagreement(position, view) == 0 && made.blocked == view.blocked &&
               made.castling == view.castling && made.en_passant == view.en_passant &&
               made.side == view.side;
    }

    // Writes the children of a position that fit the filter and come no later than the threshold in
    // the random order as candidates; returns how many. `index`: the position's in the belief.
    static int expand(const Position& parent, std::uint32_t index, const StepFilter& filter,
                      std::uint64_t multiplier, std::uint64_t threshold, SightRules rules,
                      Candidate* candidates) {
        CandidateFilter kept{candidates, multiplier, threshold};
        if (parent.king_captured()) return 0;
        if (parent.side == white)
            expand_of<white>(parent, index, filter, rules, kept);
        else
            expand_of<black>(parent, index, filter, rules, kept);
        return static_cast<int>(kept.out - candidates);
    }
};

// The table of a kernel's functions, for one kind of slider lookup.
template <class Sliders>
constexpr Kernel kernel_table(const char* name) {
    using Moves = Hot<Sliders>;
    return {name,
            Moves::generate,
            Moves::generate_captures,
            Moves::count_moves,
            Moves::has_move,
            Moves::sight,
            Moves::sensitive,
            Moves::perft,
            Moves::see,
            Expansion<Sliders>::expand,
            Moves::rook_attacks,
            Moves::bishop_attacks};
}

}  // namespace fogtree::fog_chess
