#include "games/cambia/scripts.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace fogtree::cambia {

namespace {

// As in Python's Script, which says what they mean.
constexpr double kUnknown = 6.5, kEnoughPoints = 9, kFewPoints = 4, kGoodDraw = 3;
constexpr double kDecentChance = 0.25;
constexpr int kEnoughKnown = 3, kLateTurn = 20, kKeepBelow = 3, kFewCards = 2, kRandomTurn = 8;

constexpr std::array<std::pair<std::string_view, Script>, 7> kNames{{
    {"random", Script::random},
    {"random_no_cambia", Script::random_no_cambia},
    {"random_late_cambia", Script::random_late_cambia},
    {"imperfect_greedy", Script::imperfect_greedy},
    {"memory_heuristic", Script::memory_heuristic},
    {"aggressive_snap", Script::aggressive_snap},
    {"greedy", Script::greedy},
}};

// The points of a card; see kPoints.
double points_of(Card card) {
    return kPoints[static_cast<std::size_t>(card)];
}

// The decision of one scripted player at one position.
class Scripted {
public:
    Scripted(Script script, const Rules& rules, const Position& position)
        : script_(script), rules_(rules), at_(position), me_(position.actor) {}

    // The number of the chosen move. A gap is filled with the own card of the most points.
    int choose() const {
        switch (at_.phase) {
            case Phase::start:
                return at_start();
            case Phase::drawn:
                return with_drawn();
            case Phase::snap:
                return at_snap();
            case Phase::ability:
                return with_ability();
            default:
                return best([&](const Move& move) { return value(me_, move.own); });
        }
    }

private:
    // Knowledge.

    // Whether the script knows a card: its player has seen it, or the script sees all.
    bool known(int player, int slot) const {
        return script_ == Script::greedy || (at_.seen[player][slot] >> me_ & 1);
    }
    // The points of a card if it is known, else what is expected of an unknown one.
    double value(int player, int slot) const {
        return known(player, slot) ? points_of(at_.hands[player][slot]) : kUnknown;
    }
    int own_cards() const { return at_.sizes[me_]; }
    // The player whose card a move names.
    int whose(const Move& move) const { return (me_ + 1 + move.opponent) % rules_.players; }
    // The number of own cards that the player has seen.
    int known_cards() const {
        int count = 0;
        for (int s = 0; s < own_cards(); ++s) count += known(me_, s);
        return count;
    }
    // The estimated points in the own hand.
    double estimate() const {
        double sum = 0;
        for (int s = 0; s < own_cards(); ++s) sum += value(me_, s);
        return sum;
    }
    // The most points of an own card, with the expected points of unknown ones.
    double worst_value() const {
        double worst = own_cards() > 0 ? value(me_, 0) : 0.0;
        for (int s = 1; s < own_cards(); ++s) worst = std::max(worst, value(me_, s));
        return worst;
    }

    // The number of the legal move with the largest worth(move); of equals, the first.
    template <class Worth>
    int best(Worth&& worth) const {
        const int count = at_.move_count(rules_);
        int found = 0;
        double most = worth(at_.move(rules_, 0));
        for (int number = 1; number < count; ++number) {
            const double here = worth(at_.move(rules_, number));
            if (here > most) {
                most = here;
                found = number;
            }
        }
        return found;
    }

    // Decisions.

    // Whether the script calls Cambia now.
    bool wants_to_call() const {
        if (script_ == Script::aggressive_snap) {
            return own_cards() <= kFewCards || estimate() <= kFewPoints;
        }
        if (script_ == Script::greedy) return nobody_gets_lower();
        const int enough = std::min(kEnoughKnown, own_cards());
        return (known_cards() >= enough && estimate() <= kEnoughPoints) || at_.turn > kLateTurn;
    }

    // Whether no opponent would be lower after replacing its worst card by a good draw.
    bool nobody_gets_lower() const {
        for (int p = 0; p < rules_.players; ++p) {
            if (p == me_) continue;
            double most = 0;
            for (int s = 0; s < at_.sizes[p]; ++s) {
                const double points = points_of(at_.hands[p][s]);
                most = s == 0 ? points : std::max(most, points);
            }
            if (at_.total(me_) > at_.total(p) - std::max(most - kGoodDraw, 0.0)) return false;
        }
        return true;
    }

    // The number of a move at the start of a turn: call Cambia, or draw.
    int at_start() const {
        const int last = at_.move_count(rules_) - 1;
        const bool may_call = at_.move(rules_, last).kind == Kind::cambia;
        return may_call && wants_to_call() ? last : 0;
    }

