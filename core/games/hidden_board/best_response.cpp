#include "games/hidden_board/best_response.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <stdexcept>

#include "common/thread_team.hpp"

namespace fogtree::hidden_board {

namespace {

using List = std::vector<std::int32_t>;  // decisions of the other player

// The other player's reach of each decision and of each try: the product of the probabilities of
// its own tries on the way there.
struct Reach {
    std::vector<float> node, slot;  // by place in Decisions::nodes(), and by slot

    // Decisions come after their parents, so that every reach is known before it is multiplied by
    // the probabilities of the tries (`mixes`). Whether a tried square was free or taken is not up
    // to this player: both children have the reach of the try.
    Reach(const Decisions& decisions, std::span<const float> mixes)
        : node(decisions.nodes().size()), slot(decisions.slots()) {
        for (std::size_t number = 0; number < decisions.size(); ++number) {
            const Decision& here = decisions.met(number);
            const auto at = static_cast<std::size_t>(&here - decisions.nodes().data());
            if (here.parent < 0) node[at] = 1;
            const auto first = static_cast<std::size_t>(here.first_slot);
            const auto width = static_cast<std::size_t>(
                std::popcount(static_cast<unsigned>(decisions.facts().all() & ~here.known)));
            for (std::size_t s = 0; s < width; ++s) {
                slot[first + s] = node[at] * mixes[first + s];
                if (here.first_child < 0) continue;
                const auto child = static_cast<std::size_t>(here.first_child) + 2 * s;
                node[child] = node[child + 1] = slot[first + s];
            }
        }
    }
};

// Sums over the other player's decisions, with up to three squares left to try, that have the same
// marks and tried squares.
struct Group {
    unsigned marks, known;        // the other player's marks, and the squares it tried
    double total;                 // reach of the decisions
    std::array<double, 3> reach;  // of each try, in the order of the squares
    // Reach of each try and of then trying the lower of the two squares left, where the first try
    // found a free square (0) or a taken one (1).
    std::array<std::array<double, 2>, 3> low;
};

// Groups by marks and tried squares, in a small hash table.
class Groups {
public:
    // Forgets all groups; places with an older stamp count as empty.
    void begin() {
        groups_.clear();
        ++now_;
    }
    // The group with these marks and tried squares, added with zeros if there is none. Hashed by
    // the upper 12 bits of a product (kPlaces is 2^12), with linear probing.
    Group& find(unsigned marks, unsigned known) {
        const std::uint32_t key = marks << 16 | known;
        for (std::size_t at = (key * 0x9e3779b1u) >> 20;; at = (at + 1) % kPlaces) {
            Place& place = places_[at];
            if (place.stamp != now_) {
                place = {now_, key, static_cast<std::uint32_t>(groups_.size())};
                groups_.push_back({marks, known, 0, {}, {}});
            }
            if (place.key == key) return groups_[place.group];
        }
    }
    const std::vector<Group>& all() const { return groups_; }

private:
    static constexpr std::size_t kPlaces = 1u << 12;  // more than a responder can meet at once
    struct Place {
        std::uint32_t stamp = 0, key = 0, group = 0;
    };
    std::vector<Place> places_ = std::vector<Place>(kPlaces);
    std::vector<Group> groups_;
    std::uint32_t now_ = 0;
};

// An information set of the responder, who is to move: its marks, the squares it tried, and the
// other player's decisions that are possible.
struct Job {
    unsigned mine, known;
    List list;
};

// Walks the responder's information sets. Those at a certain depth are jobs: they are collected by
// one walk, done in parallel, and their values used by a second walk of the part above them.
class Walk {
public:
    // collect: the first walk, to the jobs; combine: the second, which uses their values; below:
    // the walk of a job.
    enum class Pass { collect, combine, below };

    // `other`: the decisions of the player to respond to. `jobs` is filled by `collect`, `values`
    // is read by `combine`, in the same order; else nullptr.
    Walk(const BoardFacts& facts, const Decisions& other, const Reach& reach, Pass pass,
         std::vector<Job>* jobs, const std::vector<double>* values, Interruption& interruption)
        : facts_(facts),
          nodes_(other.nodes().data()),
          node_reach_(reach.node.data()),
          slot_reach_(reach.slot.data()),
          me_(1 - other.player()),
          pass_(pass),
          jobs_(jobs),
          values_(values),
          interruption_(interruption) {
        for (Turn& turn : turns_)
            turn.value.resize(facts.all() + 1u), turn.stamp.resize(facts.all() + 1u);
    }

