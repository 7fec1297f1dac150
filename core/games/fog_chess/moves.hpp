// Moves, sight and perft as templates over how sliders are looked up. Included by the kernel files
// only; it calls nothing that another file could instantiate with other processor flags.
#pragma once

#include "games/fog_chess/kernel.hpp"
#include "games/fog_chess/step.hpp"

namespace fogtree::fog_chess {

// Move generation and sight, the functions that take most time, for one kind of slider lookup.
// Functions whose name ends in `_of` are for the side `Us`, a template parameter for speed.
template <class Sliders>
struct Hot {
    // The squares that the pieces of `own` other than pawns attack, all together.
    template <Color Us>
    FOGTREE_INLINE static Bitboard reach(const Position& position, Bitboard own,
                                         Bitboard occupied) {
        Bitboard reached = 0;
        for (Bitboard from = position.knights() & own; from;)
            reached |= steps.knight[take_first(from)];
        for (Bitboard from = position.diagonal_sliders() & own; from;)
            reached |= Sliders::bishop(take_first(from), occupied);
        for (Bitboard from = position.straight_sliders() & own; from;)
            reached |= Sliders::rook(take_first(from), occupied);
        for (Bitboard from = position.kings() & own; from;) reached |= steps.king[take_first(from)];
        return reached;
    }

    // The squares that one side sees, and those in front of its pawns on which an unseen piece
    // stands.
    template <Color Us>
    FOGTREE_INLINE static Sight sight_of(const Position& position, SightRules rules) {
        const Bitboard occupied = position.occupied();
        const Bitboard own = position.of(Us);
        const Bitboard enemy = occupied & ~own;
        const Bitboard pawns = position.pawns() & own;
        const Bitboard front = forward<Us>(pawns);
        const Bitboard second = forward<Us>(front & ~occupied & rank(Us == white ? 2 : 5));
        const Bitboard slant = diagonals<Us>(pawns);
        Bitboard seen = own | reach<Us>(position, own, occupied);
        seen |= (front | second) & ~occupied;
        seen |= rules.pawn_diagonals_always ? slant : slant & enemy;
        if (position.en_passant && position.side == Us) {
            const Bitboard passed = bit(position.en_passant);
            seen |= passed;
            if (rules.show_en_passant_victim) seen |= forward<other(Us)>(passed);
        }
        const Bitboard blocked = rules.mark_blocked ? (front | second) & enemy & ~seen : 0;
        return {seen, blocked};
    }

    // See sight_of.
    static Sight sight(const Position& position, Color player, SightRules rules) {
        return player == white ? sight_of<white>(position, rules)
                               : sight_of<black>(position, rules);
    }

    // The squares whose contents decide what one side sees: those seen, those in front of its pawns
    // and those its pawns could capture on.
    template <Color Us>
    FOGTREE_INLINE static Bitboard sensitive_of(const Position& position, SightRules rules) {
        const Bitboard pawns = position.pawns() & position.of(Us);
        const Bitboard front = forward<Us>(pawns);
        const Bitboard free = front & ~position.occupied() & rank(Us == white ? 2 : 5);
        return sight_of<Us>(position, rules).seen | front | forward<Us>(free) |
               diagonals<Us>(pawns);
    }

    // See sensitive_of.
    static Bitboard sensitive(const Position& position, Color player, SightRules rules) {
        return player == white ? sensitive_of<white>(position, rules)
                               : sensitive_of<black>(position, rules);
    }

    // Whether the side may castle to the king's side: it has the right, and f and g are free
    // (0x60). Attacked squares do not matter in Fog-of-War chess.
    template <Color Us>
    FOGTREE_INLINE static bool can_castle_short(const Position& position, Bitboard occupied) {
        constexpr int home = Us == white ? 0 : 56;
        return (position.castling & (Us == white ? white_short : black_short)) &&
               !(occupied & (Bitboard{0x60} << home));
    }
    // Whether the side may castle to the queen's side: it has the right, and b, c, d are free
    // (0x0e).
    template <Color Us>
    FOGTREE_INLINE static bool can_castle_long(const Position& position, Bitboard occupied) {
        constexpr int home = Us == white ? 0 : 56;
        return (position.castling & (Us == white ? white_long : black_long)) &&
               !(occupied & (Bitboard{0x0e} << home));
    }

