// Keys of positions: a random word per feature, combined by exclusive or.
//
// Zobrist, "A new hashing method with application for game playing" (1970).
// Deviations: en passant enters the key only when it can be taken, as rights to repeat demand.
#pragma once

#include <cstdint>

namespace fogtree::fogchess {

struct ZobristTables {
    std::uint64_t piece[2][8][64];
    std::uint64_t castling[16];
    std::uint64_t en_passant[64];  // [0] is "none" and is zero
    std::uint64_t black_to_move;
};

constexpr std::uint64_t split_mix(std::uint64_t& state) {
    std::uint64_t word = state += 0x9e3779b97f4a7c15ull;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ull;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebull;
    return word ^ (word >> 31);
}

constexpr ZobristTables make_zobrist() {
    ZobristTables tables{};
    std::uint64_t state = 0x666f67;
    for (auto& color : tables.piece)
        for (int code = 1; code < 7; ++code)
            for (auto& word : color[code]) word = split_mix(state);
    for (int rights = 1; rights < 16; ++rights) tables.castling[rights] = split_mix(state);
    for (int square = 1; square < 64; ++square) tables.en_passant[square] = split_mix(state);
    tables.black_to_move = split_mix(state);
    return tables;
}

inline constexpr ZobristTables zobrist = make_zobrist();

}  // namespace fogtree::fogchess
