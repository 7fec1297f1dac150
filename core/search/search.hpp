// The search: keeps a tree from move to move, solves and grows it, and chooses an action.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "common/in_use.hpp"
#include "common/random.hpp"
#include "common/thread_team.hpp"
#include "common/time_limit.hpp"
#include "search/blueprint.hpp"
#include "search/budget.hpp"
#include "search/decision.hpp"
#include "search/expander.hpp"
#include "search/inspect.hpp"
#include "search/options.hpp"
#include "search/solver.hpp"
#include "search/subgame.hpp"
#include "search/tree.hpp"
#include "search/watch.hpp"

namespace fogtree::search {

// One player's search through a game.
template <class Game, class Evaluator>
class Search {
public:
    using State = typename Game::State;
    using N = Node<State>;

    // `me`: the player (0 or 1) who searches.
    Search(const Game& game, Evaluator& evaluator, const Options& options, int me)
        : game_(game), evaluator_(evaluator), options_(options), me_(me), random_(options.seed) {
        check(options);
        if (me != 0 && me != 1) throw std::invalid_argument("player must be 0 or 1");
    }

    // Begins a game at the state `start`; the first search is of the whole game. `first` and
    // `second`: what players 0 and 1 know there, as a number.
    void begin(const State& start, std::uint64_t first, std::uint64_t second) {
        const std::uint64_t knows[2] = {first, second};
        trail_.clear();
        subgame_ = Subgame<Game>::whole(game_, start, knows, ours(evaluate(start)), me_);
        subgame_.gadget.start(options_);
        iterations_ = ahead_ = 0;
        value_ = 1;  // no value was promised to the opponent yet
        fresh_ = true;
        key_ = knows[me_];
    }

    // Moves to our information set `key`, in which the positions of `belief` are possible; the next
    // search is of the subgame there. In a game whose steps every player observes, `path` has our
    // information set after each step since the last subgame's root; else it is empty. Before the
    // first search the subgame stays the whole game, unless we are more than one step below its
    // root. `opponent_views` has one number per position, equal where the opponent is assumed not
    // to tell positions apart; or it is empty. Once the limit is reached, nothing more is carried
    // over and at most one position is added; with `give_up` the search stays where it was instead.
    // Returns whether it moved.
    bool move_to(std::uint64_t key, const std::vector<State>& belief,
                 const std::vector<std::uint64_t>& path = {},
                 const std::vector<std::uint64_t>& opponent_views = {}, const TimeLimit& limit = {},
                 bool give_up = false) {
        if (belief.empty())
            throw std::invalid_argument("no position is consistent with what was seen");
        const std::uint64_t old_key = key_;
        const std::int32_t old_ahead = ahead_;
        key_ = key;
        ahead_ = static_cast<std::int32_t>(path.size());
        if (fresh_ && ahead_ <= 1 && !subgame_.gadget.choices.empty()) return true;
        if (turn(subgame_, belief, path, opponent_views, limit, give_up)) return true;
        key_ = old_key;  // given up: the search stays where it was
        ahead_ = old_ahead;
        return false;
    }

    // As move_to(), continuing from the tree of `other`, which stays unchanged.
    void branch(Search& other, std::uint64_t key, const std::vector<State>& belief,
                const std::vector<std::uint64_t>& path = {},
                const std::vector<std::uint64_t>& opponent_views = {}) {
        if (belief.empty() || other.fresh_)
            throw std::invalid_argument("nothing was searched, or nothing is possible");
        key_ = key;
        random_ = other.random_;
        value_ = other.value_;
        iterations_ = other.iterations_;
        turn(other.subgame_, belief, path, opponent_views, {}, false);
    }

    // After begin(): expands the whole game and sets both players' strategies, as if a search had
    // found them. `mix(state, action)` is the probability of an action.
    template <class Mix>
    void adopt(Mix mix) {
        Blueprint<Game, Evaluator, Mix>(game_, evaluator_, subgame_, options_, me_, mix).lay();
        iterations_ = 1;
        value_ = inspect().expected();
        fresh_ = false;
    }

    // Until the next move, searches find out what this action is worth at our actual information
    // set, also if they do not play it (see Infoset::examined); none: they just decide again.
    void examine(std::optional<std::uint32_t> action) { examined_ = action; }