    // The own slot in which a drawn card of these points is put: that of the most points, if it has
    // more than the drawn card; -1: none. The careful script replaces no unknown card, except that
    // a drawn card of few points goes to the first of them.
    int slot_to_replace(double points) const {
        const bool careful = script_ == Script::memory_heuristic;
        int worst = -1;
        for (int s = 0; s < own_cards(); ++s) {
            if (careful && !known(me_, s)) {
                if (points <= kKeepBelow) return s;
                continue;
            }
            if (worst < 0 || value(me_, s) > value(me_, worst)) worst = s;
        }
        return worst >= 0 && points < value(me_, worst) ? worst : -1;
    }

    // The number of the move with the drawn card: to replace a worse own one, else to discard it,
    // with its ability if that is useful.
    int with_drawn() const {
        const int count = at_.move_count(rules_);
        const bool ability = count > 1 && at_.move(rules_, 1).kind == Kind::discard_ability;
        const int slot = slot_to_replace(points_of(at_.drawn));
        if (slot >= 0) return 1 + ability + slot;
        return ability && is_useful(rank_of(at_.drawn)) ? 1 : 0;
    }

    // Whether the ability of a rank could help: by a look at an unknown own card or, for the script
    // that sees all, by a swap for fewer points.
    bool is_useful(int rank) const {
        if (script_ != Script::greedy) {
            return (rank == seven || rank == eight || rank == king) && known_cards() < own_cards();
        }
        if (rank >= seven && rank <= ten) return false;
        const double worst = worst_value();
        for (int p = 0; p < rules_.players; ++p) {
            if (p == me_ || (rules_.lock_caller && p == at_.caller)) continue;
            for (int s = 0; s < at_.sizes[p]; ++s) {
                if (points_of(at_.hands[p][s]) < worst) return true;
            }
        }
        return false;
    }

    // The number of the move that uses an ability; after a king's look 1, to swap, if that lowers
    // the own points, else 0.
    int with_ability() const {
        if (at_.own >= 0) return value(me_, at_.own) - value(at_.other, at_.slot) > 0 ? 1 : 0;
        return best([&](const Move& move) { return ability_worth(move); });
    }

    // How much an ability's move helps: 1 for a look at an unknown card, the points gained for a
    // swap; a king's look prefers unknown own cards (100), then low ones of others. The greedy
    // script sees all cards, so that looking is worth nothing to it.
    double ability_worth(const Move& move) const {
        const bool all = script_ == Script::greedy;
        if (move.kind == Kind::look_own) return all ? 0.0 : !known(me_, move.own);
        const int other = whose(move);
        if (move.kind == Kind::look_other) return all ? 0.0 : !known(other, move.slot);
        const double theirs = value(other, move.slot);
        if (move.kind == Kind::king_look && !all) return 100.0 * !known(me_, move.own) - theirs;
        return value(me_, move.own) - theirs;
    }

    // The number of the answer to a snap: a known card that matches, the one with the most points;
    // the aggressive script else tries an unknown card if few are unknown. Move 0 passes.
    int at_snap() const {
        const int count = at_.move_count(rules_);
        int sure = 0, first_hidden = 0, hidden = 0;
        double most = 0;
        for (int number = 1; number < count; ++number) {
            const Move move = at_.move(rules_, number);
            const bool mine = move.kind == Kind::snap_own;
            const int player = mine ? me_ : whose(move), slot = mine ? move.own : move.slot;
            if (!known(player, slot)) {
                if (hidden++ == 0) first_hidden = number;
                continue;
            }
            if (rank_of(at_.hands[player][slot]) != rank_of(at_.top())) continue;
            const double worth = mine ? value(me_, slot) : worst_value();
            if (sure == 0 || worth > most) {
                sure = number;
                most = worth;
            }
        }
        const bool tries = script_ == Script::aggressive_snap && !rules_.snap_always;
        return sure == 0 && tries && hidden > 0 && 1.0 / hidden >= kDecentChance ? first_hidden
                                                                                 : sure;
    }

    Script script_;
    const Rules& rules_;
    const Position& at_;
    int me_;
};

}  // namespace

// The script with this name in Python.
Script script_named(std::string_view name) {
    for (const auto& [known, script] : kNames) {
        if (known == name) return script;
    }
    throw std::invalid_argument("no such script");
}

// The number of moves that a random script chooses from: all but the last where that is to call
// Cambia, and the script does not call now.
int random_choices(Script script, const Rules& rules, const Position& position) {
    const int count = position.move_count(rules);
    const bool early = script == Script::random_no_cambia ||
                       (script == Script::random_late_cambia && position.turn < kRandomTurn);
    const bool calls =
        position.phase == Phase::start && position.move(rules, count - 1).kind == Kind::cambia;
    return early && calls && count > 1 ? count - 1 : count;
}

// The number of the move that a deterministic script chooses.
int scripted_move(Script script, const Rules& rules, const Position& position) {
    return Scripted(script, rules, position).choose();
}

}  // namespace fogtree::cambia