    // The responder's value of the whole game, in which player 0 moves first.
    double whole() {
        list_ = {0};
        if (me_ == 0) return decide(0, 0, {0, 1}, 0);
        return others_move(0, 0, {0, 1}, 0, false, 0);
    }

    // The value of a job.
    double from(const Job& job) {
        list_ = job.list;
        return decide(job.mine, job.known, {0, list_.size()}, kJobDepth + 1);
    }

private:
    static constexpr int kJobDepth = 2;  // turns of the responder before a job
    struct Part {                        // a range of list_: possible decisions of the other player
        std::size_t begin, end;
    };
    // Values of one turn of the classical game, by the set of squares that were found taken in it;
    // valid where the stamp equals `now`.
    struct Turn {
        std::vector<double> value;
        std::vector<std::uint32_t> stamp;
        std::uint32_t now = 0;
    };

    // A decision of the other player, and its reach of a slot.
    const Decision& node(std::int32_t number) const { return nodes_[number]; }
    float slot_reach(std::int32_t slot) const { return slot_reach_[slot]; }
    static constexpr int kOpen = BoardFacts::kOpen;
    // The responder's payoff if both players' marks determine it, else kOpen.
    int outcome(unsigned mine, unsigned theirs) const {
        if (me_ == 0) return facts_.outcome(mine, theirs);
        const int first = facts_.outcome(theirs, mine);
        return first == kOpen ? kOpen : -first;
    }
    // Whether these marks win for the responder, or for the other player.
    bool i_win(unsigned marks) const { return facts_.won(me_, marks); }
    bool other_wins(unsigned marks) const { return facts_.won(1 - me_, marks); }

    // Calls visit(bit, slot, child) for each square that the other player has not yet tried at a
    // decision. `bit`: the square as a mask. `slot`: of this try in the player's strategy. The
    // player's next decision has the number `child` if the square is free, else `child` + 1.
    template <class Visit>
    void each_try(const Decision& here, Visit&& visit) const {
        std::int32_t slot = here.first_slot, child = here.first_child;
        for (unsigned open = facts_.all() & ~here.known; open != 0;
             open &= open - 1, ++slot, child += 2) {
            visit(open & (0u - open), slot, child);
        }
    }

    // Adds the other player's decisions after its next move to list_. Moves after which the payoff
    // is determined are left out; their value is returned. In the classical game the player tries
    // again after a taken square.
    double add_moves(const Decision& here, unsigned mine) {
        double value = 0;
        each_try(here, [&](unsigned bit, std::int32_t slot, std::int32_t child) {
            if ((bit & mine) != 0) {
                if (!facts_.abrupt()) {
                    value += add_moves(node(child + 1), mine);
                } else {
                    list_.push_back(child + 1);
                }
                return;
            }
            const int sure = outcome(mine, here.marks | bit);
            if (sure == kOpen) {
                list_.push_back(child);
            } else {
                value += static_cast<float>(sure) * slot_reach(slot);
            }
        });
        return value;
    }

    // The responder moves: the value of its best try. Values here and below are sums over the other
    // player's decisions, each weighted with its reach. `mine`: the responder's marks; `known`: the
    // squares it tried; `part`: where the other player may be; `depth`: turns of the responder so
    // far.
    double decide(unsigned mine, unsigned known, Part part, int depth) {
        if (depth == kJobDepth && pass_ != Pass::below) return job(mine, known, part);
        interruption_.check();
        if (!facts_.abrupt()) {
            Turn& turn = turns_[static_cast<std::size_t>(depth)];
            ++turn.now;
            return turn_value(mine, known, 0, part, depth);
        }
        if (std::popcount(facts_.all() & ~known) == 3) return last_tries(mine, known, part);
        double best = -std::numeric_limits<double>::infinity();
        for (unsigned open = facts_.all() & ~known; open != 0; open &= open - 1) {
            const unsigned bit = open & (0u - open);
            const double taken = others_move(mine, known | bit, part, bit, true, depth);
            const double free = others_move(mine | bit, known | bit, part, bit, false, depth);
            best = std::max(best, taken + free);
        }
        return best;
    }

    // In the first pass stores a job and returns 0; in the second returns the next job's value.
    double job(unsigned mine, unsigned known, Part part) {
        if (pass_ == Pass::combine) return (*values_)[next_value_++];
        const auto at = [&](std::size_t place) {
            return list_.begin() + static_cast<std::ptrdiff_t>(place);
        };
        jobs_->push_back({mine, known, List(at(part.begin), at(part.end))});
        return 0;
    }

