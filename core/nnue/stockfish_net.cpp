#include "stockfish_net.hpp"

#include <algorithm>
#include <stdexcept>

#include "fogchess/kernel.hpp"
#include "fogchess/step.hpp"

namespace fogtree::nnue {

using namespace fogchess;

namespace {

constexpr int output_scale = 16;
constexpr float units_per_pawn = 361;
constexpr int worth[8] = {0, 1, 3, 3, 5, 0, 9, 0};  // pawns, by the piece's code
constexpr int hope = 2 * 361;      // more than a capture wins beyond the victim's worth
constexpr int won = 32000;         // a king is taken; less one for each ply until then
constexpr int longest_line = 24;   // plies of captures
constexpr int longest_flight = 4;  // plies in which an attacked king may also flee

int bucket_of(const Position& position) {
    return (count(position.occupied()) - 1) / 4;
}

int king_square(const Position& position, Color color) {
    return first(position.kings() & position.of(color));
}

Change change_of(const Position& parent, Move move) {
    const Color us = parent.side;
    const int from = from_square(move);
    const int to = to_square(move);
    const Piece piece = parent.at(from);
    Change change;
    change.removed[change.removals++] = {us, piece, from};
    change.added[change.additions++] = {us, is_promotion(move) ? promoted(kind_of(move)) : piece,
                                        to};
    if (kind_of(move) == castle) {
        const RookHop hop = rook_hop(to);
        change.removed[change.removals++] = {us, rook, hop.from};
        change.added[change.additions++] = {us, rook, hop.to};
    } else if (kind_of(move) == take_en_passant) {
        change.removed[change.removals++] = {other(us), pawn, en_passant_victim(move)};
    } else if (parent.at(to) != no_piece) {
        change.removed[change.removals++] = {other(us), parent.at(to), to};
    }
    return change;
}

// Captures and promotions to a queen, the most valuable victims first; all moves in flight.
int interesting_moves(const Position& position, bool all, Move* moves) {
    Move found[max_moves];
    int rank_of[max_moves];
    const int total = kernel().generate(position, found);
    int size = 0;
    for (int index = 0; index < total; ++index) {
        const Move move = found[index];
        const int victim = worth[position.at(to_square(move))];
        const bool takes = victim > 0 || kind_of(move) == take_en_passant;
        if (!all && !takes && kind_of(move) != promote_queen) continue;
        const int gain = kind_of(move) == promote_queen ? 8 : 0;
        const int urgency = 16 * (victim + gain) - worth[position.at(from_square(move))];
        int place = size++;
        for (; place > 0 && rank_of[place - 1] < urgency; --place) {
            moves[place] = moves[place - 1];
            rank_of[place] = rank_of[place - 1];
        }
        moves[place] = move;
        rank_of[place] = urgency;
    }
    return size;
}

// A capture that loses the more valuable piece, or wins too little to reach `needed`.
bool hopeless(const Position& parent, const Position& child, Move move, int needed) {
    if (is_promotion(move)) return false;
    const int victim = kind_of(move) == take_en_passant ? 1 : worth[parent.at(to_square(move))];
    const int risked = worth[parent.at(from_square(move))];
    if (static_cast<int>(units_per_pawn) * victim + hope < needed) return true;
    return risked > victim && attacked(child, to_square(move), child.side);
}

}  // namespace

StockfishNet::StockfishNet(const std::string& path, bool quiescence)
    : network_(read_network(path)), quiescence_(quiescence) {}

bool StockfishNet::choose(const char* name) {
    const Inference* wanted = find_inference(name);
    if (wanted) inference_ = wanted;
    return wanted != nullptr;
}

void StockfishNet::refresh(const Position& position, Color viewer, Half& out) const {
    int list[32];
    int size = 0;
    const int square_of_king = king_square(position, viewer);
    for (Bitboard pieces = position.occupied(); pieces;) {
        const int square = take_first(pieces);
        const Color color = position.white_pieces & bit(square) ? white : black;
        list[size++] = feature(viewer, square_of_king, {color, position.at(square), square});
    }
    inference_->refresh(network_, list, size, out);
}

// A side whose own king moved sees everything anew.
void StockfishNet::advance(const Position& child, const Change& change, const Accumulator& from,
                           Accumulator& out) const {
    for (const Color viewer : {white, black}) {
        if (change.removed[0].piece == king && change.removed[0].color == viewer) {
            refresh(child, viewer, out.half[viewer]);
            continue;
        }
        const int square_of_king = king_square(child, viewer);
        int removed[2];
        int added[2];
        for (int number = 0; number < change.removals; ++number)
            removed[number] = feature(viewer, square_of_king, change.removed[number]);
        for (int number = 0; number < change.additions; ++number)
            added[number] = feature(viewer, square_of_king, change.added[number]);
        inference_->update(network_, from.half[viewer], removed, change.removals, added,
                           change.additions, out.half[viewer]);
    }
}

Output StockfishNet::output(const Accumulator& accumulator, Color side, int bucket) const {
    return inference_->evaluate(network_, accumulator.half[side], accumulator.half[other(side)],
                                bucket);
}

std::array<Output, buckets> StockfishNet::trace(const Position& position) const {
    if (position.king_captured()) throw std::invalid_argument("the network needs both kings");
    Accumulator accumulator;
    for (const Color viewer : {white, black}) refresh(position, viewer, accumulator.half[viewer]);
    std::array<Output, buckets> outputs;
    for (int bucket = 0; bucket < buckets; ++bucket)
        outputs[static_cast<std::size_t>(bucket)] = output(accumulator, position.side, bucket);
    return outputs;
}

int StockfishNet::scaled(const Accumulator& accumulator, const Position& position) const {
    const Output out = output(accumulator, position.side, bucket_of(position));
    return (out.psqt + out.positional) / output_scale;
}

int StockfishNet::evaluate(const Position& position) const {
    const auto outputs = trace(position);
    const Output& used = outputs[static_cast<std::size_t>(bucket_of(position))];
    return (used.psqt + used.positional) / output_scale;
}

int StockfishNet::quiesce(const Position& position) const {
    if (position.king_captured()) throw std::invalid_argument("the network needs both kings");
    if (king_attacked(position, other(position.side))) return won;
    Accumulator accumulator;
    for (const Color viewer : {white, black}) refresh(position, viewer, accumulator.half[viewer]);
    return quiesce(position, accumulator, -won, won, 0);
}

// The king of the side that has just moved cannot be taken here: its caller saw to that.
int StockfishNet::quiesce(const Position& position, const Accumulator& accumulator, int alpha,
                          int beta, int ply) const {
    const bool fleeing = ply < longest_flight && king_attacked(position, position.side);
    const int stand = fleeing ? -won + ply : scaled(accumulator, position);
    int best = stand;
    if (best >= beta || ply >= longest_line) return best;
    alpha = std::max(alpha, best);
    Move moves[max_moves];
    const int size = interesting_moves(position, fleeing, moves);
    Accumulator next;
    for (int index = 0; index < size && alpha < beta; ++index) {
        const Move move = moves[index];
        const Position child = make<false>(position, move);
        if (!fleeing && hopeless(position, child, move, alpha - stand)) continue;
        if (king_attacked(child, position.side)) continue;
        advance(child, change_of(position, move), accumulator, next);
        const int value = -quiesce(child, next, -beta, -alpha, ply + 1);
        best = std::max(best, value);
        alpha = std::max(alpha, value);
    }
    return best;
}

void StockfishNet::children(const Position& parent, const Move* moves, int size,
                            const EvaluatorRules& rules, float* values) const {
    if (parent.king_captured()) return;
    Accumulator before;
    Accumulator after;
    for (const Color viewer : {white, black}) refresh(parent, viewer, before.half[viewer]);
    for (int index = 0; index < size; ++index) {
        const Position child = make(parent, moves[index]);
        if (ruled(child, rules, values + index)) continue;
        advance(child, change_of(parent, moves[index]), before, after);
        const int value = quiescence_ ? quiesce(child, after, -won, won, 0) : scaled(after, child);
        values[index] = squashed(-centipawns(value));
    }
}

float centipawns(int value) {
    return 100 * static_cast<float>(value) / units_per_pawn;
}

}  // namespace fogtree::nnue
