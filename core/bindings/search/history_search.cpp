// The search of games that are not compiled.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "bindings/protocol_game.hpp"
#include "bindings/search/methods.hpp"
#include "search/history_belief.hpp"
#include "search/history_game.hpp"
#include "tree/history_walk.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace search = fogtree::search;
using fogtree::History;
using fogtree::ProtocolGame;

// How nanobind converts a history to Python: a tuple of the numbers of the actions that lead to it.
template <>
struct nb::detail::type_caster<search::HistoryState> {
    NB_TYPE_CASTER(search::HistoryState, const_name("tuple[int, ...]"))
    bool from_python(handle, uint8_t, cleanup_list*) noexcept { return false; }
    // The path from the root to a history, as a tuple of action numbers.
    static handle from_cpp(const search::HistoryState& state, rv_policy, cleanup_list*) noexcept {
        std::vector<std::int32_t> path;
        for (const History* h = state.at; h->parent != nullptr; h = h->parent) {
            path.push_back(h->action);
        }
        std::reverse(path.begin(), path.end());
        PyObject* out = PyTuple_New(static_cast<Py_ssize_t>(path.size()));
        for (std::size_t i = 0; out != nullptr && i < path.size(); ++i) {
            PyTuple_SetItem(out, static_cast<Py_ssize_t>(i), PyLong_FromLong(path[i]));
        }
        return out;
    }
};

namespace {

// A game in Python, walked through its protocol with the interpreter's lock.
class ProtocolSource final : public fogtree::HistorySource {
public:
    explicit ProtocolSource(nb::object game) : game_(std::move(game), 2) {}

    // Fills the root from the game's first state.
    void begin(History& root) const override {
        const auto guard = game_.guard();
        fill(root, game_.root());
    }

    // Makes all children of a history, in the order of its actions, and sets `count`. The caller
    // sets their parents, keys and actions.
    std::unique_ptr<History[]> children(const History& of, std::int32_t& count) const override {
        const auto guard = game_.guard();
        const ProtocolGame::State& parent = place(of);
        const int edges = game_.edges(parent);
        auto made = std::make_unique<History[]>(static_cast<std::size_t>(edges));
        for (int n = 0; n < edges; ++n) {
            ProtocolGame::State child = parent;
            game_.step(child, n);
            fill(made[static_cast<std::size_t>(n)], child);
            if (of.player == fogtree::kChance) {
                made[static_cast<std::size_t>(n)].probability =
                    parent->weights[static_cast<std::size_t>(n)];
            }
        }
        count = edges;
        return made;
    }

    // Player 0's payoff at the end of a random game from a history; its number of moves is added to
    // `steps`.
    double playout(const History& from, fogtree::SplitMix64& random,
                   std::int64_t& steps) const override {
        const auto guard = game_.guard();
        return game_.playout(place(from), random, steps);
    }

    // The text of the action or outcome that leads to a history.
    std::string label(const History& child) const override {
        const auto guard = game_.guard();
        return game_.label(place(*child.parent), child.action);
    }

    // Frees histories, whose states are Python objects.
    void free(std::unique_ptr<History[]> histories) const override {
        const auto guard = game_.guard();
        histories.reset();
    }

    // The memory of one history's state, by estimate.
    std::size_t bytes() const override { return kBytes; }

private:
    static constexpr std::size_t kBytes = 800;  // a state with two views, in the package's games

    // What `History::state` points to.
    struct Kept {
        ProtocolGame::State place;
    };
    static const ProtocolGame::State& place(const History& of) {
        return static_cast<const Kept*>(of.state.get())->place;
    }

    // Fills a history from the game's state: its mover, both players' keys, and at the end player
    // 0's payoff.
    void fill(History& out, const ProtocolGame::State& place) const {
        out.state = std::make_shared<const Kept>(Kept{place});
        out.player = static_cast<std::int8_t>(place->player);
        out.views[0] = place->histories[0];
        out.views[1] = place->histories[1];
        if (place->player == fogtree::kTerminal) out.payoff = game_.zero_sum_payoff(place);
    }

    ProtocolGame game_;
};

// A search with the game, the leaf values and the belief that it refers to.
struct HistorySearch {
    search::HistoryGame game;
    search::RandomPlayEvaluator evaluator;
    search::HistoryBelief belief;
    search::Search<search::HistoryGame, search::RandomPlayEvaluator> engine;
    int me;