    // Whether nothing has been searched since the game began.
    bool fresh() const { return fresh_; }

    // Searches until the budget is spent, the stop flag is set, or `poll` returns true; clears the
    // flag. An exception of the evaluator in any thread is thrown again here; the tree stays
    // usable.
    Decision decide(const Budget& budget, const std::function<bool()>& poll = {},
                    const Watch& watch = {}) {
        check(budget);
        if (subgame_.gadget.choices.empty())
            throw std::invalid_argument("there is no position to search from");
        Meter meter(budget, stop_, poll);
        Solver<State> solver(subgame_.gadget, subgame_.root, options_, me_, meter.limit());
        solver.set_iterations(iterations_);
        steps_ = 0;
        latest_ = 0;
        halved_ = false;
        marked_ = kFirstMark;
        depth_ = std::max(subgame_.report.depth, 1);
        open_root();
        mark_examined();
        fresh_ = false;
        ActiveWatch<State> active{watch, solver, meter, iterations_};
        watch_ = watch.tell ? &active : nullptr;
        tell(Event::opened, 0);
        try {
            if (budget.expanders == 0) {
                alternate(solver, budget, meter);
            } else {
                together(solver, budget, meter);
            }
        } catch (...) {
            watch_ = nullptr;
            trail_.clear();
            iterations_ = solver.iterations();
            stop_.clear();
            throw;
        }
        tell(Event::progress, 1);
        watch_ = nullptr;
        trail_.clear();
        const std::int64_t before = iterations_;
        iterations_ = solver.iterations();
        Decision out = choose(solver.finished() - before);
        out.touched = solver.touched();
        out.stopped = stop_.is_set();
        stop_.clear();
        out.seconds = meter.seconds();
        return out;
    }

    // Bounds the memory of the tree from the next move_to() or decide() on. A tree that is larger
    // already stays so until the next move, when only as much is carried over as the bound allows.
    void limit_memory(std::int64_t bytes) {
        if (bytes < 1) throw std::invalid_argument("the bound on memory must be at least 1");
        options_.most_bytes = bytes;
        subgame_.pool->keep_at_most(grown_bytes(options_) / kChunk);
    }

    // Ends a search, from any thread: the one that is running, or else the next one.
    void stop() { stop_.set(); }
    StopFlag& stop_flag() { return stop_; }

    // The opponent's information sets at the root.
    std::vector<OpponentChoice> choices() const {
        std::vector<OpponentChoice> out;
        for (const auto& c : subgame_.gadget.choices) {
            out.push_back({c.nodes.size(), c.alternate, c.utility, c.margin, c.prior, c.reach,
                           c.enter, c.maxmargin});
        }
        return out;
    }

    Inspector<Game> inspect() const { return Inspector<Game>(subgame_, me_); }
    const Subgame<Game>& subgame() const { return subgame_; }
    std::uint64_t key() const { return key_; }  // our information set
    // The choices of the last walk, while a search reports every walk (Watch::every); else empty.
    const std::vector<TrailStep<N>>& trail() const { return trail_; }
    InUse& in_use() const { return in_use_; }  // refuses a second user at a time

    // The strategies at one of the tree's information sets, ours or the opponent's: one probability
    // per action, in the solver's last iteration and on average over all of them.
    struct Mix {
        std::vector<std::uint32_t> actions;
        std::vector<double> last, average;
    };
    // The strategies at the information set `key` of the player (0 or 1) who moves there; empty if
    // the tree does not have it. Where no iteration has added to the average yet, the last strategy
    // stands for it.
    Mix mix(std::uint64_t key, int player) const {
        if (player != 0 && player != 1) throw std::invalid_argument("player must be 0 or 1");
        Mix out;
        const Infoset* set = subgame_.tree->find(key, player);
        if (set == nullptr) return out;
        double total = 0;
        for (std::int32_t a = 0; a < set->count; ++a)
            total += static_cast<double>((*set)[a].average);
        for (std::int32_t a = 0; a < set->count; ++a) {
            const ActionRecord& record = (*set)[a];
            out.actions.push_back(record.action);
            out.last.push_back(static_cast<double>(record.strategy));
            out.average.push_back(total > 0 ? static_cast<double>(record.average) / total
                                            : static_cast<double>(record.strategy));
        }
        return out;
    }

private:
    static constexpr std::int64_t kSolvingAlone = 20;  // 1/20 of the iterations, after growing
    static constexpr double kFirstMark = 1e-12;  // the least part of the budget that is marked
    // Steps without growth after which the tree counts as complete.
    static constexpr std::int64_t kStepsWithoutGrowth = 4000;
    // With several threads, the most such steps that count for each iteration of the solver: a walk
    // ends where the solver has not been yet, and on a busy machine the solver may have to wait for
    // a processor.
    static constexpr std::int64_t kIdlePerIteration = 200;
    // What an iteration, a walk and a new node cost, in nodes that the solver touches.
    static constexpr std::int64_t kRoundWork = 16, kStepWork = 64, kNodeWork = 64;

