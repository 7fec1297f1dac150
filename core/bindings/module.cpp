#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_fogchess(nb::module_& module);
void bind_sampling(nb::module_& module);
void bind_search(nb::module_& module);
void bind_cambia(nb::module_& module);
void bind_deep(nb::module_& module);
void bind_tree(nb::module_& module);

NB_MODULE(_core, module) {
    module.doc() = "The native core of fogtree.";
    nb::set_leak_warnings(false);  // what lives until the interpreter ends is no leak
    bind_tree(module);
    bind_search(module);
    bind_fogchess(module);
    bind_cambia(module);
    bind_sampling(module);
    bind_deep(module);
}
