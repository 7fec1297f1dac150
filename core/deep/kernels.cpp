#include "deep/kernels.hpp"

#include "common/cpu_features.hpp"

namespace fogtree::deep {

namespace isa_base {
extern const Kernels table;
}
#ifdef FOGTREE_X86
namespace isa_avx2 {
extern const Kernels table;
}
namespace isa_avx512 {
extern const Kernels table;
}
namespace isa_vnni {
extern const Kernels table;
}
#endif

// The kernels that this processor can run; the last is the fastest.
std::vector<const Kernels*> all_kernels() {
    std::vector<const Kernels*> out{&isa_base::table};
#ifdef FOGTREE_X86
    if (CpuFeatures::here().avx2) out.push_back(&isa_avx2::table);
    if (CpuFeatures::here().avx512) out.push_back(&isa_avx512::table);
    if (CpuFeatures::here().avx512_vnni) out.push_back(&isa_vnni::table);
#endif
    return out;
}

// The fastest kernels that this processor can run.
const Kernels& kernels() {
    static const Kernels& best = *all_kernels().back();
    return best;
}

}  // namespace fogtree::deep