    // `cap`: the most positions of the belief; `playouts`: random games for a leaf's value, 0: the
    // exact value of random play; `scale`: payoffs are divided by it, 0: by the largest that random
    // games find. The engine refuses players other than 0 and 1.
    HistorySearch(std::unique_ptr<const fogtree::HistorySource> source,
                  const search::Options& options, int player, std::size_t cap, int playouts,
                  double scale)
        : game(std::move(source), scale),
          evaluator(game, playouts),
          belief(game, player == 1 ? 1 : 0, cap, options.seed),
          engine(game, evaluator, options, player),
          me(player) {
        engine.begin({&game.root()}, game.root().views[0], game.root().views[1]);
    }

    // Updates the belief by `step(belief, time limit)` to our next decision, whose actions must
    // have these labels. Returns an empty text or, if that is not possible, the reason: then
    // nothing changes.
    template <class Step>
    std::string follow(std::vector<std::string> actions, Step&& step) {
        search::HistoryBelief next = belief;
        const fogtree::TimeLimit limit(&engine.stop_flag());
        bool fits = step(next, limit);
        if (!fits && limit.reached()) {  // stopped: the effort without a limit is bounded too
            next = belief;
            fits = step(next, fogtree::TimeLimit());
        }
        if (!fits) return "no history was found that fits what the player has seen";
        const History* at = decision(next);
        if (at == nullptr) return "it is not this player's turn";
        std::vector<std::string> expected = labels_below(*at);
        std::sort(actions.begin(), actions.end());
        std::sort(expected.begin(), expected.end());
        if (expected != actions) return "the game has other actions there";
        belief = std::move(next);
        return {};
    }

    // Makes the present belief the root of the search, and frees what neither needs any more.
    void move_to(std::optional<double> seconds) {
        std::vector<search::HistoryState> possible;
        for (const History* h : belief.positions()) possible.push_back({h});
        engine.move_to(belief.key(), possible, {}, {}, time_limit(engine, seconds));
        std::vector<const History*> needed = belief.positions();
        for (const auto& choice : engine.subgame().gadget.choices) {
            for (const auto* node : choice.nodes) add_needed(*node, needed);
        }
        game.keep_only(needed);
    }

    // A history of the belief, or below one of its positions without a new observation of ours, at
    // which our player decides; null if there is none.
    const History* decision(const search::HistoryBelief& of) const {
        std::vector<const History*> open(of.positions().rbegin(), of.positions().rend());
        while (!open.empty()) {
            const History& h = *open.back();
            open.pop_back();
            if (h.player == me) return &h;
            for (const History& child : game.children(h)) {
                if (child.player != fogtree::kTerminal && child.views[me] == of.key())
                    open.push_back(&child);
            }
        }
        return nullptr;
    }

    // The labels of a history's children.
    std::vector<std::string> labels_below(const History& h) const {
        std::vector<std::string> out;
        for (const History& child : game.children(h)) out.push_back(game.source().label(child));
        return out;
    }

