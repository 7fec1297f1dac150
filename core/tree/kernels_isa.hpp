// What each per-instruction-set translation unit provides. FOGTREE_ISA is its namespace.
#pragma once

#include "tree/kernels.hpp"

namespace fogtree::FOGTREE_ISA {

template <class Real>
void set_products(Kernels<Real>& table);

template <class Real>
void set_rules(Kernels<Real>& table);

}  // namespace fogtree::FOGTREE_ISA
