// Regret minimization on the tree as it stands: one iteration for each player, then the gadget.
//
// Farina, Kroer & Sandholm, "Faster game solving via predictive Blackwell approachability" (2021),
// PCFR+, whose last iterate is played; Tammelin (2014), CFR+, as the other choice.
// Deviations: where no regret is positive the best last action is played, not the uniform strategy.
// Subtrees that the other player and chance never reach are skipped.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/time_limit.hpp"
#include "search/gadget.hpp"
#include "search/options.hpp"
#include "search/tree.hpp"

namespace fogtree::search {

// Runs iterations on the tree of one subgame. `root`: the information set in which the opponent
// chooses among the gadget's choices; `me`: the player who searches.
template <class State>
class Solver {
public:
    using N = Node<State>;

    Solver(Gadget<N>& gadget, Infoset* root, const Options& options, int me,
           const TimeLimit& limit = {})
        : gadget_(gadget), root_(root), options_(options), me_(me), limit_(limit) {}

    // One iteration for us, one for the opponent, then the gadget. Returns false if the limit was
    // reached on the way: then a player whose tree was not walked to its end has learnt nothing.
    bool iterate() {
        ++iteration_;
        if (!iterate_for(me_) || !iterate_for(1 - me_)) {
            ++unfinished_;
            return false;
        }
        for (std::size_t j = 0; j < gadget_.choices.size(); ++j) {
            gadget_.choices[j].utility = -static_cast<double>(root_->utilities()[j] / kReachUnit);
            root_->utilities()[j] = 0;
        }
        gadget_.update(options_);
        return true;
    }

    std::int64_t iterations() const { return iteration_; }  // begun
    std::int64_t finished() const { return iteration_ - unfinished_; }
    std::int64_t touched() const { return touched_; }  // nodes visited, all iterations together
    // Makes the count of iterations, on which weights depend, go on from n.
    void set_iterations(std::int64_t n) { iteration_ = n; }

private:
    // Nodes walked between two looks at the limit.
    static constexpr std::int64_t kPatience = 4096;

    // One pass for one player: walks the tree from all root positions, then updates the player's
    // information sets that were visited, the last first. False, and nothing learnt, if the limit
    // is reached.
    bool iterate_for(int player) {
        met_.clear();
        sign_ = player == me_ ? 1.0F : -1.0F;
        for (std::size_t j = 0; j < gadget_.choices.size(); ++j) {
            const auto& c = gadget_.choices[j];
            const auto own = static_cast<std::int32_t>(j);
            for (std::size_t k = 0; k < c.nodes.size(); ++k) {
                if (player == me_) {
                    const float reach = static_cast<float>(c.reach) * (c.weights[k] * kReachUnit);
                    if (reach > 0) start(*c.nodes[k], player, reach, nullptr, -1);
                } else if (c.weights[k] > 0) {
                    start(*c.nodes[k], player, c.weights[k] * kReachUnit, root_, own);
                }
            }
        }
        if (reached_) {
            forget();
            return false;
        }
        for (std::size_t i = met_.size(); i-- > 0;) learn(*met_[i]);
        return true;
    }

    // Clears the utilities that a pass has added up, if it was not finished.
    void forget() {
        for (Infoset* set : met_) std::fill_n(set->utilities(), set->count, 0.0F);
        std::fill_n(root_->utilities(), root_->count, 0.0F);
        pending_.clear();
    }

    // Whether there is time left; the clock is read now and then.
    bool in_time() {
        if (!reached_ && touched_ >= next_look_) {
            next_look_ = touched_ + kPatience;
            reached_ = limit_.reached();
        }
        return !reached_;
    }

    // Walks everything below an expanded node that the others may reach, for a pass of `player`:
    // leaves first, while the memory of the other children is fetched. `reach`: of everybody but
    // the player, in units of kReachUnit; `last` and `action`: the player's last information set
    // above (null: none) and the action there.
    void walk(N& node, int player, float reach, Infoset* last, std::int32_t action) {
        touched_ += node.count;
        if (!in_time()) return;
        const std::size_t first = pending_.size();
        if (node.player == kChance) {
            for (std::int32_t k = 0; k < node.count; ++k) {
                visit(node, k, reach * node.children[k].probability, last, action);
            }
        } else {
            Infoset& set = *node.infoset;
            if (!set.iterated.load(std::memory_order_relaxed)) {
                set.iterated.store(true, std::memory_order_release);
            }
            if (node.player == player) {
                meet(set, reach);
                for (std::int32_t k = 0; k < node.count; ++k) visit(node, k, reach, &set, k);
            } else {
                const Relaxed<float>* strategy = set.strategies();
                for (std::int32_t k = 0; k < node.count; ++k) {
                    const float below = reach * strategy[k];
                    if (below >= kLeastReach || !options_.pruning) {
                        visit(node, k, below, last, action);
                    }
                }
            }
        }
        descend(player, first);
    }

    // Visits child k of a node: adds a leaf's value to the utility of the player's last action, or
    // queues an expanded child for the walk. `reach`: that of the child.
    void visit(N& node, std::int32_t k, float reach, Infoset* last, std::int32_t action) {
        const float value = node.leaves()[k].acquire();
        if (is_leaf_value(value)) {
            if (last != nullptr) last->utilities()[action] += reach * sign_ * value;
            return;
        }
        N* child = node.children + k;
        fetch(&child->children);
        pending_.push_back({child, reach, last, action});
    }

