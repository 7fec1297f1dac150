// The search agent's engine: keep a tree from move to move, solve and grow it, choose.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

#include "blueprint.hpp"
#include "expander.hpp"
#include "inspect.hpp"
#include "options.hpp"
#include "random.hpp"
#include "solver.hpp"
#include "subgame.hpp"
#include "tree.hpp"
#include "watch.hpp"

namespace fogtree::search {

struct Budget {
    double seconds = 0;          // 0: no limit of that kind
    std::int64_t steps = 0;      // expansions tried
    std::int64_t nodes = 0;      // in the tree
    std::int32_t expanders = 0;  // threads beside the solver's; 0: one thread does both in turn
};

struct Candidate {
    std::uint32_t action;
    double probability;  // as played, after purification
    double strategy;     // the solver's own
    double value;        // ours, in [-1, 1]
    std::uint32_t visits;
};

struct Decision {
    std::vector<Candidate> candidates;
    std::uint32_t action = 0;  // drawn from the mix
    double value = 0;
    double largest_enter = 0;  // p_max
    bool safe = false;
    std::int64_t nodes = 0, iterations = 0, steps = 0;
    std::size_t infosets = 0, bytes = 0;
    std::int32_t depth = 0;
    double seconds = 0;
    SubgameReport subgame;
};

struct ChoiceReport {  // one of the opponent's information sets at the root
    std::size_t nodes;
    double alternate, utility, margin, prior, reach, enter, maxmargin;
};

template <class Game, class Evaluator>
class Search {
public:
    using State = typename Game::State;
    using N = Node<State>;

    Search(const Game& game, Evaluator& evaluator, const Options& options, int me)
        : game_(game), evaluator_(evaluator), options_(options), me_(me), random_(options.seed) {}

    // The game begins; the first search is of the whole game.
    void begin(const State& start, std::uint64_t first, std::uint64_t second) {
        const std::uint64_t knows[2] = {first, second};
        subgame_ = Subgame<Game>::whole(game_, start, knows, ours(evaluator_.evaluate(start)), me_);
        subgame_.gadget.start(options_);
        iterations_ = 0;
        fresh_ = true;
        set_key(knows[me_]);
    }

    // After begin(): the whole game is opened and both play this strategy, as if it had been found
    // by a search; `mix(state, action)` is a probability.
    template <class Mix>
    void adopt(Mix mix) {
        Blueprint<Game, Evaluator, Mix>(game_, evaluator_, subgame_, options_, me_, mix).lay();
        iterations_ = 1;
        value_ = inspect().expected();
        fresh_ = false;
    }

    // What happened before the next know() is not known, so nothing can be carried over.
    void forget() {
        fresh_ = false;
        value_ = 1;  // nothing was expected: alternate values are the evaluator's
    }

    // We know `key` now, and `belief` is what is possible. The next search is of the subgame there.
    // While nothing has been searched yet, the whole game stays the subgame.
    void know(std::uint64_t key, const std::vector<State>& belief) {
        if (belief.empty())
            throw std::invalid_argument("no position is consistent with what was seen");
        set_key(key);
        if (fresh_) return;
        subgame_ = Subgame<Game>::next(game_, subgame_, options_, me_, key, belief, value_, random_,
                                       [&](const State& s) { return ours(evaluate(s)); });
    }

    Decision decide(const Budget& budget, const Watch& watch = {}) {
        const auto began = Clock::now();
        fresh_ = false;
        Solver<State> solver(subgame_.gadget, subgame_.root, options_, me_);
        solver.set_iterations(iterations_);
        steps_ = 0;
        open_roots();
        Onlooker onlooker{watch, solver, began, iterations_};
        onlooker_ = watch.tell ? &onlooker : nullptr;
        tell(Event::opened, 0);
        if (budget.expanders == 0) {
            alternate(solver, budget, began);
        } else {
            together(solver, budget, began);
        }
        tell(Event::looked, 1);
        onlooker_ = nullptr;
        const std::int64_t before = iterations_;
        iterations_ = solver.iterations();
        Decision out = choose(solver.iterations() - before);
        out.seconds = since(began);
        return out;
    }

    std::vector<ChoiceReport> choices() const {
        std::vector<ChoiceReport> out;
        for (const auto& c : subgame_.gadget.choices) {
            out.push_back({c.nodes.size(), c.alternate, c.utility, c.margin, c.prior, c.reach,
                           c.enter, c.maxmargin});
        }
        return out;
    }

    Inspector<Game> inspect() const { return Inspector<Game>(subgame_, me_); }
    const Subgame<Game>& subgame() const { return subgame_; }
    std::uint64_t key() const { return key_; }  // what we know
    const std::vector<TrailStep<N>>& trail() const { return trail_; }