    // The target squares of one-step pushes, double pushes, and captures towards the a- and h-file.
    struct PawnTargets {
        Bitboard push, twice, towards_a, towards_h;
    };
    // The squares that own pawns can move to, by the direction of the move; without en passant.
    template <Color Us>
    FOGTREE_INLINE static PawnTargets pawn_targets(const Position& position, Bitboard own,
                                                   Bitboard occupied) {
        const Bitboard pawns = position.pawns() & own;
        const Bitboard enemy = occupied & ~own;
        const Bitboard push = forward<Us>(pawns) & ~occupied;
        return {push, forward<Us>(push & rank(Us == white ? 2 : 5)) & ~occupied,
                forward_a<Us>(pawns) & enemy, forward_h<Us>(pawns) & enemy};
    }

    // The number of pseudo-legal moves, without listing them. A pawn's move to the last rank counts
    // four times, once for each promotion.
    template <Color Us>
    FOGTREE_INLINE static int count_of(const Position& position) {
        constexpr Bitboard last = rank(Us == white ? 7 : 0);
        const Bitboard occupied = position.occupied();
        const Bitboard own = position.of(Us);
        const PawnTargets targets = pawn_targets<Us>(position, own, occupied);
        int moves = count(targets.push) + count(targets.twice) + count(targets.towards_a) +
                    count(targets.towards_h);
        if (position.pawns() & own & rank(Us == white ? 6 : 1))
            moves += 3 * (count(targets.push & last) + count(targets.towards_a & last) +
                          count(targets.towards_h & last));
        if (position.en_passant)
            moves += count(diagonals<other(Us)>(bit(position.en_passant)) & position.pawns() & own);
        for (Bitboard from = position.knights() & own; from;)
            moves += count(steps.knight[take_first(from)] & ~own);
        for (Bitboard from = position.diagonal_sliders() & own; from;)
            moves += count(Sliders::bishop(take_first(from), occupied) & ~own);
        for (Bitboard from = position.straight_sliders() & own; from;)
            moves += count(Sliders::rook(take_first(from), occupied) & ~own);
        for (Bitboard from = position.kings() & own; from;)
            moves += count(steps.king[take_first(from)] & ~own);
        return moves + can_castle_short<Us>(position, occupied) +
               can_castle_long<Us>(position, occupied);
    }

    // Whether there is a pseudo-legal move. Pawns are asked first: nearly always one can move.
    template <Color Us>
    FOGTREE_INLINE static bool has_move_of(const Position& position) {
        const PawnTargets targets =
            pawn_targets<Us>(position, position.of(Us), position.occupied());
        return (targets.push | targets.towards_a | targets.towards_h) != 0 ||
               count_of<Us>(position) != 0;
    }

    // Appends a plain move from a square to each of the targets.
    FOGTREE_INLINE static void add_targets(Move*& out, int from, Bitboard targets) {
        while (targets) *out++ = make_move(from, take_first(targets), plain);
    }

    // Appends pawn moves to these targets, with all promotions on the last rank. `Step`: the
    // target's number less the origin's.
    template <int Step>
    FOGTREE_INLINE static void add_pawn_moves(Move*& out, Bitboard targets, Bitboard last) {
        for (Bitboard ends = targets & last; ends;) {
            const int to = take_first(ends);
            for (int kind = promote_queen; kind >= promote_knight; --kind)
                *out++ = make_move(to - Step, to, static_cast<MoveKind>(kind));
        }
        for (targets &= ~last; targets;) {
            const int to = take_first(targets);
            *out++ = make_move(to - Step, to, plain);
        }
    }

