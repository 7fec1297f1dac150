// Keys of positions: a random word per feature, combined by exclusive or.
//
// Zobrist, "A new hashing method with application for game playing" (1970).
// Deviations: an en passant square enters the key only if a pawn can be taken there, as the rule of
// threefold repetition demands.
#pragma once

#include <cstdint>

#include "common/random.hpp"

namespace fogtree::fog_chess {

// Random numbers; a position's key is the exclusive or of those that apply to it.
struct ZobristTables {
    std::uint64_t piece[2][8][64];  // by colour, the piece's code, and square
    std::uint64_t castling[16];     // by the rights that are left
    std::uint64_t en_passant[64];   // [0] is "none" and is zero
    std::uint64_t black_to_move;
};

// Fills the tables with random words from a fixed seed.
constexpr ZobristTables make_zobrist() {
    ZobristTables tables{};
    std::uint64_t state = 0x666f67;  // "fog" in ASCII
    for (auto& color : tables.piece)
        for (int code = 1; code < 7; ++code)
            for (auto& word : color[code]) word = split_mix64(state);
    for (int rights = 1; rights < 16; ++rights) tables.castling[rights] = split_mix64(state);
    for (int square = 1; square < 64; ++square) tables.en_passant[square] = split_mix64(state);
    tables.black_to_move = split_mix64(state);
    return tables;
}

inline constexpr ZobristTables zobrist = make_zobrist();

}  // namespace fogtree::fog_chess
