#include <nanobind/nanobind.h>

#include "deep/kernels.hpp"
#include "games/fog_chess/kernel.hpp"
#include "games/nnue/inference.hpp"
#include "tree/kernels.hpp"

namespace nb = nanobind;

// Adds build_facts(): compiler, flags, and the names of the kernels in use.
void bind_build_facts(nb::module_& module) {
    module.def(
        "build_facts",
        [] {
            nb::dict out;
            out["compiler"] = FOGTREE_COMPILER;
            out["flags"] = FOGTREE_FLAGS;
            out["target"] = FOGTREE_TARGET;
#ifdef Py_LIMITED_API
            out["python_abi"] = "stable, from 3.12";
#else
            out["python_abi"] = "of one version";
#endif
            out["tree_kernels"] = fogtree::kernels<double>().name;
            out["network_kernels"] = fogtree::deep::kernels().name;
            out["chess_network"] = fogtree::nnue::inference().name;
            out["chess_moves"] = fogtree::fog_chess::kernel().name;
            return out;
        },
        nb::sig("def build_facts() -> dict[str, str]"),
        "How this module was built, and which of its kernels this processor runs.");
}