    // ---- the abrupt game: one try each

    // The value after the responder tried the square `bit` (0: none yet) and found it taken or
    // free: the other player tries a square, and the game goes on. Only decisions of `part` that
    // agree with the answer count; boards that determine the payoff are counted at once.
    double others_move(unsigned mine, unsigned known, Part part, unsigned bit, bool taken,
                       int depth) {
        const std::size_t begin = list_.size();
        double value = 0;
        for (std::size_t i = part.begin; i < part.end; ++i) {
            const std::int32_t number = list_[i];
            if (((node(number).marks & bit) != 0) != taken) continue;
            const int sure = outcome(mine, node(number).marks);
            value += sure == kOpen ? add_moves(node(number), mine)
                                   : static_cast<float>(sure) * node_reach_[number];
        }
        const std::size_t end = list_.size();
        if (end > begin) value += decide(mine, known, {begin, end}, depth + (bit != 0 ? 1 : 0));
        list_.resize(begin);
        return value;
    }

    // The responder has three squares left to try: it chooses the first, and then the order of the
    // other two. What follows depends on the other player's marks and tried squares, not on their
    // order, so that all decisions with equal ones are added up before.
    double last_tries(unsigned mine, unsigned known, Part part) {
        groups_.begin();
        for (std::size_t i = part.begin; i < part.end; ++i) add_to_group(list_[i]);
        double best = -std::numeric_limits<double>::infinity();
        const unsigned left = facts_.all() & ~known;
        for (unsigned rest = left; rest != 0; rest &= rest - 1) {
            const unsigned bit = rest & (0u - rest);
            const unsigned two = left ^ bit;
            LastChoice taken{two & (0u - two), two & (two - 1)}, free = taken;
            for (const Group& group : groups_.all()) {
                const bool fails = (group.marks & bit) != 0;
                add_end(group, fails ? mine : mine | bit, fails ? taken : free);
            }
            best = std::max(best, taken.value() + free.value());
        }
        return best;
    }

    // The last two squares of the responder: the value of trying one of them first, and of boards
    // that determine the payoff before.
    struct LastChoice {
        unsigned low, high;
        double try_low = 0, try_high = 0, sure = 0;
        double value() const { return std::max(try_low, try_high) + sure; }
    };

    // Adds the reach of a decision and of its tries to the group with its marks and tried squares.
    void add_to_group(std::int32_t number) {
        const Decision& here = node(number);
        Group& group = groups_.find(here.marks, here.known);
        group.total += node_reach_[number];
        if (here.first_slot < 0) return;  // whatever the responder tries ends the game
        std::size_t k = 0;
        each_try(here, [&](unsigned, std::int32_t slot, std::int32_t child) {
            const std::size_t at = k++;
            group.reach[at] += slot_reach(slot);
            if (me_ == 1) return;  // the other player then has one square left
            for (std::size_t taken = 0; taken < 2; ++taken) {
                const std::int32_t then = node(child + static_cast<int>(taken)).first_slot;
                if (then >= 0) group.low[at][taken] += slot_reach(then);
            }
        });
    }

    // Adds a group's values to the responder's last choice, to which it comes with the marks `mine`
    // after the other player has tried one more square.
    void add_end(const Group& group, unsigned mine, LastChoice& choice) const {
        const unsigned open = facts_.all() & ~group.known;
        const int early = outcome(mine, group.marks);
        if (early != kOpen) {
            choice.sure += early * group.total;
            return;
        }
        std::size_t k = 0;
        for (unsigned rest = open; rest != 0; rest &= rest - 1, ++k) {
            const unsigned tried = rest & (0u - rest);
            const bool fails = (tried & mine) != 0;
            const unsigned theirs = fails ? group.marks : group.marks | tried;
            const int sure = fails ? kOpen : outcome(mine, theirs);
            if (sure != kOpen) {
                choice.sure += sure * group.reach[k];
            } else {
                const double low = group.low[k][fails ? 1 : 0];
                finish(mine, theirs, open ^ tried, group.reach[k], low, choice);
            }
        }
    }

