// The kernel for x86 processors with a fast PEXT; compiled with the flags for it.
#include <immintrin.h>

#include "games/fog_chess/expand.hpp"

namespace fogtree::fog_chess {

// Looks up the squares that rooks and bishops attack by the PEXT instruction.
struct PextSliders {
    // The squares that a rook attacks.
    FOGTREE_INLINE static Bitboard rook(int square, Bitboard occupied) {
        const SliderEntry& entry = pext_sliders.rook[square];
        return entry.attacks[_pext_u64(occupied, entry.mask)];
    }
    // The squares that a bishop attacks.
    FOGTREE_INLINE static Bitboard bishop(int square, Bitboard occupied) {
        const SliderEntry& entry = pext_sliders.bishop[square];
        return entry.attacks[_pext_u64(occupied, entry.mask)];
    }
};

extern const Kernel pext_kernel;
const Kernel pext_kernel = kernel_table<PextSliders>("pext");

}  // namespace fogtree::fog_chess
