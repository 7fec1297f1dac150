// The kernel for any processor.
#include "games/fog_chess/expand.hpp"

namespace fogtree::fog_chess {

// Looks up the squares that rooks and bishops attack by multiplication with magic numbers.
struct MagicSliders {
    // The squares attacked, from one square's entry of a table.
    FOGTREE_INLINE static Bitboard look(const SliderEntry& entry, Bitboard occupied) {
        return entry.attacks[(occupied & entry.mask) * entry.magic >> entry.shift];
    }
    // The squares that a rook attacks.
    FOGTREE_INLINE static Bitboard rook(int square, Bitboard occupied) {
        return look(magic_sliders.rook[square], occupied);
    }
    // The squares that a bishop attacks.
    FOGTREE_INLINE static Bitboard bishop(int square, Bitboard occupied) {
        return look(magic_sliders.bishop[square], occupied);
    }
};

extern const Kernel magic_kernel;
const Kernel magic_kernel = kernel_table<MagicSliders>("magic");

}  // namespace fogtree::fog_chess