    // Our value, given player 0's.
    double ours(double value) const { return me_ == 0 ? value : -value; }
    // Player 0's value of a state: the payoff at the end, else the evaluator's.
    double evaluate(const State& s) {
        return game_.player(s) == kTerminal ? game_.payoff(s) : evaluator_.evaluate(s);
    }

    // Whether growing is over: the budget is spent, or the search is stopped. Also keeps the marks
    // of actions that left the support (`unstable`) at our information set. They are cleared in the
    // middle of the budget, so that they tell of its second half. Before that, each time the part
    // spent has doubled, bit 0 moves to bit 1: a search that is stopped early can then tell what
    // stayed in the support for its second half, and for a little more.
    bool done(Meter& meter) {
        const double part = meter.spent(steps_, subgame_.tree->nodes());
        if (watch_ != nullptr && part >= watch_->next()) tell(Event::progress, part);
        if (!halved_ && (part >= 0.5 || part >= 2 * marked_)) {
            halved_ = part >= 0.5;
            marked_ = std::max(part, kFirstMark);
            if (Infoset* set = subgame_.tree->find(key_, me_)) {
                std::uint8_t* unstable = set->unstables();
                for (std::int32_t a = 0; a < set->count; ++a) {
                    unstable[a] = halved_ ? 0 : static_cast<std::uint8_t>(unstable[a] << 1 & 2);
                }
            }
        }
        return part >= 1 || !meter.time_for(latest_) || meter.stopped();
    }

    // Replaces the subgame by the next one, built from the tree `old`; the arguments are those of
    // move_to(). False, and the subgame stays, if the limit is reached and `give_up` is set.
    bool turn(Subgame<Game>& old, const std::vector<State>& belief,
              const std::vector<std::uint64_t>& path,
              const std::vector<std::uint64_t>& opponent_views, const TimeLimit& limit,
              bool give_up) {
        Subgame<Game> next = Subgame<Game>::next(
            game_, old, options_, me_, key_, belief, opponent_views, value_, path, random_,
            [&](const State& s) { return ours(evaluate(s)); }, limit);
        if (give_up && limit.reached()) return false;
        ahead_ = 0;
        fresh_ = false;
        examined_.reset();
        trail_.clear();
        subgame_ = std::move(next);
        return true;
    }

    // Reports an event to the watcher, if there is one.
    void tell(Event event, double part) {
        if (watch_ != nullptr) watch_->tell(event, part, steps_, subgame_.tree->nodes());
    }

    // One iteration of the solver, whose duration is noted.
    void iterate(Solver<State>& solver, const Meter& meter) {
        const double began = meter.seconds();
        const bool finished = solver.iterate();
        latest_ = meter.seconds() - began;
        if (finished) tell(Event::iterated, 0);
    }

    // One walk of the expander, reported to the watcher. Returns how many nodes it added; 0 if the
    // tree is full.
    std::int32_t grow(Expander<Game, Evaluator>& grower) {
        trail_.clear();
        const std::int32_t added = full() ? 0 : grower.step();
        ++steps_;
        if (watch_ != nullptr) watch_->added = added;
        tell(Event::expanded, 0);
        return added;
    }

    // Whether a bound on nodes or memory is reached.
    bool full() const {
        const bool many = options_.most_nodes > 0 && subgame_.tree->nodes() >= options_.most_nodes;
        return many || (options_.most_bytes > 0 && bytes() >= grown_bytes(options_));
    }

