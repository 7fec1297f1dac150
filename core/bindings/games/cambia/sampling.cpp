// The native simulator of Cambia.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <stdexcept>
#include <string>

#include "games/cambia/simulated_game.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace cambia = fogtree::cambia;

// Adds simulated_cambia to the module.
void bind_cambia_sampling(nb::module_& module) {
    module.def(
        "simulated_cambia",
        [](const cambia::Rules& rules, const std::string& abstraction) {
            const auto memory = cambia::memory_named(abstraction);
            if (!memory) throw std::invalid_argument("no abstraction " + abstraction);
            return cambia::simulated_game(rules, *memory);
        },
        "rules"_a, "abstraction"_a,
        "The native simulator of Cambia; an empty abstraction means perfect recall.");
}
