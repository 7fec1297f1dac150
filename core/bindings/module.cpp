#include <nanobind/nanobind.h>

#include "common/in_use.hpp"
#include "common/recycling_allocator.hpp"
#include "common/thread_team.hpp"
#include "sampling/trainer.hpp"

namespace nb = nanobind;

void bind_build_facts(nb::module_& module);
void bind_tree(nb::module_& module);
void bind_search(nb::module_& module);
void bind_history_search(nb::module_& module);
void bind_sampling(nb::module_& module);
void bind_protocol_game(nb::module_& module);
void bind_provided_game(nb::module_& module);
void bind_deep(nb::module_& module);
void bind_protocol_deep(nb::module_& module);
void bind_history_walk(nb::module_& module);
void bind_protocol_walk(nb::module_& module);
void bind_responses(nb::module_& module);
void bind_battleship(nb::module_& module);
void bind_goofspiel(nb::module_& module);
void bind_hidden_board(nb::module_& module);
void bind_leduc_poker(nb::module_& module);
void bind_liars_dice(nb::module_& module);
void bind_fog_chess(nb::module_& module);
void bind_cambia(nb::module_& module);

namespace {

// Sets the Python exception with this name in fogtree.errors.
void raise(const char* name, const char* message) {
    const nb::object kind = nb::module_::import_("fogtree.errors").attr(name);
    PyErr_SetString(kind.ptr(), message);
}

// Translates errors of the core that users can meet to the package's own Python exceptions;
// nanobind handles all others.
void translate(const std::exception_ptr& error, void* /*payload*/) {
    try {
        std::rethrow_exception(error);
    } catch (const fogtree::InUseError& in_use) {
        raise("InUseError", in_use.what());
    } catch (const fogtree::ThreadsUnavailable& unavailable) {
        raise("ThreadLimitError", unavailable.what());
    } catch (const fogtree::SimulatorError& wrong) {
        raise("GameError", wrong.what());
    }
}

}  // namespace

NB_MODULE(_core, module) {
    nb::register_exception_translator(&translate);
    module.doc() = "The native core of fogtree.";
    nb::set_leak_warnings(false);  // objects may live until the interpreter ends
    bind_build_facts(module);
    bind_tree(module);
    bind_search(module);
    bind_history_search(module);
    bind_sampling(module);
    bind_protocol_game(module);
    bind_provided_game(module);
    bind_deep(module);
    bind_protocol_deep(module);
    bind_history_walk(module);
    bind_protocol_walk(module);
    bind_responses(module);
    bind_battleship(module);
    bind_goofspiel(module);
    bind_hidden_board(module);
    bind_leduc_poker(module);
    bind_liars_dice(module);
    bind_fog_chess(module);
    bind_cambia(module);
    module.def("free_kept_memory", &fogtree::free_kept_blocks,
               nb::call_guard<nb::gil_scoped_release>(),
               "Give memory that is kept for later use back to the system.");
}