    // The memory of the tree, and of the states that the game keeps for it.
    std::size_t bytes() const {
        std::size_t total = subgame_.tree->bytes();
        if constexpr (requires { game_.bytes(); }) total += game_.bytes();
        return total;
    }

    // An expander for this subgame, with a random stream of its own.
    Expander<Game, Evaluator> expander(std::uint64_t number) {
        return Expander<Game, Evaluator>(game_, evaluator_, subgame_, options_, me_,
                                         combine_hashes(random_.next(), number));
    }

    // Expands the root until our own information set exists, because there is no decision without
    // it; bounds on the tree do not count here. One position is enough for that, the likeliest; the
    // others are expanded as the tree grows.
    void open_root() {
        if (subgame_.tree->find(key_, me_) != nullptr) return;
        auto first = expander(0);
        const auto& choices = subgame_.gadget.choices;
        std::size_t chosen = 0;
        N* likeliest = nullptr;
        double most = -1;
        for (std::size_t j = 0; j < choices.size(); ++j) {
            for (std::size_t k = 0; k < choices[j].nodes.size(); ++k) {
                N* node = choices[j].nodes[k];
                const double share = choices[j].prior * static_cast<double>(choices[j].weights[k]);
                if (share <= most || (ahead_ == 0 && !here(*node))) continue;
                most = share;
                chosen = j;
                likeliest = node;
            }
        }
        if (likeliest == nullptr) return;
        Infoset* last[2] = {nullptr, nullptr};
        std::int32_t action[2] = {-1, -1};
        last[1 - me_] = subgame_.root;
        action[1 - me_] = static_cast<std::int32_t>(chosen);
        std::vector<const State*> path;
        open(first, *likeliest, path, nullptr, last, action, ahead_);
    }

    // Tells our actual information set which of its actions is examined.
    void mark_examined() {
        Infoset* set = subgame_.tree->find(key_, me_);
        if (set == nullptr) return;
        set->examined = -1;
        if (!examined_) return;
        std::uint32_t* end = set->actions() + set->count;
        std::uint32_t* found = std::find(set->actions(), end, *examined_);
        if (found == end) throw std::invalid_argument("no such action at the root");
        set->examined = static_cast<std::int32_t>(found - set->actions());
    }

    // Whether a node belongs to our actual information set.
    bool here(const N& node) const { return node.player == me_ && node.knows[me_] == key_; }

    // Expands a node and the nodes below it down to our information set, which is `ahead` steps
    // below it: 0 or, if the opponent moves first, 1. The other arguments are those of
    // Expander::expand.
    void open(Expander<Game, Evaluator>& first, N& node, std::vector<const State*>& path,
              Relaxed<float>* leaf, Infoset* const (&last)[2], const std::int32_t (&action)[2],
              std::int32_t ahead) {
        if (node.player == kTerminal || subgame_.tree->find(key_, me_) != nullptr) return;
        if (ahead == 0 && !here(node)) return;
        path.push_back(&node.state);
        if (!node.expanded()) first.expand(node, path, leaf, last, action);
        if (ahead == 0 || node.player < 0) return path.pop_back();
        Infoset* below[2] = {last[0], last[1]};
        std::int32_t step[2] = {action[0], action[1]};
        below[node.player] = node.infoset;
        for (std::int32_t k = 0; k < node.count; ++k) {
            step[node.player] = k;
            open(first, node.children[k], path, node.leaves() + k, below, step, ahead - 1);
        }
        path.pop_back();
    }

