#include "bindings/protocol_game.hpp"

#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "common/hash.hpp"
#include "sampling/simulated_game_of.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fogtree {

namespace {

// Start values of hashes: they keep values of different kinds, and actions and views, apart.
enum Kind : std::uint64_t { kNone = 1, kText, kBytes, kNumber, kReal, kTuple, kSet, kOther };
enum Token : std::uint64_t { kAction = 101, kView };

// Takes ownership of a new reference; throws the Python error if it is null.
nb::object owned(PyObject* result) {
    if (result == nullptr) throw nb::python_error();
    return nb::steal(result);
}

// Raises one of fogtree's errors in Python.
[[noreturn]] void raise(const char* error, const std::string& message) {
    const nb::object kind = nb::module_::import_("fogtree.errors").attr(error);
    PyErr_SetString(kind.ptr(), message.c_str());
    throw nb::python_error();
}

// Extends a hash by bytes, eight at a time.
std::uint64_t hash_bytes(std::uint64_t hash, const char* data, std::size_t size) {
    hash = combine_hashes(hash, size);
    for (std::size_t i = 0; i < size; i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, data + i, std::min<std::size_t>(8, size - i));
        hash = combine_hashes(hash, word);
    }
    return hash;
}

// The hash of a Python text; `kind` keeps equal texts of different kinds apart.
std::uint64_t hash_text(std::uint64_t kind, PyObject* text) {
    Py_ssize_t size = 0;
    if (const char* data = PyUnicode_AsUTF8AndSize(text, &size)) {
        return hash_bytes(kind, data, static_cast<std::size_t>(size));
    }
    PyErr_Clear();  // a lone surrogate
    const nb::object bytes = owned(PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass"));
    return hash_bytes(kind, PyBytes_AsString(bytes.ptr()),
                      static_cast<std::size_t>(PyBytes_Size(bytes.ptr())));
}

// The hash of a Python int of any size.
std::uint64_t hash_whole(PyObject* number) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow == 0) return combine_hashes(kNumber, static_cast<std::uint64_t>(value));
    return hash_text(kNumber, owned(PyObject_Str(number)).ptr());
}

// The hash of a Python float; a whole number has the hash of the int.
std::uint64_t hash_real(PyObject* number) {
    const double value = PyFloat_AsDouble(number);
    if (std::isfinite(value) && value == std::floor(value)) {
        return hash_whole(owned(PyLong_FromDouble(value)).ptr());
    }
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return combine_hashes(kReal, bits);
}

std::uint64_t hash_value(PyObject* value);

// Counts the nesting of values, and throws RecursionError if it is too deep.
class Nested {
public:
    Nested() {
        if (Py_EnterRecursiveCall(" in the hash of a view")) throw nb::python_error();
    }
    ~Nested() { Py_LeaveRecursiveCall(); }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
};

// The hash of a tuple of values.
std::uint64_t hash_tuple(PyObject* tuple) {
    const Nested nested;
    const Py_ssize_t size = PyTuple_Size(tuple);
    std::uint64_t hash = combine_hashes(kTuple, static_cast<std::uint64_t>(size));
    for (Py_ssize_t i = 0; i < size; ++i) {
        hash = combine_hashes(hash, hash_value(PyTuple_GetItem(tuple, i)));
    }
    return hash;
}

// The hash of a frozenset: a sum, which does not depend on the order of its elements.
std::uint64_t hash_set(PyObject* set) {
    const Nested nested;
    std::uint64_t sum = 0;
    for (const nb::handle element : nb::borrow(set)) sum += mix64(hash_value(element.ptr()));
    return combine_hashes(kSet, sum);
}

// The hash of any other value, by its repr(); an error if that does not show its contents.
std::uint64_t hash_other(PyObject* value) {
    const nb::object text = owned(PyObject_Repr(value));
    const std::string_view shown = nb::cast<const char*>(text);
    if (PyObject_Hash(value) == -1) {
        PyErr_Clear();
        raise("GameError",
              "views and actions must be hashable, not " + std::string(shown.substr(0, 60)));
    }
    if (shown.find(" at 0x") != std::string_view::npos) {
        raise("GameError",
              "views and actions must be texts, numbers or tuples of them, or show "
              "their contents in repr(), for a game to be sampled without compiling, "
              "not " +
                  std::string(shown.substr(0, 60)));
    }
    return hash_text(kOther, text.ptr());
}

