// Ctrl-C during native work that runs without the interpreter's lock.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <functional>

#include "common/interruption.hpp"

// Whether the caller runs in Python's main thread, the only one that handles signals.
inline bool in_main_thread() {
    namespace nb = nanobind;
    const nb::object main = nb::module_::import_("threading").attr("main_thread")();
    return nb::cast<unsigned long>(main.attr("ident")) == PyThread_get_thread_ident();
}

// A function that lets Python handle signals and returns whether that raised an exception, which is
// kept in `raised`; in other threads than the main one there is nothing to call.
inline std::function<bool()> signal_poll(std::exception_ptr& raised) {
    if (!in_main_thread()) return {};
    return [&raised] {
        const nanobind::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() == 0) return false;
        raised = std::make_exception_ptr(nanobind::python_error());
        return true;
    };
}

// The result of `work(interruption)`, which runs without the interpreter's lock. Ctrl-C ends it and
// raises KeyboardInterrupt.
template <class Work>
auto interruptible(const Work& work) {
    std::exception_ptr raised;
    fogtree::Interruption interruption(signal_poll(raised));
    {
        nanobind::gil_scoped_release release;
        try {
            return work(interruption);
        } catch (const fogtree::Interrupted&) {
        }
    }
    std::rethrow_exception(raised);
}