    // One thread solves and grows in turn. Each gets its share of the time or, where the result
    // must not depend on the machine, of the work; the one that is behind its share runs next. With
    // iterations_per_expansion that many iterations follow each expansion instead. A budget of
    // nodes also ends when kStepsWithoutGrowth expansions in a row added none.
    void alternate(Solver<State>& solver, const Budget& budget, Meter& meter) {
        auto grower = expander(1);
        const std::int64_t first = solver.iterations();
        const bool timed = budget.seconds > 0 && budget.steps == 0 && budget.nodes == 0;
        const std::int32_t each = options_.iterations_per_expansion;
        double lead = 0;              // of solving over growing
        std::int64_t idle_steps = 0;  // steps in which nothing grew
        if (watch_ != nullptr && watch_->watch.every) grower.record_trail(&trail_);
        iterate(solver, meter);
        while (!done(meter) && !(budget.nodes > 0 && idle_steps >= kStepsWithoutGrowth)) {
            const double began = timed ? meter.seconds() : 0;
            const bool grows = each > 0 ? lead >= 0 : lead > 0;
            double work = 0;
            if (grows) {
                const std::int32_t added = grow(grower);
                work = static_cast<double>(kStepWork + kNodeWork * added);
                idle_steps = added > 0 ? 0 : idle_steps + 1;
            } else {
                const std::int64_t before = solver.touched();
                iterate(solver, meter);
                work = static_cast<double>(kRoundWork + solver.touched() - before);
            }
            if (timed) work = meter.seconds() - began;
            if (each > 0) {
                lead = grows ? -each : lead + 1;
            } else {
                lead += grows ? -work * options_.solving : work * (1 - options_.solving);
            }
        }
        depth_ = std::max(depth_, grower.deepest());
        finish(solver, (solver.iterations() - first) / kSolvingAlone, meter);
    }

    // Expander threads grow the tree while this thread solves it, until the budget is spent. A
    // budget of nodes also ends when kStepsWithoutGrowth walks in a row added none: the tree is
    // then complete. Of walks without growth at most kIdlePerIteration count for each iteration of
    // the solver (`counted`), and none that met a leaf another thread is expanding. Once the tree
    // is full the expanders end; this thread then solves until the time is up, or ends if the
    // budget is in steps, or in nodes without a time.
    void together(Solver<State>& solver, const Budget& budget, Meter& meter) {
        std::atomic<bool> enough{false}, failed{false};
        std::exception_ptr failure;
        std::atomic<std::int64_t> steps{0}, idle_steps{0}, counted{0};
        std::vector<Expander<Game, Evaluator>> growers;
        for (std::int32_t k = 0; k < budget.expanders; ++k) {
            growers.push_back(expander(static_cast<std::uint64_t>(k) + 1));
        }
        iterate(solver, meter);
        JoinedThreads threads(growers.size());
        const struct End {  // also where the solver throws
            std::atomic<bool>& of;
            ~End() { of.store(true); }
        } end{enough};
        bool started = true;
        for (auto& grower : growers) {
            started = started && threads.start([&] {
                try {
                    while (!enough.load(std::memory_order_relaxed) && !full()) {
                        const std::int32_t added = grower.step();
                        if (added > 0) {
                            idle_steps.store(0, std::memory_order_relaxed);
                        } else {  // below 0: another thread is expanding the leaf, which will grow
                            const bool counts =
                                added == 0 && counted.fetch_add(1) < kIdlePerIteration;
                            if (counts) idle_steps.fetch_add(1, std::memory_order_relaxed);
                            std::this_thread::yield();
                        }
                        steps.fetch_add(1, std::memory_order_relaxed);
                    }
                } catch (...) {
                    if (!failed.exchange(true)) failure = std::current_exception();
                }
            });
        }
        const std::int64_t first = solver.iterations();
        while (started && !failed.load(std::memory_order_relaxed) && !done(meter) &&
               !(budget.nodes > 0 && idle_steps.load() >= kStepsWithoutGrowth)) {
            iterate(solver, meter);
            counted.store(0);
            steps_ = steps.load(std::memory_order_relaxed);
            if (!full()) continue;                        // else nothing will grow any more
            if (budget.steps > 0) steps_ = budget.steps;  // counts as spent
            if (budget.nodes > 0 && budget.seconds <= 0) break;
        }
        enough.store(true);
        threads.join();
        if (failure) std::rethrow_exception(failure);
        if (!started) throw ThreadsUnavailable(growers.size());
        steps_ = steps.load();
        for (const auto& grower : growers) depth_ = std::max(depth_, grower.deepest());
        finish(solver, (solver.iterations() - first) / kSolvingAlone, meter);
    }

    // Solves the finished tree a little longer: until the time is up if the budget is a time, else
    // for this many iterations.
    void finish(Solver<State>& solver, std::int64_t iterations, Meter& meter) {
        const bool to_the_end = meter.time_is_up();
        for (std::int64_t k = 0; k < iterations || to_the_end; ++k) {
            if (meter.stopped() || !meter.time_for(latest_)) return;
            iterate(solver, meter);
        }
    }

