#include "bindings/protocol_walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace nb = nanobind;
using namespace nb::literals;

namespace fogtree {

namespace {

constexpr int kDeepest = 10000;                                          // moves of a path
constexpr std::int32_t kAll = std::numeric_limits<std::int32_t>::max();  // children
constexpr double kRounding = 5e-10;  // of sums of probabilities that need no closer look

// Takes ownership of a new reference; throws the Python error if it is null.
nb::object owned(PyObject* result) {
    if (result == nullptr) throw nb::python_error();
    return nb::steal(result);
}

// A name as an interned Python text, which makes calls faster.
nb::object interned(const char* name) {
    return owned(PyUnicode_InternFromString(name));
}

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

// Writes a Python float or int as a double; false for other types, and for ints that a double may
// not hold exactly.
bool plain_number(PyObject* value, double& out) {
    if (PyFloat_CheckExact(value)) {
        out = PyFloat_AsDouble(value);
        return true;
    }
    if (!PyLong_CheckExact(value)) return false;
    int overflow = 0;
    const long long whole = PyLong_AsLongLongAndOverflow(value, &overflow);
    out = static_cast<double>(whole);
    return overflow == 0 && std::abs(out) < 9e15;
}

}  // namespace

// Names of methods are interned once, because every history calls them. The walk begins at the root
// with each player's first view as its memory.
ProtocolWalk::ProtocolWalk(nb::object checks, nb::object root, int mover, const Values& views)
    : checks_(std::move(checks)),
      width_(views.size()),
      known_type_(Py_TYPE(root.ptr())),
      first_(root),
      child_name_(interned("child")),
      actions_name_(interned("actions")),
      player_name_(interned("player")),
      observation_name_(interned("observation")),
      chance_name_(interned("chance")),
      returns_name_(interned("returns")) {
    if (width_ < 1 || width_ > 127 || mover < kTerminal || mover >= static_cast<int>(width_)) {
        throw std::invalid_argument("no such player");
    }
    tree->players = static_cast<int>(width_);
    for (std::size_t p = 0; p < width_; ++p) {
        players_.push_back(nb::int_(p));
        nb::object view = views[p];
        numbers_.push_back(remember(-1 - static_cast<std::int32_t>(p), -1, view));
        views_.push_back(std::move(view));
    }
    here_.resize(width_);
    seen_.resize(width_);
    stack_.push_back({std::move(root), 1.0, 1.0, -1, 0, -1, 0, mover});
}

ProtocolWalk::~ProtocolWalk() = default;

// Visits up to `nodes` more histories; returns whether any are left.
bool ProtocolWalk::visit_some(std::int64_t nodes) {
    const nb::gil_scoped_acquire lock;
    for (; nodes > 0 && !stack_.empty(); --nodes) visit();
    return !stack_.empty();
}

// Takes the next history off the stack, and sets `here_` and `seen_`.
ProtocolWalk::Pending ProtocolWalk::take() {
    Pending next = std::move(stack_.back());
    stack_.pop_back();
    const std::size_t first = numbers_.size() - width_;
    for (std::size_t p = 0; p < width_; ++p) {
        here_[p] = numbers_[first + p];
        seen_[p] = std::move(views_[first + p]);
    }
    numbers_.resize(first);
    views_.resize(first);
    return next;
}

// Visits the next history: adds its node to the tree, and its children to the stack.
void ProtocolWalk::visit() {
    const Pending here = take();
    if (!here.state.is_valid()) throw std::invalid_argument("a history without its state");
    FlatTree& out = *tree;
    const auto node = static_cast<std::int32_t>(out.nodes());
    out.parent.push_back(here.parent);
    out.player.push_back(static_cast<std::int8_t>(here.mover));
    out.action.push_back(here.action);
    out.chance.push_back(here.chance);
    out.view.insert(out.view.end(), here_.begin(), here_.end());
    label.push_back(here.label);
    if (here.mover == kTerminal) return visit_end(here.state);
    if (here.depth >= kDeepest) checks_.attr("too_deep")();
    if (here.mover == kChance) {
        out.index.push_back(-1);
        return push_outcomes(here, node, here.state.attr(chance_name_)(), 0, kAll);
    }
    const std::int32_t set = infoset(here.state, here.mover);
    out.index.push_back(set);
    push_actions(here, node, set, 0, kAll);
}

// Puts the children of a chance node on the stack, the last first: those with numbers from `first`
// to before `last`. `found` is what the state lists; `node` becomes their parent.
void ProtocolWalk::push_outcomes(const Pending& here, std::int32_t node, const nb::object& found,
                                 std::int32_t first, std::int32_t last) {
    std::int32_t count = 0;
    const std::vector<Edge> edges = outcomes(here.state, found, first, last, count);
    for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
        push_child(here, here.share / count, node, *edge);
    }
}

