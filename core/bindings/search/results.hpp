// How a search's results look from Python; the same for every game.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <functional>

#include "search/search.hpp"

inline nanobind::typed<nanobind::dict, nanobind::str, nanobind::any> as_dict(
    const fogtree::search::Decision& d) {
    namespace nb = nanobind;
    nb::typed<nb::dict, nb::str, nb::any> out;
    nb::list actions, probabilities, strategy, values, visits;
    for (const auto& c : d.candidates) {
        actions.append(c.action);
        probabilities.append(c.probability);
        strategy.append(c.strategy);
        values.append(c.value);
        visits.append(c.visits);
    }
    out["actions"] = actions;
    out["probabilities"] = probabilities;
    out["strategy"] = strategy;
    out["values"] = values;
    out["visits"] = visits;
    out["action"] = d.action;
    out["value"] = d.value;
    out["p_max"] = d.largest_enter;
    out["safe"] = d.safe;
    out["full"] = d.full;
    out["stopped"] = d.stopped;
    out["nodes"] = d.nodes;
    out["infosets"] = d.infosets;
    out["bytes"] = d.bytes;
    out["iterations"] = d.iterations;
    out["steps"] = d.steps;
    out["touched"] = d.touched;
    out["depth"] = d.depth;
    out["seconds"] = d.seconds;
    out["carried_nodes"] = d.subgame.carried_nodes;
    out["carried_infosets"] = d.subgame.carried_infosets;
    out["sampled"] = d.subgame.sampled;
    out["cover"] = d.subgame.cover;
    return out;
}

inline nanobind::typed<nanobind::list,
                       nanobind::typed<nanobind::dict, nanobind::str, nanobind::any>>
as_list(const std::vector<fogtree::search::ChoiceReport>& choices) {
    namespace nb = nanobind;
    nb::typed<nb::list, nb::typed<nb::dict, nb::str, nb::any>> out;
    for (const auto& c : choices) {
        nb::dict row;
        row["nodes"] = c.nodes;
        row["alternate"] = c.alternate;
        row["utility"] = c.utility;
        row["margin"] = c.margin;
        row["prior"] = c.prior;
        row["reach"] = c.reach;
        row["enter"] = c.enter;
        row["maxmargin"] = c.maxmargin;
        out.append(row);
    }
    return out;
}

// Signals reach Python in its main thread only.
inline bool in_main_thread() {
    namespace nb = nanobind;
    const nb::object main = nb::module_::import_("threading").attr("main_thread")();
    return nb::cast<unsigned long>(main.attr("ident")) == PyThread_get_thread_ident();
}

// A search without the interpreter's lock; Ctrl-C ends it and is then Python's business.
template <class Engine>
nanobind::typed<nanobind::dict, nanobind::str, nanobind::any> decided(
    Engine& engine, const fogtree::search::Budget& budget,
    const fogtree::search::Watch& watch = {}) {
    fogtree::search::Decision decision;
    std::exception_ptr interrupt;  // taken at once: until the search has ended Python may be called
    std::function<bool()> poll;
    if (in_main_thread()) {
        poll = [&] {
            const nanobind::gil_scoped_acquire acquire;
            if (PyErr_CheckSignals() == 0) return false;
            interrupt = std::make_exception_ptr(nanobind::python_error());
            return true;
        };
    }
    {
        nanobind::gil_scoped_release release;
        try {
            decision = engine.decide(budget, poll, watch);
        } catch (...) {
            if (!interrupt) throw;
        }
    }
    if (interrupt) std::rethrow_exception(interrupt);
    return as_dict(decision);
}
