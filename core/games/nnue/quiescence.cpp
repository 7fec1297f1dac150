// Shannon, "Programming a computer for playing chess" (1950): a value means something only where
// nothing hangs. Captures and promotions are searched with alpha and beta, the side to move may
// always stop; an attacked king flees by any move.
// Deviations: hopeless captures are left out, as chess programs do: those that an exchange loses,
// those that win too little to matter, and all but the first few.
#include "games/nnue/quiescence.hpp"

#include <algorithm>

#include "games/fog_chess/evaluator.hpp"
#include "games/fog_chess/kernel.hpp"
#include "games/fog_chess/step.hpp"
#include "games/nnue/exchange.hpp"

namespace fogtree::nnue {

using namespace fog_chess;

namespace {

constexpr int won = 32000;         // a king is taken; less one for each ply until then
constexpr int longest_line = 24;   // plies of captures
constexpr int longest_flight = 4;  // plies in which an attacked king may also flee
constexpr int widest = 2;          // moves searched; after them only recaptures and promotions
constexpr int only_back = 5;       // from this ply on, only recaptures are searched
constexpr int hope = 155;          // most that a capture may win beyond the victim's worth

// The exchange value of the piece that a move takes, 0 if it takes none.
int victim_worth(const Position& position, Move move) {
    const Piece victim = position.at(to_square(move));
    return exchange_worth[kind_of(move) == take_en_passant ? pawn : victim];
}

// Writes captures and promotions to a queen, the most valuable victims first and, of equals, the
// least valuable capturing piece; with `all`, which is set when the king is attacked, all moves.
// Returns how many.
int interesting_moves(const Position& position, bool all, Move* moves) {
    Move found[max_moves];
    int rank_of[max_moves];
    const int size =
        all ? kernel().generate(position, found) : kernel().generate_captures(position, found);
    for (int index = 0; index < size; ++index) {
        const Move move = found[index];
        const int gain = kind_of(move) == promote_queen ? exchange_worth[queen] : 0;
        const int urgency = 8 * (victim_worth(position, move) + gain) -
                            exchange_worth[position.at(from_square(move))];
        int place = index;
        for (; place > 0 && rank_of[place - 1] < urgency; --place) {
            moves[place] = moves[place - 1];
            rank_of[place] = rank_of[place - 1];
        }
        moves[place] = move;
        rank_of[place] = urgency;
    }
    return size;
}

}  // namespace

// The value of a position for the side to move, after the best captures.
int Quiescence::value(const Position& position, const Accumulator& accumulator) {
    return search(position, accumulator, {-won, won, 0, -1});
}

// The network's value of a position for the side to move, if it captures nothing (stands pat).
int Quiescence::stand(const Position& position, const Accumulator& accumulator) const {
    const Network& network = memory_.network();
    const Color side = position.side;
    return memory_.inference()
        .evaluate(network, accumulator.half[side], accumulator.half[other(side)],
                  network.stack_for(count(position.occupied())))
        .value();
}

// Whether a capture or promotion need not be searched: it comes too late, wins too little to raise
// alpha, or loses the exchange. `tried`: moves searched so far; `hoped`: the value of standing pat
// plus `hope`. A capture that wins too little may raise `best` to the most that it could bring.
bool Quiescence::left_out(const Position& position, Move move, const Node& node, int tried,
                          int hoped, int& best) {
    const bool back = to_square(move) == node.taken_on;
    if (node.ply >= only_back && !back) return true;
    if (!back && !is_promotion(move)) {
        if (tried >= widest) return true;
        const int most = hoped + victim_worth(position, move);
        const bool too_little = most <= node.alpha;
        if (too_little || (hoped <= node.alpha && !wins_at_least(position, move, 1))) {
            best = std::max(best, too_little ? most : hoped);
            return true;
        }
    }
    return !wins_at_least(position, move, 0);
}

// The value of a position after the best captures, by alpha-beta search. In the first plies
// (longest_flight) a side whose king is attacked must move (`fleeing`), else it may also stand pat.
// The side that has just moved has not left its king to be taken: the caller checked that.
int Quiescence::search(const Position& position, const Accumulator& accumulator, Node node) {
    const bool fleeing = node.ply < longest_flight && king_attacked(position, position.side);
    int best = fleeing ? -won + node.ply : stand(position, accumulator);
    if (best >= node.beta || node.ply >= longest_line) return best;
    const int hoped = best + hope;
    node.alpha = std::max(node.alpha, best);
    Move moves[max_moves];
    const int size = interesting_moves(position, fleeing, moves);
    Accumulator next;
    int tried = 0;
    for (int index = 0; index < size && node.alpha < node.beta; ++index) {
        const Move move = moves[index];
        if (!fleeing && left_out(position, move, node, tried, hoped, best)) continue;
        const Position child = make<false>(position, move);
        if (king_attacked(child, position.side)) continue;
        ++tried;
        memory_.advance(position, child, change_of(position, move), accumulator, next);
        const int value =
            -search(child, next, {-node.beta, -node.alpha, node.ply + 1, to_square(move)});
        best = std::max(best, value);
        node.alpha = std::max(node.alpha, value);
    }
    return best;
}

}  // namespace fogtree::nnue
