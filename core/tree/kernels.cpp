#include "tree/kernels.hpp"

#include <vector>

#include "common/cpu_features.hpp"

#define FOGTREE_DECLARE(isa)           \
    namespace fogtree::isa {           \
    template <class Real>              \
    void set_products(Kernels<Real>&); \
    template <class Real>              \
    void set_rules(Kernels<Real>&);    \
    }
FOGTREE_DECLARE(isa_base)
#ifdef FOGTREE_X86
FOGTREE_DECLARE(isa_avx2)
FOGTREE_DECLARE(isa_avx512)
#endif
#undef FOGTREE_DECLARE

namespace fogtree {
namespace {

// The table of one instruction set's kernels, which the two functions fill in.
template <class Real>
Kernels<Real> table(const char* name, void (*products)(Kernels<Real>&),
                    void (*rules)(Kernels<Real>&)) {
    Kernels<Real> out{};
    out.name = name;
    products(out);
    rules(out);
    return out;
}

}  // namespace

// The kernels that this processor runs, the fastest last.
template <class Real>
std::vector<const Kernels<Real>*> all_kernels() {
    static const Kernels<Real> base =
        table<Real>("base", isa_base::set_products<Real>, isa_base::set_rules<Real>);
    std::vector<const Kernels<Real>*> out{&base};
#ifdef FOGTREE_X86
    if (CpuFeatures::here().avx2) {
        static const Kernels<Real> avx2 =
            table<Real>("avx2", isa_avx2::set_products<Real>, isa_avx2::set_rules<Real>);
        out.push_back(&avx2);
    }
    if (CpuFeatures::here().avx512) {
        static const Kernels<Real> avx512 =
            table<Real>("avx512", isa_avx512::set_products<Real>, isa_avx512::set_rules<Real>);
        out.push_back(&avx512);
    }
#endif
    return out;
}

// The fastest kernels that this processor runs.
template <class Real>
const Kernels<Real>& kernels() {
    static const Kernels<Real>& best = *all_kernels<Real>().back();
    return best;
}

template const Kernels<float>& kernels<float>();
template const Kernels<double>& kernels<double>();
template std::vector<const Kernels<float>*> all_kernels<float>();
template std::vector<const Kernels<double>*> all_kernels<double>();

}  // namespace fogtree