// The same for a decision, whose information set is `set`.
void ProtocolWalk::push_actions(const Pending& here, std::int32_t node, std::int32_t set,
                                std::int32_t first, std::int32_t last) {
    const auto count = static_cast<std::int32_t>(edges_[at(set)].size());
    for (std::int32_t n = std::min(count, last); n-- > first;) {
        push_child(here, here.share / count, node, edges_[at(set)][at(n)]);
    }
}

// Adds the payoffs of a terminal state; unusual return values are left to Python.
void ProtocolWalk::visit_end(const nb::object& state) {
    tree->index.push_back(next_payoffs());
    const nb::object found = state.attr(returns_name_)();
    const bool tuple = PyTuple_CheckExact(found.ptr());
    if (tuple || PyList_CheckExact(found.ptr())) {
        const auto size = tuple ? PyTuple_Size(found.ptr()) : PyList_Size(found.ptr());
        bool plain = size == static_cast<Py_ssize_t>(width_);
        const std::size_t before = tree->payoffs.size();
        for (Py_ssize_t p = 0; plain && p < size; ++p) {
            PyObject* one =
                tuple ? PyTuple_GetItem(found.ptr(), p) : PyList_GetItem(found.ptr(), p);
            double value = 0;
            plain = plain_number(one, value) && std::isfinite(value);
            tree->payoffs.push_back(value);
        }
        if (plain) return;
        tree->payoffs.resize(before);
    }
    const std::size_t whole = tree->payoffs.size() + width_;
    for (const nb::handle value : checks_.attr("returns")(state)) {
        tree->payoffs.push_back(nb::cast<double>(value));
    }
    if (tree->payoffs.size() != whole) throw std::invalid_argument("one payoff for each player");
}

// The possible outcomes of chance at a state, of which it listed `found`: those with numbers from
// `first` to before `last`; `count` becomes the number of all. Unusual values are left to Python.
std::vector<ProtocolWalk::Edge> ProtocolWalk::outcomes(const nb::object& state,
                                                       const nb::object& found, std::int32_t first,
                                                       std::int32_t last, std::int32_t& count) {
    std::vector<Edge> edges;
    const auto add = [&](nb::handle outcome, double chance) {
        if (count >= first && count < last) edges.push_back(edge(outcome, count, chance));
        ++count;
    };
    double total = 0;
    bool plain = PyList_CheckExact(found.ptr()) || PyTuple_CheckExact(found.ptr());
    const auto take = [&](nb::handle pair) {
        double chance = 0;
        if (!PyTuple_CheckExact(pair.ptr()) || PyTuple_Size(pair.ptr()) != 2) return false;
        if (!plain_number(PyTuple_GetItem(pair.ptr(), 1), chance) || !(chance >= 0)) return false;
        total += chance;
        if (chance > 0) add(PyTuple_GetItem(pair.ptr(), 0), chance);
        return true;
    };
    if (plain) {
        for (const nb::handle pair : found) {
            plain = take(pair);
            if (!plain) break;
        }
    }
    if (plain && std::abs(total - 1) <= kRounding) return edges;
    edges.clear();
    count = 0;
    for (const nb::handle pair : checks_.attr("outcomes")(state)) {
        add(pair[0], nb::cast<double>(pair[1]));
    }
    return edges;
}

