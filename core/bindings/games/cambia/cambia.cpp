// Python's classes of Cambia: rules, positions and the builder of its tree.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <tuple>

#include "bindings/arrays.hpp"
#include "bindings/games/cambia/table.hpp"
#include "games/cambia/position.hpp"
#include "games/cambia/scripts.hpp"
#include "games/cambia/tree_builder.hpp"
#include "games/cambia/walk.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using fogtree::cambia::Card;
using fogtree::cambia::Phase;
using fogtree::cambia::Position;
using fogtree::cambia::Rules;
using fogtree::cambia::TreeBuilder;

namespace {

constexpr int kMostTurns = 10000;

using Hands = nb::typed<nb::tuple, nb::typed<nb::tuple, int, nb::ellipsis>, nb::ellipsis>;
using Cards = nb::typed<nb::tuple, int, nb::ellipsis>;

// `count` numbers as a tuple of Python.
template <class T>
nb::tuple tuple_of(const T* first, int count) {
    auto out = nb::steal<nb::tuple>(PyTuple_New(count));
    for (int i = 0; i < count; ++i) {
        NB_TUPLE_SET_ITEM(out.ptr(), i, PyLong_FromLong(static_cast<long>(first[i])));
    }
    return out;
}

// One number per card in every player's hand, as a tuple of tuples.
template <class T>
Hands rows_of(const Table& table, const T (&rows)[6][6]) {
    auto out = nb::steal<nb::tuple>(PyTuple_New(table.rules->players));
    for (int p = 0; p < table.rules->players; ++p) {
        NB_TUPLE_SET_ITEM(out.ptr(), p, tuple_of(rows[p], table.position.sizes[p]).release().ptr());
    }
    return nb::borrow<Hands>(out);
}

// The cards of the stock in rising order, which does not tell in which order they will be drawn.
Cards stock_of(const Table& table) {
    std::vector<Card> cards(table.position.cards, table.position.cards + table.position.stock_size);
    std::sort(cards.begin(), cards.end());
    return nb::borrow<Cards>(tuple_of(cards.data(), static_cast<int>(cards.size())));
}

// The discard pile from the bottom to the top.
Cards discard_of(const Table& table) {
    const int size = table.position.discard_size;
    std::vector<Card> cards(table.position.cards + fogtree::cambia::kMostCards - size,
                            table.position.cards + fogtree::cambia::kMostCards);
    std::reverse(cards.begin(), cards.end());
    return nb::borrow<Cards>(tuple_of(cards.data(), size));
}

// Who acts next; -1: chance, -2: the game is over.
int player_of(const Table& table) {
    if (table.position.over()) return -2;
    return table.position.by_chance() ? -1 : table.position.actor;
}

// The numbers of the legal actions.
std::vector<int> legal_of(const Table& table) {
    std::vector<int> out;
    const int count = table.position.move_count(*table.rules);
    for (int number = 0; number < count; ++number) {
        const auto move = table.position.move(*table.rules, number);
        out.push_back(fogtree::cambia::action_of(move, table.rules->players));
    }
    return out;
}

// The outcomes of chance with their probabilities: who starts, or the card that is drawn.
std::vector<std::pair<int, double>> chance_of(const Table& table) {
    std::vector<std::pair<int, double>> out;
    const Position& position = table.position;
    if (!position.by_chance()) return out;
    if (position.phase == Phase::starter) {
        const int players = table.rules->players;
        for (int p = 0; p < players; ++p) out.emplace_back(p, 1.0 / players);
        return out;
    }
    std::map<int, int> counts;
    const int size = position.pool_size();
    for (int place = 0; place < size; ++place) ++counts[position.pool()[place]];
    for (const auto& [card, count] : counts) {
        out.emplace_back(card, static_cast<double>(count) / size);
    }
    return out;
}

// Applies an outcome of chance (the player who starts, or the card that is drawn); false if it is
// not possible.
bool settle(Table& table, int outcome) {
    Position& position = table.position;
    if (position.phase == Phase::starter) {
        if (outcome < 0 || outcome >= table.rules->players) return false;
        position.start_with(outcome);
        return true;
    }
    for (int place = 0; place < position.pool_size(); ++place) {
        if (position.pool()[place] == outcome) {
            position.draw_at(*table.rules, place);
            return true;
        }
    }
    return false;
}

// The position after an action or an outcome of chance, by its number; throws if it is not
// possible.
Table child_of(const Table& table, int action) {
    Table after = table;
    bool done = false;
    if (table.position.by_chance()) {
        done = settle(after, action);
    } else if (action >= 0 && action < fogtree::cambia::action_count(table.rules->players)) {
        const auto move = fogtree::cambia::move_of(action, table.rules->players);
        done = table.position.legal(*table.rules, move);
        if (done) after.position.act(*table.rules, move);
    }
    if (!done) throw std::invalid_argument("not possible here");
    return after;
}

// The number of the action that the scripted player with this name takes; throws if nobody decides,
// or if the script is unknown or random.
int scripted_of(const Table& table, const std::string& name) {
    const auto script = fogtree::cambia::script_named(name);
    if (player_of(table) < 0 || script <= fogtree::cambia::Script::random_late_cambia ||
        table.position.move_count(*table.rules) == 0) {
        throw std::invalid_argument("no such decision");
    }
    const int number = fogtree::cambia::scripted_move(script, *table.rules, table.position);
    const auto move = table.position.move(*table.rules, number);
    return fogtree::cambia::action_of(move, table.rules->players);
}

// Every player's payoff.
std::vector<double> returns_of(const Table& table) {
    std::vector<double> out(static_cast<std::size_t>(table.rules->players));
    table.position.returns(*table.rules, out.data());
    return out;
}

// The points in every player's hand.
std::vector<int> totals_of(const Table& table) {
    std::vector<int> out;
    for (int p = 0; p < table.rules->players; ++p) out.push_back(table.position.total(p));
    return out;
}

// Adds CambiaRules to the module.
void bind_rules(nb::module_& module) {
    nb::class_<Rules>(module, "CambiaRules", "The rules of a game of Cambia.")
        .def(
            "__init__",
            [](Rules* self, int players, const std::vector<int>& deck, int hand, int looks,
               int penalty, int max_turns, int cambia_from_round, bool draw_discard,
               bool opponent_snap, bool replace_abilities, bool lock_caller, bool snap_always,
               bool show_wrong_snap, bool earlier_defects) {
                const auto size = static_cast<int>(deck.size());
                if (players < 2 || players > fogtree::cambia::kMostPlayers || hand < 1 ||
                    hand > fogtree::cambia::kHandLimit || size > fogtree::cambia::kMostCards ||
                    size <= players * hand + 1 || looks < 0 ||
                    looks > fogtree::cambia::kHandLimit || penalty < 0 || max_turns < 1 ||
                    max_turns > kMostTurns || cambia_from_round < 0 ||
                    cambia_from_round > kMostTurns) {
                    throw std::invalid_argument("no game of Cambia has these rules");
                }
                new (self) Rules{players,
                                 size,
                                 {},
                                 hand,
                                 looks,
                                 penalty,
                                 max_turns,
                                 cambia_from_round,
                                 draw_discard,
                                 opponent_snap,
                                 replace_abilities,
                                 lock_caller,
                                 snap_always,
                                 show_wrong_snap,
                                 earlier_defects};
                for (std::size_t i = 0; i < deck.size(); ++i) {
                    if (deck[i] < 0 || deck[i] >= fogtree::cambia::kMostCards) {
                        throw std::invalid_argument("no such card");
                    }
                    self->deck[i] = static_cast<Card>(deck[i]);
                }
            },
            nb::kw_only(), "players"_a, "deck"_a, "hand"_a, "looks"_a, "penalty"_a, "max_turns"_a,
            "cambia_from_round"_a, "draw_discard"_a, "opponent_snap"_a, "replace_abilities"_a,
            "lock_caller"_a, "snap_always"_a, "show_wrong_snap"_a, "earlier_defects"_a);
}

// Adds CambiaPosition to the module.
void bind_position(nb::module_& module) {
    const auto field = [](auto member) {
        return [member](const Table& table) { return static_cast<int>(table.position.*member); };
    };
    nb::class_<Table>(module, "CambiaPosition", "A position of Cambia; immutable.")
        .def_static(
            "first",
            [](const Rules& rules) {
                return Table{std::make_shared<const Rules>(rules), Position::first(rules)};
            },
            "rules"_a, "The position before the deal.")
        .def_prop_ro_static(
            "bytes", [](nb::handle) { return sizeof(Position); }, "Memory of a position.")
        .def_prop_ro("player", &player_of, "Who acts; -1 is chance, -2 is nobody.")
        .def_prop_ro(
            "hands", [](const Table& t) { return rows_of(t, t.position.hands); },
            "Each player's cards.")
        .def_prop_ro(
            "seen", [](const Table& t) { return rows_of(t, t.position.seen); },
            "For each card of a hand, a bit mask of the players who have seen it.")
        .def_prop_ro("stock", &stock_of, "The cards of the stock, sorted.")
        .def_prop_ro("stock_size", field(&Position::stock_size), "Number of cards in the stock.")
        .def_prop_ro("discard", &discard_of, "The discard pile, its top last.")
        .def_prop_ro("phase", field(&Position::phase), "The phase of the turn.")
        .def_prop_ro("actor", field(&Position::actor), "The player whose decision it is or was.")
        .def_prop_ro("turn", field(&Position::turn), "Number of the turn, from 0.")
        .def_prop_ro("starter", field(&Position::starter), "Who moved first, or -1.")
        .def_prop_ro("caller", field(&Position::caller), "Who called Cambia, or -1.")
        .def_prop_ro("drawn", field(&Position::drawn),
                     "The drawn card until it is kept or discarded, else -1.")
        .def_prop_ro("drawn_seen", field(&Position::drawn_seen),
                     "A bit mask of the players who have seen the drawn card.")
        .def_prop_ro(
            "from_discard", [](const Table& t) { return t.position.from_discard; },
            "Whether the drawn card came from the discard pile.")
        .def_prop_ro("waiting", field(&Position::waiting),
                     "A bit mask of the players who may still snap.")
        .def_prop_ro("owed", field(&Position::owed), "Penalty cards still to be drawn.")
        .def_prop_ro("other", field(&Position::other),
                     "The player whose card was snapped or looked at with a king, or -1.")
        .def_prop_ro("slot", field(&Position::slot),
                     "The slot of that card in the player's hand, or -1.")
        .def_prop_ro("own", field(&Position::own),
                     "The actor's own slot that was looked at with a king, or -1.")
        .def("legal", &legal_of, "The legal actions.")
        .def("chance", &chance_of, "The outcomes of chance with their probabilities.")
        .def("child", &child_of, "action"_a,
             "The position after an action or an outcome of chance.")
        .def("scripted", &scripted_of, "script"_a, "The action of a deterministic scripted player.")
        .def("returns", &returns_of, "Each player's return at the end of the game.")
        .def("totals", &totals_of, "The points of each player's hand.");
}

// Adds CambiaTreeBuilder to the module.
void bind_builder(nb::module_& module) {
    nb::class_<TreeBuilder>(module, "CambiaTreeBuilder", "Compiles Cambia into flat arrays.")
        .def(nb::init<const Rules&>(), "rules"_a)
        .def(
            "grow",
            [](TreeBuilder& b, std::int64_t nodes) {
                const auto alone = b.in_use.alone();
                nb::gil_scoped_release release;
                return b.grow(nodes);
            },
            "nodes"_a, "Add up to `nodes` more histories; returns whether any are left.")
        .def_prop_ro(
            "nodes",
            [](TreeBuilder& b) {
                const auto reading = b.in_use.reading();
                return b.parent.size();
            },
            "Number of nodes so far.")
        .def(
            "node_arrays",
            [](TreeBuilder& b) {
                const auto alone = b.in_use.alone();
                return std::tuple(
                    handed_over(std::move(b.parent)), handed_over(std::move(b.player)),
                    handed_over(std::move(b.action)), handed_over(std::move(b.index)),
                    handed_over(std::move(b.chance)), handed_over(std::move(b.view)),
                    handed_over(std::move(b.payoffs)), handed_over(std::move(b.label)));
            },
            "Parent, player, action, index, chance, view, payoffs and label arrays; only once.")
        .def(
            "infoset_arrays",
            [](TreeBuilder& b) {
                const auto alone = b.in_use.alone();
                return std::tuple(handed_over(std::move(b.infoset_player)),
                                  handed_over(std::move(b.infoset_memory)),
                                  handed_over(std::move(b.infoset_first)),
                                  handed_over(std::move(b.infoset_actions)));
            },
            "Player, memory, first node and action count of each information set; only once.")
        .def(
            "memory_arrays",
            [](TreeBuilder& b) {
                const auto alone = b.in_use.alone();
                return std::pair(handed_over(std::move(b.memory_before)),
                                 handed_over(std::move(b.memory_token)));
            },
            "Each memory as the memory before it and the observation added; only once.");
}

}  // namespace