    // Adds to both values of the last choice what they bring where the other player has the marks
    // `theirs` and the squares `open` left to try. `reach`: the other player's reach of that;
    // `low`: its reach of trying the lower of two open squares next.
    void finish(unsigned mine, unsigned theirs, unsigned open, double reach, double low,
                LastChoice& choice) const {
        const unsigned free = facts_.all() & ~mine & ~theirs;
        if (free == (choice.low | choice.high)) {  // `open` is the same two squares
            const double high = reach - low;
            const bool both = i_win(mine | free);
            choice.try_low += i_win(mine | choice.low)
                                  ? reach
                                  : both * low - other_wins(theirs | choice.high) * high;
            choice.try_high += i_win(mine | choice.high)
                                   ? reach
                                   : both * high - other_wins(theirs | choice.low) * low;
            return;
        }
        const double mine_then = i_win(mine | free), theirs_then = other_wins(theirs | free);
        double others_first = reach;  // that the other player takes the free square next
        if (free != open) others_first = (open & (free - 1)) != 0 ? reach - low : low;
        const double now = mine_then * reach;
        const double later = mine_then * (reach - others_first) - theirs_then * others_first;
        choice.try_low += free == choice.low ? now : later;
        choice.try_high += free == choice.high ? now : later;
    }

    // ---- the classical game: tries until a square is free

    // The responder's value of the rest of its turn, in which it has found the squares `found`
    // taken; `part`: the other player's decisions that agree with that. Computed once for each
    // `found`.
    double turn_value(unsigned mine, unsigned known, unsigned found, Part part, int depth) {
        Turn& turn = turns_[static_cast<std::size_t>(depth)];
        if (turn.stamp[found] == turn.now) return turn.value[found];
        double best = -std::numeric_limits<double>::infinity();
        for (unsigned open = facts_.all() & ~known & ~found; open != 0; open &= open - 1) {
            const unsigned bit = open & (0u - open);
            const std::size_t begin = list_.size();
            for (std::size_t i = part.begin; i < part.end; ++i) {
                if ((node(list_[i]).marks & bit) != 0) list_.push_back(list_[i]);
            }
            const std::size_t end = list_.size();
            double value = 0;
            if (end > begin) value += turn_value(mine, known, found | bit, {begin, end}, depth);
            list_.resize(begin);
            if (end - begin < part.end - part.begin) {
                value += others_turn(mine | bit, known | found | bit, part, bit, depth);
            }
            best = std::max(best, value);
        }
        turn.stamp[found] = turn.now;
        return turn.value[found] = best;
    }

    // The value after the responder marked the free square `bit`: of the other player's turn and
    // all that follows. Decisions of `part` with a mark on it are skipped.
    double others_turn(unsigned mine, unsigned known, Part part, unsigned bit, int depth) {
        const int others = std::popcount(static_cast<unsigned>(node(list_[part.begin]).marks));
        const int free = facts_.squares() - std::popcount(mine) - others;
        const bool last = free == facts_.last_free(1 - me_);
        const std::size_t begin = list_.size();
        double value = 0;
        Last ends{mine, {}};
        for (std::size_t i = part.begin; i < part.end; ++i) {
            const std::int32_t number = list_[i];
            const Decision& here = node(number);
            if ((here.marks & bit) != 0) continue;
            const int sure = outcome(mine, here.marks);
            if (sure != kOpen) {
                value += static_cast<float>(sure) * node_reach_[number];
            } else if (!last) {
                value += add_moves(here, mine);
            } else {
                value += free == 2 ? settled(here, mine) : add_ends(here, ends);
            }
        }
        if (last) {
            if (free == 3) value += last_turn(known, ends);
        } else {
            const std::size_t end = list_.size();
            if (end > begin) value += decide(mine, known, {begin, end}, depth + 1);
        }
        list_.resize(begin);
        return value;
    }

    // The value at a decision of the other player where two squares are free: it takes one of them,
    // the responder the other.
    double settled(const Decision& here, unsigned mine) const {
        const unsigned free = facts_.all() & ~mine & ~here.marks;
        double value = 0;
        each_try(here, [&](unsigned bit, std::int32_t slot, std::int32_t child) {
            if ((bit & mine) != 0) {
                value += settled(node(child + 1), mine);
            } else if (other_wins(here.marks | bit)) {
                value -= slot_reach(slot);
            } else if (i_win(mine | (free ^ bit))) {
                value += slot_reach(slot);
            }
        });
        return value;
    }