// An action or outcome with its number at the node, the number of its label and its probability.
ProtocolWalk::Edge ProtocolWalk::edge(nb::handle action, std::int32_t number, double chance) {
    return {nb::borrow(action), number, label_number(action), -1, chance};
}

// The number of the label of an action or outcome.
std::int32_t ProtocolWalk::label_number(nb::handle action) {
    // The key has the type too: True and 1 are equal but have different texts.
    const nb::tuple key = nb::make_tuple(action.type(), action);
    const std::int32_t label = number_of(label_of_, key);
    if (label < 0) checks_.attr("unhashable_action")(action);
    return label;
}

// The number of a view.
std::int32_t ProtocolWalk::view_number(nb::handle view) {
    const std::int32_t number = number_of(view_of_, view);
    if (number < 0) checks_.attr("unhashable_view")(view);
    return number;
}

// The number of a key in a dictionary, the next free one if it is new; -1 if it cannot be hashed.
std::int32_t ProtocolWalk::number_of(nb::dict& numbers, nb::handle key) {
    PyObject* found = PyDict_GetItemWithError(numbers.ptr(), key.ptr());
    if (found != nullptr) return static_cast<std::int32_t>(PyLong_AsLong(found));
    if (PyErr_Occurred() != nullptr) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
        PyErr_Clear();
        return -1;
    }
    const auto next = static_cast<std::int32_t>(numbers.size());
    const nb::object number = nb::int_(next);
    if (PyDict_SetItem(numbers.ptr(), key.ptr(), number.ptr()) != 0) throw nb::python_error();
    return next;
}

// The number of the player's history after `before`, an own action (-1: none) and a view.
std::int32_t ProtocolWalk::remember(std::int32_t before, std::int32_t action, nb::handle view) {
    const std::int32_t step = steps_.find(action, static_cast<std::uint32_t>(view_number(view)));
    return memories_.find(before, static_cast<std::uint32_t>(step));
}

// The last step of a player's history, by the history's number.
ProtocolWalk::Step ProtocolWalk::step(std::int32_t history) const {
    if (history < 0 || at(history) >= memories_.size()) throw std::out_of_range("no such history");
    const auto step = static_cast<std::int32_t>(memories_.token(history));
    return {memories_.before(history), steps_.before(step),
            static_cast<std::int32_t>(steps_.token(step))};
}

// Whether two views are equal; comparisons that fail are left to Python.
bool ProtocolWalk::same(nb::handle view, nb::handle before) {
    if (view.is(before)) return true;
    const int equal = PyObject_RichCompareBool(view.ptr(), before.ptr(), Py_EQ);
    if (equal >= 0) return equal == 1;
    if (!PyErr_ExceptionMatches(PyExc_ValueError)) throw nb::python_error();
    PyErr_Clear();
    return nb::cast<bool>(checks_.attr("same_views")(view, before));
}

// The player who moves at a child, which is checked if it is unusual.
int ProtocolWalk::mover_after(const nb::object& state, const Edge& edge, const nb::object& child) {
    if (Py_TYPE(child.ptr()) != known_type_ || child.is(state)) {
        checks_.attr("check_child")(state, edge.action, child);
    }
    const nb::object mover = child.attr(player_name_);
    if (PyLong_CheckExact(mover.ptr())) {
        int overflow = 0;
        const long number = PyLong_AsLongAndOverflow(mover.ptr(), &overflow);
        if (overflow == 0 && number >= kTerminal && number < static_cast<long>(width_)) {
            return static_cast<int>(number);
        }
    }
    const int checked = nb::cast<int>(checks_.attr("mover")(mover));
    if (checked < kTerminal || checked >= static_cast<int>(width_)) {
        throw std::invalid_argument("no such player");
    }
    return checked;
}