    // The labels on a path of action numbers from the root.
    std::vector<std::string> labels(const std::vector<std::int32_t>& path) const {
        std::vector<std::string> out;
        const History* h = &game.root();
        for (const std::int32_t action : path) {
            if (h->player == fogtree::kTerminal) throw std::invalid_argument("the game is over");
            const auto below = game.children(*h);
            if (action < 0 || static_cast<std::size_t>(action) >= below.size())
                throw std::invalid_argument("no such action");
            h = &below[static_cast<std::size_t>(action)];
            out.push_back(game.source().label(*h));
        }
        return out;
    }

private:
    // Lists the histories of a node of the search tree and of all nodes below it.
    template <class Node>
    static void add_needed(const Node& node, std::vector<const History*>& needed) {
        needed.push_back(node.state.at);
        for (std::int32_t k = 0; k < node.count; ++k) add_needed(node.children[k], needed);
    }
};

// Adds the methods that update and read the belief.
void bind_belief(nb::class_<HistorySearch>& type) {
    type.def(
            "follow",
            [](HistorySearch& s, const std::vector<std::pair<std::uint64_t, std::uint64_t>>& steps,
               std::vector<std::string> actions) {
                const auto alone = s.engine.in_use().alone();
                return s.follow(std::move(actions), [&](auto& belief, const auto& limit) {
                    return std::all_of(steps.begin(), steps.end(), [&](const auto& step) {
                        return belief.follow(step.first, step.second, limit);
                    });
                });
            },
            "steps"_a, "actions"_a, nb::call_guard<nb::gil_scoped_release>(),
            "Update the belief to our player's next decision, whose actions have the labels "
            "`actions`. Each step has the key that the player's history gets and the key that it "
            "may have shortly before. Returns an empty text or, if no history fits, the reason, "
            "and then nothing changes.")
        .def(
            "follow_name",
            [](HistorySearch& s, const std::string& name, std::int32_t action,
               std::vector<std::string> actions) {
                const auto alone = s.engine.in_use().alone();
                return s.follow(std::move(actions), [&](auto& belief, const auto& limit) {
                    return belief.follow_name(name, action, limit);
                });
            },
            "name"_a, "action"_a, "actions"_a, nb::call_guard<nb::gil_scoped_release>(),
            "Update the belief as `follow` does, to our next decision, given the name of its "
            "information set and the number of our action at the last decision (-1: there was "
            "none).")
        .def(
            "move_to",
            [](HistorySearch& s, std::optional<double> seconds) {
                const auto alone = s.engine.in_use().alone();
                s.move_to(seconds);
            },
            "seconds"_a = nb::none(), nb::call_guard<nb::gil_scoped_release>(),
            "Make the belief the root of the search. When the seconds are over or the stop flag is "
            "set, less of the last tree is kept.")
        .def_prop_ro(
            "positions",
            [](const HistorySearch& s) {
                const auto reading = s.engine.in_use().reading();
                std::vector<search::HistoryState> out;
                for (const History* h : s.belief.positions()) out.push_back({h});
                return out;
            },
            "The histories of the belief, each as the numbers of the actions that lead to it.")
        .def_prop_ro(
            "complete",
            [](const HistorySearch& s) {
                const auto reading = s.engine.in_use().reading();
                return s.belief.complete();
            },
            "Whether the belief has every possible history, not only a sample.")
        .def_prop_ro(
            "histories",
            [](const HistorySearch& s) {
                const auto reading = s.engine.in_use().reading();
                return s.game.histories();
            },
            "Number of histories that are kept in memory.");
}

}  // namespace

// Adds HistorySearch to the module.
void bind_history_search(nb::module_& module) {
    nb::class_<HistorySearch> type(module, "HistorySearch",
                                   "A search on a game that is not compiled.");
    bind_search_methods(type);
    bind_belief(type);
    type.def(
            "__init__",
            [](HistorySearch* self, const fogtree::NativeWalk& walk, const search::Options& options,
               int player, std::size_t cap, int playouts, double scale) {
                new (self) HistorySearch(walk.histories(), options, player, cap, playouts, scale);
            },
            "game"_a, "options"_a, "player"_a, nb::kw_only(), "cap"_a, "playouts"_a,
            "scale"_a = 0.0, "The same for a game with native rules.")
        .def(
            "__init__",
            [](HistorySearch* self, nb::object game, const search::Options& options, int player,
               std::size_t cap, int playouts, double scale) {
                auto source = std::make_unique<const ProtocolSource>(std::move(game));
                new (self) HistorySearch(std::move(source), options, player, cap, playouts, scale);
            },
            "game"_a, "options"_a, "player"_a, nb::kw_only(), "cap"_a, "playouts"_a,
            "scale"_a = 0.0,
            "At most `cap` histories are in the belief. Leaf values are means of `playouts` random "
            "games, or exact with 0. Payoffs are divided by `scale`; 0: by the largest one in some "
            "random games.")
        .def_prop_ro(
            "scale", [](const HistorySearch& s) { return s.game.scale(); },
            "The payoff that the search's value 1 stands for.")
        .def(
            "actions",
            [](HistorySearch& s) {
                const auto alone = s.engine.in_use().alone();
                const nb::gil_scoped_release release;
                const History* h = s.decision(s.belief);
                return h == nullptr ? std::vector<std::string>{} : s.labels_below(*h);
            },
            "The labels of our actions at the present information set; empty if we do not decide.")
        .def(
            "labels",
            [](HistorySearch& s, const std::vector<std::int32_t>& path) {
                const auto reading = s.engine.in_use().reading();
                const nb::gil_scoped_release release;
                return s.labels(path);
            },
            "path"_a,
            "The labels of the actions on the path to a history, which is given by their numbers.");
}
