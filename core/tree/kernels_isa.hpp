// The functions of products.cpp and rules.cpp, which are compiled once per instruction set, each
// time in a namespace FOGTREE_ISA of its own.
#pragma once

#include "tree/kernels.hpp"

namespace fogtree::FOGTREE_ISA {

// Enters the kernels of products.cpp into the table.
template <class Real>
void set_products(Kernels<Real>& table);

// Enters the kernels of rules.cpp into the table.
template <class Real>
void set_rules(Kernels<Real>& table);

}  // namespace fogtree::FOGTREE_ISA