// Asks the game for the child after an edge, and puts it on the stack with the players' histories
// there. `here` is the parent, `node` its number, `share` that of the child.
void ProtocolWalk::push_child(const Pending& here, double share, std::int32_t node,
                              const Edge& edge) {
    nb::object child = here.state.attr(child_name_)(edge.action);
    const int then = mover_after(here.state, edge, child);
    if (then == kTerminal) {  // nobody decides any more, so nobody looks
        numbers_.insert(numbers_.end(), here_.begin(), here_.end());
        views_.insert(views_.end(), width_, nb::object());
    } else {
        look(child, here.mover, edge);
    }
    stack_.push_back({std::move(child), edge.chance, share, node, edge.number, edge.label,
                      here.depth + 1, then});
}

// Pushes the players' histories and views at a child: a history grows if the player acted or the
// view changed.
void ProtocolWalk::look(const nb::object& child, int mover, const Edge& edge) {
    for (std::size_t p = 0; p < width_; ++p) {
        nb::object view = child.attr(observation_name_)(players_[p]);
        std::int32_t number = here_[p];
        if (static_cast<int>(p) == mover) {
            number = remember(number, edge.memory, view);
        } else if (same(view, seen_[p])) {
            view = seen_[p];
        } else {
            number = remember(number, -1, view);
        }
        numbers_.push_back(number);
        views_.push_back(std::move(view));
    }
}

// The number of the mover's information set, which is added if it is new; an error if its actions
// differ from those at another history.
std::int32_t ProtocolWalk::infoset(const nb::object& state, int mover) {
    const nb::object found = state.attr(actions_name_)();
    PyObject* tuple = PySequence_Tuple(found.ptr());
    if (tuple == nullptr) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
        PyErr_Clear();
        tuple = checks_.attr("actions")(state).release().ptr();
    }
    const nb::object actions = nb::steal(tuple);
    const std::int32_t memory = here_[static_cast<std::size_t>(mover)];
    const std::int32_t known = known_infoset(memory, actions);
    if (known >= 0) return known;
    checks_.attr("new_infoset")(state, mover, actions, seen_[static_cast<std::size_t>(mover)],
                                memory);
    return new_infoset(mover, memory, actions);
}

// The number of the information set of a mover's history, -1 if it is new; an error if its actions
// are others.
std::int32_t ProtocolWalk::known_infoset(std::int32_t memory, const nb::object& actions) {
    if (at(memory) >= infoset_at_.size()) infoset_at_.resize(memories_.size() * 2, -1);
    const std::int32_t known = infoset_at_[at(memory)];
    if (known < 0) return -1;
    const int equal = PyObject_RichCompareBool(actions_[at(known)].ptr(), actions.ptr(), Py_EQ);
    if (equal < 0) throw nb::python_error();
    if (equal == 0) checks_.attr("other_actions")(known, actions_[at(known)], actions);
    return known;
}

// Adds an information set with these actions, a tuple, and returns its number.
std::int32_t ProtocolWalk::new_infoset(int mover, std::int32_t memory, const nb::object& actions) {
    std::vector<Edge> edges;
    std::vector<std::int32_t> menu;
    for (const nb::handle action : actions) {
        edges.push_back(edge(action, static_cast<std::int32_t>(edges.size()), 1.0));
        edges.back().memory = number_of(action_of_, action);
        menu.push_back(edges.back().label);
    }
    const std::int32_t number = add_infoset(mover, memory, menu);
    infoset_at_[at(memory)] = number;
    edges_.push_back(std::move(edges));
    actions_.push_back(actions);
    return number;
}

// All actions and outcomes of chance, in the order of the numbers of their labels.
ProtocolWalk::Values ProtocolWalk::labels() const {
    nb::list actions;
    for (const nb::handle key : label_of_.keys()) actions.append(key[1]);
    return Values(std::move(actions));
}

}  // namespace fogtree