// The hash of a Python value. Equal values have equal hashes if they are texts, bytes, numbers,
// tuples or frozensets; other values are hashed by their repr().
std::uint64_t hash_value(PyObject* value) {
    if (PyUnicode_Check(value)) return hash_text(kText, value);
    if (PyLong_Check(value)) return hash_whole(value);
    if (value == Py_None) return mix64(kNone);
    if (PyTuple_Check(value)) return hash_tuple(value);
    if (PyFloat_Check(value)) return hash_real(value);
    if (PyBytes_Check(value)) {
        return hash_bytes(kBytes, PyBytes_AsString(value),
                          static_cast<std::size_t>(PyBytes_Size(value)));
    }
    if (PyFrozenSet_Check(value)) return hash_set(value);
    if (PyIndex_Check(value)) return hash_whole(owned(PyNumber_Index(value)).ptr());
    return hash_other(value);
}

// A history extended by an action or a view; an error names the game.
std::uint64_t extended(nb::handle game, std::uint64_t (*after)(std::uint64_t, nb::handle),
                       std::uint64_t history, nb::handle value) {
    try {
        return after(history, value);
    } catch (nb::python_error& error) {
        if (!error.matches(nb::module_::import_("fogtree.errors").attr("GameError"))) throw;
        raise("GameError", nb::cast<std::string>(nb::str(game)) + ": " +
                               nb::cast<std::string>(nb::str(error.value())));
    }
}

// A method's name as an interned Python text, which makes calls faster.
nb::object name_of_method(const char* name) {
    return owned(PyUnicode_InternFromString(name));
}

}  // namespace

// The hash of a player's history before anything has happened.
std::uint64_t HistoryHash::start(int player) {
    return mix64(kGoldenRatio * (static_cast<std::uint64_t>(player) + 1));
}

// The hash of a player's history after an action of that player.
std::uint64_t HistoryHash::after_action(std::uint64_t history, nb::handle action) {
    return combine_hashes(combine_hashes(history, kAction), hash_value(action.ptr()));
}

// The hash of a player's history after a view that differs from the last one.
std::uint64_t HistoryHash::after_view(std::uint64_t history, nb::handle view) {
    return combine_hashes(combine_hashes(history, kView), hash_value(view.ptr()));
}

// Names of methods and the players' numbers are made once, because every state needs them.
ProtocolGame::ProtocolGame(nb::object game, int players)
    : game_(std::move(game)),
      checks_(nb::module_::import_("fogtree.game.checks")),
      players_(players),
      child_(name_of_method("child")),
      actions_(name_of_method("actions")),
      player_(name_of_method("player")),
      observation_(name_of_method("observation")) {
    if (players < 1 || players > kMostPlayers) {
        throw std::invalid_argument("a game that is sampled has 1 to 60 players");
    }
    for (int p = 0; p < players; ++p) numbers_.push_back(nb::int_(p));
}

// Raises GameError with the game's name and the fault.
void ProtocolGame::refuse(const std::string& fault) const {
    raise("GameError", nb::cast<std::string>(nb::str(game_)) + ": " + fault);
}

// The first state of the game with the players' first views; made on the first call.
ProtocolGame::State ProtocolGame::root() const {
    if (root_ == nullptr) {
        auto place = std::make_shared<Place>();
        place->state = checked("checked_root");
        place->player = mover(place->state);
        for (int p = 0; p < players_; ++p) {
            place->histories.push_back(HistoryHash::start(p));
            place->views.push_back(nb::none());
        }
        look(*place, kChance, {});
        known_ = Py_TYPE(place->state.ptr());
        root_ = place;
    }
    return root_;
}

// The player who moves at a state; what is not a plain number is checked in Python.
int ProtocolGame::mover(const nb::object& state) const {
    const nb::object mover = owned(PyObject_GetAttr(state.ptr(), player_.ptr()));
    if (PyLong_CheckExact(mover.ptr())) {
        int overflow = 0;
        const long number = PyLong_AsLongAndOverflow(mover.ptr(), &overflow);
        if (overflow == 0 && number >= kTerminal && number < players_) {
            return static_cast<int>(number);
        }
    }
    return nb::cast<int>(checked("checked_player", mover, players_));
}