    // Appends all moves of own pawns.
    template <Color Us>
    FOGTREE_INLINE static void add_all_pawn_moves(Move*& out, const Position& position,
                                                  Bitboard own, Bitboard occupied) {
        constexpr int sign = Us == white ? 1 : -1;
        constexpr Bitboard last = rank(Us == white ? 7 : 0);
        PawnTargets targets = pawn_targets<Us>(position, own, occupied);
        add_pawn_moves<8 * sign>(out, targets.push, last);
        while (targets.twice) {
            const int to = take_first(targets.twice);
            *out++ = make_move(to - 16 * sign, to, double_push);
        }
        add_pawn_captures<Us>(out, position, own, targets);
    }

    // Appends all captures by own pawns.
    template <Color Us>
    FOGTREE_INLINE static void add_pawn_captures(Move*& out, const Position& position, Bitboard own,
                                                 const PawnTargets& targets) {
        constexpr Bitboard last = rank(Us == white ? 7 : 0);
        add_pawn_moves<Us == white ? 7 : -9>(out, targets.towards_a, last);
        add_pawn_moves<Us == white ? 9 : -7>(out, targets.towards_h, last);
        if (!position.en_passant) return;
        Bitboard takers = diagonals<other(Us)>(bit(position.en_passant)) & position.pawns() & own;
        while (takers) *out++ = make_move(take_first(takers), position.en_passant, take_en_passant);
    }

    // Appends the castling moves that are possible, at most two.
    template <Color Us>
    FOGTREE_INLINE static void add_castling(Move*& out, const Position& position,
                                            Bitboard occupied) {
        constexpr int home = Us == white ? 0 : 56;
        if (can_castle_short<Us>(position, occupied))
            *out++ = make_move(home + 4, home + 6, castle);
        if (can_castle_long<Us>(position, occupied)) *out++ = make_move(home + 4, home + 2, castle);
    }

    // Appends the moves of own pieces other than pawns to the squares in `allowed`, castling apart.
    FOGTREE_INLINE static void add_piece_moves(Move*& out, const Position& position, Bitboard own,
                                               Bitboard occupied, Bitboard allowed) {
        for (Bitboard pieces = position.knights() & own; pieces;) {
            const int from = take_first(pieces);
            add_targets(out, from, steps.knight[from] & allowed);
        }
        for (Bitboard pieces = position.diagonal_sliders() & own; pieces;) {
            const int from = take_first(pieces);
            add_targets(out, from, Sliders::bishop(from, occupied) & allowed);
        }
        for (Bitboard pieces = position.straight_sliders() & own; pieces;) {
            const int from = take_first(pieces);
            add_targets(out, from, Sliders::rook(from, occupied) & allowed);
        }
        for (Bitboard pieces = position.kings() & own; pieces;) {
            const int from = take_first(pieces);
            add_targets(out, from, steps.king[from] & allowed);
        }
    }

    // Writes all pseudo-legal moves of a side; returns how many.
    template <Color Us>
    FOGTREE_INLINE static int generate_of(const Position& position, Move* moves) {
        Move* out = moves;
        const Bitboard occupied = position.occupied();
        const Bitboard own = position.of(Us);
        add_all_pawn_moves<Us>(out, position, own, occupied);
        add_piece_moves(out, position, own, occupied, ~own);
        add_castling<Us>(out, position, occupied);
        return static_cast<int>(out - moves);
    }

    // Writes all pseudo-legal moves of the side to move; returns how many.
    static int generate(const Position& position, Move* moves) {
        if (position.king_captured()) return 0;
        return position.side == white ? generate_of<white>(position, moves)
                                      : generate_of<black>(position, moves);
    }