    // Walks the pending children from index `first` on, and removes them from the list.
    void descend(int player, std::size_t first) {
        const std::size_t end = pending_.size();
        for (std::size_t i = first; i < end; ++i) {
            const Pending here = pending_[i];
            if (i + 1 < end) {
                const N& next = *pending_[i + 1].node;
                fetch(next.leaves());
                if (next.infoset != nullptr) fetch(next.infoset);
            }
            walk(*here.node, player, here.reach, here.last, here.action);
        }
        pending_.resize(first);
    }

    static void fetch(const void* memory) { __builtin_prefetch(memory); }

    // Walks a root position, or adds its value to the utility of the player's last action if it is
    // a leaf.
    void start(N& node, int player, float reach, Infoset* last, std::int32_t action) {
        if (node.expanded()) {
            walk(node, player, reach, last, action);
        } else if (last != nullptr) {
            last->utilities()[action] += reach * sign_ * node.value;
        }
    }

    // Visits an information set of the player: adds up the others' reach; on the first visit of a
    // pass computes the player's own reach, and lists the set in met_.
    void meet(Infoset& set, float reach) {
        if (set.stamp != iteration_) {
            set.stamp = iteration_;
            set.others_reach = 0;
            const Infoset* above = set.parent;
            set.own_reach = above == nullptr || above->stamp != iteration_
                                ? 1.0F
                                : above->own_reach * above->strategies()[set.parent_action];
            met_.push_back(&set);
        }
        set.others_reach += reach;
    }

    // Adds an information set's expected utility to its player's action before it, computes its
    // value and its actions' values (`quality`) given the information set, and updates regrets and
    // strategy unless it is fixed. To be called for children before parents.
    void learn(Infoset& set) {
        const std::int32_t n = set.count;
        const Relaxed<float>* strategy = set.strategies();
        float* utility = set.utilities();
        float expected = 0;
        for (std::int32_t a = 0; a < n; ++a) expected += strategy[a] * utility[a];
        if (set.parent != nullptr && (set.parent->stamp == iteration_ || set.parent == root_)) {
            set.parent->utilities()[set.parent_action] += expected;
        }
        const float scale = set.others_reach >= kLeastReach ? 1 / set.others_reach : 0;
        set.value = expected * scale;
        Relaxed<float>* quality = set.qualities();
        for (std::int32_t a = 0; a < n; ++a) quality[a] = utility[a] * scale;
        if (!set.fixed) improve(set, expected);
        std::fill(utility, utility + n, 0.0F);
    }

    // Updates average, regrets and strategy of an information set by the utilities of this pass, of
    // which `expected` is the mean under the strategy. The average's weights are linear; CFR+ here
    // multiplies the regrets by t / (t + 1) in iteration t.
    void improve(Infoset& set, float expected) {
        const bool predictive = options_.minimizer == Minimizer::pcfr_plus;
        const auto t = static_cast<float>(iteration_);
        const float discount = predictive ? 1.0F : t / (t + 1);
        const std::int32_t n = set.count;
        const float* utility = set.utilities();
        if (set.examined >= 0) {  // regrets are those of the rest of the strategy
            expected = (expected - kExamined * utility[set.examined]) / (1 - kExamined);
        }
        float *cumulative = set.cumulatives(), *regret = set.regrets(), *average = set.averages();
        Relaxed<float>* strategy = set.strategies();
        float sum = 0;
        std::int32_t best = 0;
        for (std::int32_t a = 0; a < n; ++a) {
            average[a] += t * set.own_reach * strategy[a];
            regret[a] = utility[a] - expected;
            cumulative[a] = std::max((cumulative[a] + regret[a]) * discount, 0.0F);
            if (utility[a] > utility[best]) best = a;
            sum += std::max(cumulative[a] + (predictive ? regret[a] : 0.0F), 0.0F);
        }
        std::uint8_t* unstable = set.unstables();
        for (std::int32_t a = 0; a < n; ++a) {
            const float weight = std::max(cumulative[a] + (predictive ? regret[a] : 0.0F), 0.0F);
            const float share = sum > 0 ? weight / sum : (a == best ? 1.0F : 0.0F);
            strategy[a] = share;
            if (share <= 0) unstable[a] |= 1;
        }
        if (set.examined >= 0) {
            for (std::int32_t a = 0; a < n; ++a) strategy[a] = strategy[a] * (1 - kExamined);
            strategy[set.examined] = strategy[set.examined] + kExamined;
        }
    }

    Gadget<N>& gadget_;
    Infoset* root_;
    const Options& options_;
    int me_;
    TimeLimit limit_;
    bool reached_ = false;  // the limit
    float sign_ = 1;        // turns our values into those of the pass's player: 1 for us, else -1
    struct Pending {        // an expanded child that will be walked
        N* node;
        float reach;
        Infoset* last;
        std::int32_t action;
    };
    std::vector<Pending> pending_;
    std::vector<Infoset*> met_;  // the player's, visited in this pass, parents before children
    std::int64_t iteration_ = 0, unfinished_ = 0;
    std::int64_t touched_ = 0, next_look_ = kPatience;
};

}  // namespace fogtree::search