// Whether two views are equal; comparisons that fail are left to Python.
bool ProtocolGame::same(const nb::object& view, const nb::object& before) const {
    if (view.is(before)) return true;
    const int equal = PyObject_RichCompareBool(view.ptr(), before.ptr(), Py_EQ);
    if (equal >= 0) return equal == 1;
    PyErr_Clear();
    return nb::cast<bool>(checked("same_views", view, before));
}

// Extends the players' histories at a new place: the mover's by the action that led here (mover >=
// 0: it was a player's), and everybody's by the view there, if it differs from the last. Terminal
// states are not observed.
void ProtocolGame::look(Place& place, int mover, nb::handle action) const {
    if (place.player == kTerminal) return;
    if (mover >= 0) {
        auto& history = place.histories[static_cast<std::size_t>(mover)];
        history = extended(game_, HistoryHash::after_action, history, action);
    }
    for (std::size_t p = 0; p < place.views.size(); ++p) {
        nb::object view = owned(PyObject_CallMethodObjArgs(place.state.ptr(), observation_.ptr(),
                                                           numbers_[p].ptr(), nullptr));
        if (same(view, place.views[p])) continue;
        place.histories[p] = extended(game_, HistoryHash::after_view, place.histories[p], view);
        place.views[p] = std::move(view);
    }
}

// Asks the game for the legal actions at a place, once.
void ProtocolGame::find_actions(const Place& place) const {
    if (place.edges.is_valid()) return;
    const nb::object found =
        owned(PyObject_CallMethodObjArgs(place.state.ptr(), actions_.ptr(), nullptr));
    PyObject* edges = PySequence_Tuple(found.ptr());
    if (edges == nullptr || PyTuple_Size(edges) == 0) {
        PyErr_Clear();
        Py_XDECREF(edges);
        const nb::object again = checked("checked_edges", place.state, place.player);
        edges = PySequence_Tuple(again.ptr());
        if (edges == nullptr) throw nb::python_error();
    }
    nb::tuple actions = nb::steal<nb::tuple>(edges);
    if (actions.size() > kMostActions) {
        refuse("more than 1,024 actions, the most that can be sampled");
    }
    place.edges = std::move(actions);
}

// The number of legal actions at a player's state.
int ProtocolGame::actions(const State& state) const {
    find_actions(*state);
    return static_cast<int>(PyTuple_Size(state->edges.ptr()));
}

// Asks the game for the possible outcomes of chance at a place, once.
void ProtocolGame::find_outcomes(const Place& place) const {
    if (place.edges.is_valid()) return;
    nb::list outcomes;
    std::vector<double> weights;
    for (const nb::handle outcome : checked("checked_outcomes", place.state)) {
        const double weight = nb::cast<double>(outcome[1]);
        if (weight <= 0) continue;
        outcomes.append(outcome[0]);
        weights.push_back(weight);
    }
    place.even = std::all_of(weights.begin(), weights.end(),
                             [&](double weight) { return weight == weights.front(); });
    place.weights = std::move(weights);
    place.edges = nb::tuple(outcomes);
}

// A player's payoff at the end; the game is asked for the payoffs once.
double ProtocolGame::payoff(const State& state, int player) const {
    if (state->payoffs.empty()) state->payoffs = payoffs_at(state->state);
    return state->payoffs.at(static_cast<std::size_t>(player));
}

// The checked payoffs of all players at a terminal state.
std::vector<double> ProtocolGame::payoffs_at(const nb::object& state) const {
    std::vector<double> payoffs;
    for (const nb::handle value : checked("checked_returns", state, players_)) {
        payoffs.push_back(nb::cast<double>(value));
    }
    return payoffs;
}

// Player 0's payoff; an error unless the two payoffs add up to 0.
double ProtocolGame::checked_zero_sum(const std::vector<double>& payoffs) const {
    constexpr double rounding = 1e-9;
    if (!(std::abs(payoffs[0] + payoffs[1]) <= rounding * std::abs(payoffs[0]))) {
        raise("GameError", nb::cast<std::string>(nb::str(game_)) +
                               " is not a two-player zero-sum game; it cannot be searched");
    }
    return payoffs[0];
}

// Player 0's payoff at a terminal state; an error unless the two payoffs add up to 0.
double ProtocolGame::zero_sum_payoff(const State& state) const {
    return checked_zero_sum(payoffs_at(state->state));
}

