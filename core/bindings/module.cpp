#include <nanobind/nanobind.h>

#include "common/recycling_allocator.hpp"

namespace nb = nanobind;

void bind_tree(nb::module_& module);
void bind_search(nb::module_& module);
void bind_sampling(nb::module_& module);
void bind_deep(nb::module_& module);
void bind_liars_dice(nb::module_& module);
void bind_fog_chess(nb::module_& module);
void bind_cambia(nb::module_& module);

NB_MODULE(_core, module) {
    module.doc() = "The native core of fogtree.";
    nb::set_leak_warnings(false);  // objects may live until the interpreter ends
    bind_tree(module);
    bind_search(module);
    bind_sampling(module);
    bind_deep(module);
    bind_liars_dice(module);
    bind_fog_chess(module);
    bind_cambia(module);
    module.def("free_kept_memory", &fogtree::free_kept_blocks,
               nb::call_guard<nb::gil_scoped_release>(),
               "Give memory that is kept for later use back to the system.");
}