    // The decision from the present tree: the purified strategy, an action drawn from it, and
    // counts of the search, which took this many iterations.
    Decision choose(std::int64_t iterations) {
        Decision out;
        out.nodes = subgame_.tree->nodes();
        out.infosets = subgame_.tree->infosets();
        out.bytes = bytes();
        out.iterations = iterations;
        out.steps = steps_;
        out.largest_enter = subgame_.gadget.free ? 0 : subgame_.gadget.largest_enter;
        out.safe = subgame_.gadget.safe();
        out.subgame = subgame_.report;
        out.depth = depth_;
        out.full = full();
        const Infoset* set = subgame_.tree->find(key_, me_);
        if (set == nullptr) return out;
        list_candidates(*set, options_, out);
        value_ = std::clamp(out.value, -1.0, 1.0);
        purify(*set, options_, out);
        if (options_.purification != Purification::none) {
            if (const std::int32_t a = winning_action(*set); a >= 0) play_winning(a, out);
        }
        out.action = draw(out, random_);
        return out;
    }

    // The first action that wins at once (see `wins`) at every position of our actual information
    // set that the subgame has, as an index of the information set's actions;
    // -1 if there is none. To the solver an action that wins a move later is worth the same.
    std::int32_t winning_action(const Infoset& set) const {
        std::vector<const N*> possible;
        for (const auto& choice : subgame_.gadget.choices)
            for (const N* node : choice.nodes)
                if (here(*node)) possible.push_back(node);
        if (possible.empty()) {  // no move to a subgame yet: they lie below the start
            for (const auto& choice : subgame_.gadget.choices)
                for (const N* node : choice.nodes)
                    if (!find_possible(*node, possible)) return -1;
        }
        if (possible.empty()) return -1;
        for (std::int32_t a = 0; a < set.count; ++a) {
            if (std::ranges::all_of(possible, [&](const N* node) { return wins(*node, set, a); }))
                return a;
        }
        return -1;
    }

    // Adds the positions of our actual information set, which is our first one, from `node` down.
    // False if the tree does not have them all, because a node above them has no children yet.
    bool find_possible(const N& node, std::vector<const N*>& possible) const {
        if (here(node)) {
            possible.push_back(&node);
            return true;
        }
        if (node.player == me_ || node.player == kTerminal) return true;
        if (!node.expanded()) return false;
        for (std::int32_t k = 0; k < node.count; ++k)
            if (!find_possible(node.children[k], possible)) return false;
        return true;
    }

    // Whether an action ends the game at a position of this information set with a value of 1 for
    // us: a payoff as large as any that either player gets, as far as the game knows it. A position
    // without children in the tree is looked at only if the game makes a single child in little
    // time; else the answer there is no.
    bool wins(const N& node, const Infoset& set, std::int32_t a) const {
        if (node.expanded()) {
            const N& child = node.children[a];
            return child.player == kTerminal && child.value >= 1;
        }
        if constexpr (MakesSingleChildren<Game>) {
            const State child = game_.child(node.state, set[a].action);
            return game_.player(child) == kTerminal && ours(game_.payoff(child)) >= 1;
        }
        return false;
    }

    const Game& game_;
    Evaluator& evaluator_;
    Options options_;
    int me_;
    SplitMix64 random_;
    Subgame<Game> subgame_;
    std::uint64_t key_ = 0;
    double value_ = 1;  // our value in the last search; 1, the largest, before the first
    std::int64_t iterations_ = 0, steps_ = 0;
    std::int32_t depth_ = 0;
    std::optional<std::uint32_t> examined_;  // see examine()
    double latest_ = 0;                      // seconds that the last iteration took
    std::int32_t ahead_ = 0;  // steps from the root to our information set, before any search
    bool fresh_ = true;       // nothing has been searched since the game began
    bool halved_ = false;     // half of the budget is spent
    double marked_ = 0;       // the part of the budget at which `unstable` was last changed
    StopFlag stop_;
    ActiveWatch<State>* watch_ = nullptr;  // while a search is watched
    std::vector<TrailStep<N>> trail_;
    mutable InUse in_use_{"the search"};
};

}  // namespace fogtree::search
