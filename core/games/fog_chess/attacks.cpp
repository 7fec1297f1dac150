#include "games/fog_chess/attacks.hpp"

#include <mutex>
#include <stdexcept>
#include <vector>

#include "games/fog_chess/magics.hpp"

namespace fogtree::fog_chess {

SliderTables magic_sliders;
SliderTables pext_sliders;

namespace {

constexpr int rook_steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
constexpr int bishop_steps[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

bool on_board(int file, int row) {
    return file >= 0 && file < 8 && row >= 0 && row < 8;
}

// The squares that a slider attacks, found step by step in each direction up to the first occupied
// square, which is included.
Bitboard walk(int square, Bitboard occupied, const int (&directions)[4][2]) {
    Bitboard reached = 0;
    for (const auto& step : directions) {
        int file = square % 8 + step[0];
        int row = square / 8 + step[1];
        for (; on_board(file, row); file += step[0], row += step[1]) {
            const Bitboard target = bit(8 * row + file);
            reached |= target;
            if (occupied & target) break;
        }
    }
    return reached;
}

// The squares whose occupancy can stop the slider; the last one of a ray cannot.
Bitboard relevant(int square, const int (&directions)[4][2]) {
    Bitboard squares = 0;
    for (const auto& step : directions) {
        int file = square % 8 + step[0];
        int row = square / 8 + step[1];
        for (; on_board(file + step[0], row + step[1]); file += step[0], row += step[1])
            squares |= bit(8 * row + file);
    }
    return squares;
}

// A subset of `mask`: its i-th square is in the result if bit i of `index` is set, like the
// instruction PDEP.
Bitboard deposit(std::uint64_t index, Bitboard mask) {
    Bitboard squares = 0;
    for (; mask; mask &= mask - 1, index >>= 1)
        if (index & 1) squares |= mask & -mask;
    return squares;
}

// Fills the table of one kind of slider: for each square and each set of blockers the squares it
// attacks. The index of a set of blockers is made by a magic number if `multiplied`, else it is
// what PEXT gives. The attacks of all squares lie one after the other in `storage`.
void fill(SliderEntry (&entries)[64], const std::uint64_t (&magics)[64],
          const int (&directions)[4][2], bool multiplied, std::vector<Bitboard>& storage) {
    std::size_t used = 0;
    for (int square = 0; square < 64; ++square) {
        const Bitboard mask = relevant(square, directions);
        const int bits = count(mask);
        Bitboard* attacks = storage.data() + used;
        entries[square] = {mask, magics[square], attacks, static_cast<std::uint64_t>(64 - bits)};
        for (std::uint64_t index = 0; index < (1ull << bits); ++index) {
            const Bitboard occupied = deposit(index, mask);
            const Bitboard reached = walk(square, occupied, directions);
            Bitboard& slot = attacks[multiplied ? occupied * magics[square] >> (64 - bits) : index];
            if (slot != 0 && slot != reached) throw std::logic_error("a magic number is wrong");
            slot = reached;
        }
        used += 1ull << bits;
    }
}

// The sum over all squares of 2^(number of relevant squares).
constexpr std::size_t rook_slots = 102400;
constexpr std::size_t bishop_slots = 5248;

// Fills the tables of rooks and bishops, whose attacks are stored in the two vectors.
void fill_both(SliderTables& tables, bool multiplied, std::vector<Bitboard>& rooks,
               std::vector<Bitboard>& bishops) {
    rooks.assign(rook_slots, 0);
    bishops.assign(bishop_slots, 0);
    fill(tables.rook, rook_magics, rook_steps, multiplied, rooks);
    fill(tables.bishop, bishop_magics, bishop_steps, multiplied, bishops);
}

}  // namespace

// Fills the tables that are indexed by magic multiplication.
void fill_magic_sliders() {
    static std::once_flag once;
    static std::vector<Bitboard> rooks, bishops;
    std::call_once(once, [] { fill_both(magic_sliders, true, rooks, bishops); });
}

// Fills the tables that are indexed by PEXT.
void fill_pext_sliders() {
    static std::once_flag once;
    static std::vector<Bitboard> rooks, bishops;
    std::call_once(once, [] { fill_both(pext_sliders, false, rooks, bishops); });
}

}  // namespace fogtree::fog_chess
