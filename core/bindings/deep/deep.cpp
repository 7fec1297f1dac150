// Deep learning: networks, games, traversals, samples and measures.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_deep_network(nb::module_& module);
void bind_deep_games(nb::module_& module);
void bind_deep_samples(nb::module_& module);
void bind_deep_walks(nb::module_& module);

// Adds all classes of deep learning to the module.
void bind_deep(nb::module_& module) {
    bind_deep_network(module);
    bind_deep_games(module);
    bind_deep_samples(module);
    bind_deep_walks(module);
}