    // Writes the captures of a side and its promotions to a queen, in the order of generate_of;
    // returns how many.
    template <Color Us>
    FOGTREE_INLINE static int generate_captures_of(const Position& position, Move* moves) {
        Move* out = moves;
        constexpr int sign = Us == white ? 1 : -1;
        constexpr Bitboard last = rank(Us == white ? 7 : 0);
        const Bitboard occupied = position.occupied();
        const Bitboard own = position.of(Us);
        const PawnTargets targets = pawn_targets<Us>(position, own, occupied);
        for (Bitboard ends = targets.push & last; ends;) {
            const int to = take_first(ends);
            *out++ = make_move(to - 8 * sign, to, promote_queen);
        }
        add_pawn_captures<Us>(out, position, own, targets);
        add_piece_moves(out, position, own, occupied, occupied & ~own);
        return static_cast<int>(out - moves);
    }

    // Writes the captures of the side to move and its promotions to a queen; returns how many.
    static int generate_captures(const Position& position, Move* moves) {
        if (position.king_captured()) return 0;
        return position.side == white ? generate_captures_of<white>(position, moves)
                                      : generate_captures_of<black>(position, moves);
    }

    // The number of pseudo-legal moves, all of which may be played; 0 after a king was captured.
    static int count_moves(const Position& position) {
        if (position.king_captured()) return 0;
        return position.side == white ? count_of<white>(position) : count_of<black>(position);
    }

    // Whether the side to move has a move; false after a king was captured.
    static bool has_move(const Position& position) {
        if (position.king_captured()) return false;
        return position.side == white ? has_move_of<white>(position) : has_move_of<black>(position);
    }

    // The number of sequences of exactly `depth` moves. The moves of the last ply are counted, not
    // made; a sequence in which a king is captured before that is not counted.
    template <Color Us>
    static std::uint64_t perft_of(const Position& position, int depth) {
        if (depth == 1) return static_cast<std::uint64_t>(count_of<Us>(position));
        Move moves[max_moves];
        const int size = generate_of<Us>(position, moves);
        std::uint64_t leaves = 0;
        for (int index = 0; index < size; ++index) {
            const Position next = make<false>(position, moves[index]);
            if (next.has_king(other(Us))) leaves += perft_of<other(Us)>(next, depth - 1);
        }
        return leaves;
    }

    // See perft_of, for the side to move.
    static std::uint64_t perft(const Position& position, int depth) {
        if (depth == 0) return 1;
        if (position.king_captured()) return 0;
        return position.side == white ? perft_of<white>(position, depth)
                                      : perft_of<black>(position, depth);
    }

    // Makes all sequences of up to `depth` moves and computes both sides' sight after every move,
    // to measure speed. Adds the number of moves made to `total`, and a checksum of keys and
    // sights.
    template <Color Us>
    static void see_of(const Position& position, int depth, SightRules rules, SeeCount& total) {
        Move moves[max_moves];
        const int size = generate_of<Us>(position, moves);
        for (int index = 0; index < size; ++index) {
            const Position next = make(position, moves[index]);
            const Sight ours = sight_of<Us>(next, rules);
            const Sight theirs = sight_of<other(Us)>(next, rules);
            total.nodes += 1;
            total.checksum += next.key ^ ours.seen ^ ours.blocked ^ theirs.seen ^ theirs.blocked;
            if (depth > 1 && next.has_king(other(Us)))
                see_of<other(Us)>(next, depth - 1, rules, total);
        }
    }

    // See see_of, for the side to move.
    static SeeCount see(const Position& position, int depth, SightRules rules) {
        SeeCount total{};
        if (depth < 1 || position.king_captured()) return total;
        if (position.side == white)
            see_of<white>(position, depth, rules, total);
        else
            see_of<black>(position, depth, rules, total);
        return total;
    }

    // The squares that a rook attacks, up to and with the first occupied square in each direction.
    static Bitboard rook_attacks(int square, Bitboard occupied) {
        return Sliders::rook(square, occupied);
    }
    // As rook_attacks, for a bishop.
    static Bitboard bishop_attacks(int square, Bitboard occupied) {
        return Sliders::bishop(square, occupied);
    }
};

}  // namespace fogtree::fog_chess
