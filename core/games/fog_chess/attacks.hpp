// Where pieces can go: tables for the steppers, occupancy-indexed tables for the sliders.
//
// Kannan, "Magic move-bitboard generation in computer chess" (2007), for the multiplied index; the
// other index is one PEXT instruction.
// Deviations: both indexings share one table layout, so a kernel differs from another in one line.
#pragma once

#include "games/fog_chess/bitboard.hpp"

namespace fogtree::fog_chess {

// One square of a slider's table.
struct SliderEntry {
    Bitboard mask;            // the squares whose occupancy matters
    std::uint64_t magic;      // the multiplier that makes an index of the occupancy
    const Bitboard* attacks;  // the squares attacked, by the index of the occupancy
    std::uint64_t shift;      // 64 less the bits of the index
};

// The attacks of rooks and bishops, by square.
struct SliderTables {
    SliderEntry rook[64];
    SliderEntry bishop[64];
};

// The squares that a knight and a king attack, by its square.
struct StepTables {
    Bitboard knight[64];
    Bitboard king[64];
};

// The squares that knights on these squares attack.
constexpr Bitboard knight_steps(Bitboard from) {
    const Bitboard one = (from & ~file_a) >> 1 | (from & ~file_h) << 1;
    const Bitboard two = (from & ~(file_a | file_a << 1)) >> 2 | (from & ~(file_h | file_h >> 1))
                                                                     << 2;
    return one << 16 | one >> 16 | two << 8 | two >> 8;
}

// The neighbours of these squares.
constexpr Bitboard king_steps(Bitboard from) {
    const Bitboard row = from | (from & ~file_a) >> 1 | (from & ~file_h) << 1;
    return (row | row << 8 | row >> 8) & ~from;
}

// Fills the tables of knights and kings.
constexpr StepTables make_steps() {
    StepTables steps{};
    for (int square = 0; square < 64; ++square) {
        steps.knight[square] = knight_steps(bit(square));
        steps.king[square] = king_steps(bit(square));
    }
    return steps;
}

inline constexpr StepTables steps = make_steps();

// The tables of the two kernels. Each is filled once, by its function below, before the first
// kernel that needs it is handed out.
extern SliderTables magic_sliders;
extern SliderTables pext_sliders;
void fill_magic_sliders();
void fill_pext_sliders();

}  // namespace fogtree::fog_chess