void bind_cambia_sampling(nb::module_& module);
void bind_cambia_deep(nb::module_& module);
void bind_cambia_search(nb::module_& module);

// Adds everything of Cambia to the module.
void bind_cambia(nb::module_& module) {
    bind_rules(module);
    bind_position(module);
    bind_builder(module);
    bind_cambia_sampling(module);
    bind_cambia_deep(module);
    bind_cambia_search(module);
    module.def(
        "cambia_random_games",
        [](const Rules& rules, std::int64_t games, std::uint64_t seed) {
            fogtree::cambia::Tally tally;
            {
                nb::gil_scoped_release release;
                tally = fogtree::cambia::random_games(rules, games, seed);
            }
            return std::tuple(tally.actions, tally.turns, tally.deadlocks, tally.first_returns);
        },
        "rules"_a, "games"_a, "seed"_a,
        "Play random games; returns the numbers of decisions, turns and deadlocks, and the sum of "
        "player 0's returns.");
    module.def(
        "cambia_external_sampling",
        [](const Rules& rules, std::int64_t traversals, std::uint64_t seed) {
            fogtree::cambia::Traversal out;
            {
                nb::gil_scoped_release release;
                out = fogtree::cambia::external_sampling(rules, traversals, seed);
            }
            return std::pair(out.nodes, out.value);
        },
        "rules"_a, "traversals"_a, "seed"_a,
        "Run traversals of external sampling under the uniform strategy; returns the nodes visited "
        "and player 0's mean value.");
}