    // The strategy at any of the tree's information sets, ours or theirs: last and average.
    struct Mix {
        std::vector<std::uint32_t> actions;
        std::vector<double> last, average;
    };
    Mix mix(std::uint64_t key, int player) const {
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
    using Clock = std::chrono::steady_clock;
    static double since(Clock::time_point then) {
        return std::chrono::duration<double>(Clock::now() - then).count();
    }
    double ours(double value) const { return me_ == 0 ? value : -value; }
    double evaluate(const State& s) {
        return game_.player(s) == kTerminal ? game_.payoff(s) : evaluator_.evaluate(s);
    }
    void set_key(std::uint64_t key) {
        key_ = key;
        halved_ = false;
    }

    bool done(const Budget& budget, Clock::time_point began) {
        if (budget.steps > 0 && steps_ >= budget.steps) return true;
        if (budget.nodes > 0 && subgame_.tree->nodes() >= budget.nodes) return true;
        const double part = progress(budget, began);
        if (onlooker_ != nullptr && part >= onlooker_->next()) tell(Event::looked, part);
        if (part >= 0.5 && !halved_) {  // from here on an action must stay in the support
            halved_ = true;
            if (Infoset* set = subgame_.tree->find(key_, me_)) {
                for (std::int32_t a = 0; a < set->count; ++a) (*set)[a].unstable = false;
            }
        }
        return budget.seconds > 0 && since(began) >= budget.seconds;
    }

    struct Onlooker {
        const Watch& watch;
        const Solver<State>& solver;
        Clock::time_point began;
        std::int64_t before;  // iterations of earlier searches
        std::int32_t looks = 0;
        std::int32_t added = 0;

        double next() const {  // the part of the budget after which to look again
            if (looks >= watch.looks) return 2;
            const double part = static_cast<double>(looks) / watch.looks;
            return part * part;
        }
    };

    void tell(Event event, double part) {
        if (onlooker_ == nullptr) return;
        if (event == Event::looked) {
            ++onlooker_->looks;
        } else if (!onlooker_->watch.every) {
            return;
        }
        onlooker_->watch.tell({event, part, since(onlooker_->began),
                               onlooker_->solver.iterations() - onlooker_->before, steps_,
                               subgame_.tree->nodes(), onlooker_->added});
    }

    double progress(const Budget& budget, Clock::time_point began) const {
        double part = 0;
        if (budget.seconds > 0) part = std::max(part, since(began) / budget.seconds);
        if (budget.steps > 0) {
            part = std::max(part, static_cast<double>(steps_) / static_cast<double>(budget.steps));
        }
        if (budget.nodes > 0) {
            part = std::max(part, static_cast<double>(subgame_.tree->nodes()) /
                                      static_cast<double>(budget.nodes));
        }
        return part;
    }

    bool full() const {
        return options_.most_nodes > 0 && subgame_.tree->nodes() >= options_.most_nodes;
    }

    Expander<Game, Evaluator> expander(std::uint64_t number) {
        return Expander<Game, Evaluator>(game_, evaluator_, subgame_, options_, me_,
                                         combined(random_.next(), number));
    }

    // Our own information set must exist before anything can be said about it.
    void open_roots() {
        auto first = expander(0);
        for (std::size_t j = 0; j < subgame_.gadget.choices.size(); ++j) {
            for (N* node : subgame_.gadget.choices[j].nodes) {
                if (node->player != me_ || node->expanded()) continue;
                Infoset* last[2] = {nullptr, nullptr};
                std::int32_t action[2] = {-1, -1};
                last[1 - me_] = subgame_.root;
                action[1 - me_] = static_cast<std::int32_t>(j);
                first.expand(*node, last, action);
            }
        }
    }

    void alternate(Solver<State>& solver, const Budget& budget, Clock::time_point began) {
        auto grower = expander(1);
        if (onlooker_ != nullptr && onlooker_->watch.every) grower.leave(&trail_);
        std::int64_t work = 0, cost = 0;
        iterate(solver);
        while (!done(budget, began)) {
            trail_.clear();
            const std::int32_t added = full() ? 0 : grower.step();
            ++steps_;
            if (onlooker_ != nullptr) onlooker_->added = added;
            tell(Event::grown, 0);
            if (options_.iterations_per_expansion > 0) {
                for (std::int32_t k = 0; k < options_.iterations_per_expansion; ++k)
                    iterate(solver);
                continue;
            }
            // As much work in growing as in solving; a step that found nothing to grow is cheap.
            work += added > 0 ? 16 + 8 * std::int64_t{added} : 64;
            if (work < cost) continue;
            const std::int64_t before = solver.touched();
            iterate(solver);
            cost = solver.touched() - before;
            work = 0;
        }
    }

    void iterate(Solver<State>& solver) {
        solver.iterate();
        tell(Event::solved, 0);
    }

    void together(Solver<State>& solver, const Budget& budget, Clock::time_point began) {
        std::atomic<bool> stop{false};
        std::atomic<std::int64_t> steps{0};
        std::vector<Expander<Game, Evaluator>> growers;
        for (std::int32_t k = 0; k < budget.expanders; ++k) {
            growers.push_back(expander(static_cast<std::uint64_t>(k) + 1));
        }
        solver.iterate();
        std::vector<std::thread> threads;
        for (auto& grower : growers) {
            threads.emplace_back([&] {
                while (!stop.load(std::memory_order_relaxed)) {
                    if (full() || grower.step() == 0) std::this_thread::yield();
                    steps.fetch_add(1, std::memory_order_relaxed);
                }
            });
        }
        // Expanders stop a little before the end; the solver goes on with the tree as it is.
        Budget growing = budget;
        growing.seconds *= 0.95;
        while (!done(growing, began)) {
            solver.iterate();
            steps_ = steps.load(std::memory_order_relaxed);
        }
        stop.store(true);
        for (std::thread& thread : threads) thread.join();
        do {
            solver.iterate();
        } while (budget.seconds > 0 && since(began) < budget.seconds);
    }

    Decision choose(std::int64_t iterations) {
        Decision out;
        out.nodes = subgame_.tree->nodes();
        out.infosets = subgame_.tree->infosets();
        out.bytes = subgame_.tree->bytes();
        out.iterations = iterations;
        out.steps = steps_;
        out.largest_enter = subgame_.gadget.free ? 0 : subgame_.gadget.largest_enter;
        out.safe = subgame_.gadget.safe();
        out.subgame = subgame_.report;
        for (const auto& c : subgame_.gadget.choices) {
            for (const N* node : c.nodes) out.depth = std::max(out.depth, depth(*node));
        }
        const Infoset* set = subgame_.tree->find(key_, me_);
        if (set == nullptr) return out;
        double total = 0;
        for (std::int32_t a = 0; a < set->count; ++a)
            total += static_cast<double>((*set)[a].average);
        for (std::int32_t a = 0; a < set->count; ++a) {
            const ActionRecord& record = (*set)[a];
            const bool average = options_.answer == Answer::average && total > 0;
            const double share = average ? static_cast<double>(record.average) / total
                                         : static_cast<double>(record.strategy);
            out.candidates.push_back(
                {record.action, share, share, static_cast<double>(record.quality), record.visits});
            out.value += share * static_cast<double>(record.quality);
        }
        value_ = std::clamp(out.value, -1.0, 1.0);
        purify(*set, out);
        out.action = draw(out);
        return out;
    }

    static std::int32_t depth(const N& node) {
        std::int32_t most = 0;
        if (!node.expanded()) return 0;
        for (std::int32_t k = 0; k < node.count; ++k)
            most = std::max(most, depth(node.children[k]));
        return most + 1;
    }

    // Unsafe: the likeliest action. Safe: the likeliest and those that stayed in the support.
    void purify(const Infoset& set, Decision& out) const {
        if (options_.purification == Purification::none) return;
        std::vector<std::size_t> order(out.candidates.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return out.candidates[a].strategy > out.candidates[b].strategy;
        });
        const bool mixes = options_.purification == Purification::stable && out.safe;
        double kept = 0;
        for (std::size_t i = 1; i < order.size(); ++i) {
            Candidate& c = out.candidates[order[i]];
            const bool stays = mixes && i < static_cast<std::size_t>(options_.most_actions) &&
                               !set[static_cast<std::int32_t>(order[i])].unstable;
            if (!stays) c.probability = 0;
            kept += c.probability;
        }
        out.candidates[order[0]].probability = 1 - kept;
    }

    std::uint32_t draw(const Decision& out) {
        double left = random_.unit();
        std::uint32_t last = 0;
        for (const Candidate& c : out.candidates) {
            if (c.probability <= 0) continue;
            last = c.action;
            if ((left -= c.probability) < 0) break;
        }
        return last;
    }

    const Game& game_;
    Evaluator& evaluator_;
    Options options_;
    int me_;
    Random random_;
    Subgame<Game> subgame_;
    std::uint64_t key_ = 0;
    double value_ = 0;  // v*: what we expected at the last move
    std::int64_t iterations_ = 0, steps_ = 0;
    bool fresh_ = true;
    bool halved_ = false;
    Onlooker* onlooker_ = nullptr;  // while a search runs that somebody watches
    std::vector<TrailStep<N>> trail_;
};

}  // namespace fogtree::search