    // Where three squares are free before the other player's turn and two after it: the reach of
    // every two squares that stay free.
    struct Last {
        unsigned mine;  // the responder's marks
        // free[lower][higher]: of the two squares that stay free
        std::array<std::array<double, kMostDecidedSquares>, kMostDecidedSquares> free{};
    };
    // Adds the reach of all ends of the other player's turn from a decision to `ends`. Boards that
    // determine the payoff are left out; their value is returned.
    double add_ends(const Decision& here, Last& ends) const {
        const unsigned free = facts_.all() & ~ends.mine & ~here.marks;
        double value = 0;
        each_try(here, [&](unsigned bit, std::int32_t slot, std::int32_t child) {
            if ((bit & ends.mine) != 0) {
                value += add_ends(node(child + 1), ends);
                return;
            }
            const int sure = outcome(ends.mine, here.marks | bit);
            if (sure != kOpen) {
                value += static_cast<float>(sure) * slot_reach(slot);
                return;
            }
            const unsigned left = free ^ bit;
            const auto low = static_cast<std::size_t>(std::countr_zero(left));
            const auto high = static_cast<std::size_t>(std::countr_zero(left & (left - 1)));
            ends.free[low][high] += slot_reach(slot);
        });
        return value;
    }

    // The value of the responder's last turn: it takes one of two free squares, the other player
    // gets the other. `known`: the squares that the responder tried.
    double last_turn(unsigned known, Last& ends) {
        // From here on free[x][y]: the value of taking x where x and y are free.
        const unsigned open = facts_.all() & ~known;
        for (unsigned a = open; a != 0; a &= a - 1) {
            for (unsigned b = a & (a - 1); b != 0; b &= b - 1) {
                const unsigned low = a & (0u - a), high = b & (0u - b);
                const unsigned theirs = facts_.all() & ~ends.mine & ~(low | high);
                const auto x = static_cast<std::size_t>(std::countr_zero(low));
                const auto y = static_cast<std::size_t>(std::countr_zero(high));
                const double reach = ends.free[x][y];
                const auto value = [&](unsigned own, unsigned rest) {
                    return i_win(ends.mine | own) ? reach : other_wins(theirs | rest) ? -reach : 0;
                };
                ends.free[x][y] = value(low, high);
                ends.free[y][x] = value(high, low);
            }
        }
        Turn& turn = turns_.back();
        ++turn.now;
        return last_value(open, ends, turn);
    }

    // The value of the last turn if the two free squares are among `open`, those not yet tried in
    // it. Computed once for each set.
    double last_value(unsigned open, const Last& ends, Turn& turn) const {
        if (std::popcount(open) < 2) return 0;
        if (turn.stamp[open] == turn.now) return turn.value[open];
        double best = -std::numeric_limits<double>::infinity();
        for (unsigned rest = open; rest != 0; rest &= rest - 1) {
            const unsigned bit = rest & (0u - rest);
            const auto& row = ends.free[static_cast<std::size_t>(std::countr_zero(bit))];
            double value = last_value(open ^ bit, ends, turn);
            for (unsigned b = open ^ bit; b != 0; b &= b - 1) {
                value += row[static_cast<std::size_t>(std::countr_zero(b))];
            }
            best = std::max(best, value);
        }
        turn.stamp[open] = turn.now;
        return turn.value[open] = best;
    }

    const BoardFacts& facts_;
    const Decision* nodes_;  // the other player's
    const float* node_reach_;
    const float* slot_reach_;
    int me_;
    Pass pass_;
    std::vector<Job>* jobs_;
    const std::vector<double>* values_;
    std::size_t next_value_ = 0;
    Interruption& interruption_;
    List list_;  // a stack: each level of the walk adds its part and removes it
    Groups groups_;
    std::array<Turn, kMostDecidedSquares> turns_;  // by depth; the last is for last_turn()
};

}  // namespace

// Collects the jobs, does them on threads, each of which takes the next job that is left, and
// combines their values.
double best_response_value(const BoardFacts& facts, const Decisions& other,
                           std::span<const float> mixes, int threads, Interruption& interruption) {
    if (mixes.size() != other.slots()) throw std::invalid_argument("one probability for each slot");
    const Reach reach(other, mixes);
    std::vector<Job> jobs;
    Walk(facts, other, reach, Walk::Pass::collect, &jobs, nullptr, interruption).whole();
    std::vector<double> values(jobs.size());
    std::atomic<std::size_t> next{0};
    run_on_threads(threads, [&](int) {
        Walk walk(facts, other, reach, Walk::Pass::below, nullptr, nullptr, interruption);
        for (std::size_t number = next++; number < jobs.size(); number = next++) {
            values[number] = walk.from(jobs[number]);
        }
    });
    return Walk(facts, other, reach, Walk::Pass::combine, nullptr, &values, interruption).whole();
}

}  // namespace fogtree::hidden_board
