// Games of other packages, handed over as capsules.
#include <nanobind/nanobind.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <utility>

#include "sampling/provided_game.hpp"
#include "sampling/simulated_game_of.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// Keeps a Python object alive, for owners that know nothing of Python.
std::shared_ptr<const void> kept(nb::object object) {
    PyObject* held = object.release().ptr();
    return {held, [](const void* pointer) {
                const nb::gil_scoped_acquire lock;
                Py_DECREF(static_cast<PyObject*>(const_cast<void*>(pointer)));
            }};
}

// The simulated game of a capsule that holds a fogtree_simulator.
std::unique_ptr<fogtree::SimulatedGame> provided_game(nb::object capsule) {
    constexpr const char* name = FOGTREE_SIMULATOR_CAPSULE;
    if (PyCapsule_IsValid(capsule.ptr(), name) == 0) {
        throw fogtree::SimulatorError(
            "a native simulator comes in a capsule named 'fogtree.simulator'");
    }
    const void* pointer = PyCapsule_GetPointer(capsule.ptr(), name);
    const auto& rules = *static_cast<const fogtree_simulator*>(pointer);
    using Game = fogtree::ProvidedGame;
    return std::make_unique<fogtree::SimulatedGameOf<Game>>(
        std::make_shared<const Game>(rules, kept(std::move(capsule))), true);
}

}  // namespace

// Adds provided_game to the module.
void bind_provided_game(nb::module_& module) {
    module.def("provided_game", &provided_game, "capsule"_a,
               "The game of a capsule that holds a fogtree_simulator, as a simulated game.");
}