// The number of legal actions, or of possible outcomes of chance.
int ProtocolGame::edges(const State& state) const {
    if (state->player != kChance) return actions(state);
    find_outcomes(*state);
    return static_cast<int>(state->weights.size());
}

// The text of an action or outcome, by its number; edges() must have been called for the state.
std::string ProtocolGame::label(const State& state, int edge) const {
    return nb::cast<std::string>(nb::str(nb::handle(PyTuple_GetItem(state->edges.ptr(), edge))));
}

// A random action, all equally likely, or a random outcome by its probability.
nb::object ProtocolGame::random_edge(const nb::object& state, int mover, SplitMix64& random) const {
    if (mover != kChance) {
        const nb::object actions = checked("checked_edges", state, mover);
        return actions[random.below(nb::len(actions))];
    }
    const nb::object outcomes = checked("checked_outcomes", state);
    double left = random.unit();
    nb::object chosen;
    for (const nb::handle outcome : outcomes) {
        const double weight = nb::cast<double>(outcome[1]);
        if (weight <= 0) continue;
        chosen = outcome[0];
        if ((left -= weight) < 0) break;
    }
    return chosen;
}

// Player 0's payoff at the end of a random game from a state; adds its moves to `steps`.
double ProtocolGame::playout(const State& from, SplitMix64& random, std::int64_t& steps) const {
    nb::object state = from->state;
    int player = from->player;
    for (int depth = from->depth; player != kTerminal; ++depth, ++steps) {
        if (depth >= kMostMoves) refuse(kEndlessPath);
        const nb::object taken = random_edge(state, player, random);
        state = owned(PyObject_CallMethodObjArgs(state.ptr(), child_.ptr(), taken.ptr(), nullptr));
        if (Py_TYPE(state.ptr()) != known_) checked("checked_state", state, "a move leads to");
        player = mover(state);
    }
    return checked_zero_sum(payoffs_at(state));
}

// Refuses paths that are too long, and walks that have used up the stack: samplers that try several
// actions recurse at every own decision.
void ProtocolGame::check_depth(const Place& before) const {
    if (before.depth >= kMostMoves) refuse(kEndlessPath);
    if (StackMark::used_up()) refuse(kDeepWalk);
}

// Refuses a child that is the same object as its parent, or that is no state.
void ProtocolGame::check_child(const Place& before, const nb::object& action,
                               const nb::object& child) const {
    if (child.is(before.state)) {
        refuse("action '" + nb::cast<std::string>(nb::str(action)).substr(0, 40) +
               "' leads back to the same state");
    }
    if (Py_TYPE(child.ptr()) != known_) checked("checked_state", child, "a move leads to");
}

// Moves to the child of a state by the number of its action or outcome.
void ProtocolGame::step(State& state, int action) const {
    const Place& before = *state;
    check_depth(before);
    const int mover_before = before.player;
    if (mover_before != kChance) find_actions(before);
    const nb::object taken = nb::borrow(PyTuple_GetItem(before.edges.ptr(), action));
    auto place = std::make_shared<Place>();
    place->state =
        owned(PyObject_CallMethodObjArgs(before.state.ptr(), child_.ptr(), taken.ptr(), nullptr));
    check_child(before, taken, place->state);
    place->player = mover(place->state);
    place->depth = before.depth + 1;
    place->histories = before.histories;
    place->views = before.views;
    look(*place, mover_before, taken);
    state = std::move(place);
}

}  // namespace fogtree

// Adds protocol_game and the hashes of players' histories to the module.
void bind_protocol_game(nb::module_& module) {
    using fogtree::HistoryHash;
    module.def(
        "protocol_game",
        [](nb::object game, int players) -> std::unique_ptr<fogtree::SimulatedGame> {
            return std::make_unique<fogtree::SimulatedGameOf<fogtree::ProtocolGame>>(
                std::make_shared<const fogtree::ProtocolGame>(std::move(game), players), true);
        },
        "game"_a, "players"_a, "Any game as a simulated game, walked through its protocol.");
    module.def("history_start", &HistoryHash::start, "player"_a,
               "The hash of a player's history before anything has happened.");
    module.def("history_after_action", &HistoryHash::after_action, "history"_a, "action"_a.none(),
               "The hash of a player's history after an action of that player.");
    module.def("history_after_view", &HistoryHash::after_view, "history"_a, "view"_a.none(),
               "The hash of a player's history after a view that differs from the last one.");
}
