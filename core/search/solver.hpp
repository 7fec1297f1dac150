// Regret minimization on the tree as it stands: one iteration for each player, then the gadget.
//
// Farina, Kroer & Sandholm, "Faster game solving via predictive Blackwell approachability" (2021),
// PCFR+, whose last iterate is played; Tammelin (2014), CFR+, as the other choice.
// Deviations: where no regret is positive the best last action is played, not the uniform mix. A
// part of the tree that nobody else reaches is not walked.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "gadget.hpp"
#include "options.hpp"
#include "tree.hpp"

namespace fogtree::search {

template <class State>
class Solver {
public:
    using N = Node<State>;

    Solver(Gadget<N>& gadget, Infoset* root, const Options& options, int me)
        : gadget_(gadget), root_(root), options_(options), me_(me) {}

    // One iteration for us, one for the opponent, then the gadget.
    void iterate() {
        ++iteration_;
        iterate_for(me_);
        iterate_for(1 - me_);
        for (std::size_t j = 0; j < gadget_.choices.size(); ++j) {
            gadget_.choices[j].utility = -choice(j).utility;
            choice(j).utility = 0;
        }
        gadget_.update(options_);
    }

    std::int64_t iterations() const { return iteration_; }
    std::int64_t touched() const { return touched_; }  // nodes walked, all iterations together
    void set_iterations(std::int64_t n) { iteration_ = n; }

private:
    ActionRecord& choice(std::size_t j) { return (*root_)[static_cast<std::int32_t>(j)]; }

    void iterate_for(int player) {
        met_.clear();
        for (std::size_t j = 0; j < gadget_.choices.size(); ++j) {
            const auto& c = gadget_.choices[j];
            const auto own = static_cast<std::int32_t>(j);
            for (std::size_t k = 0; k < c.nodes.size(); ++k) {
                if (player == me_) {
                    const float reach = static_cast<float>(c.reach) * c.weights[k];
                    if (reach > 0) walk(*c.nodes[k], player, reach, nullptr, -1);
                } else if (c.weights[k] > 0) {
                    walk(*c.nodes[k], player, c.weights[k], root_, own);
                }
            }
        }
        for (std::size_t i = met_.size(); i-- > 0;) learn(*met_[i]);
    }

    void walk(N& node, int player, float reach, Infoset* last, std::int32_t action) {
        ++touched_;
        if (!node.expanded()) {
            if (last != nullptr) {
                (*last)[action].utility += reach * (player == me_ ? node.value : -node.value);
            }
            return;
        }
        if (node.player == kChance) {
            for (std::int32_t k = 0; k < node.count; ++k) {
                walk(node.children[k], player, reach * node.children[k].probability, last, action);
            }
            return;
        }
        Infoset& set = *node.infoset;
        if (!set.iterated.load(std::memory_order_relaxed)) {
            set.iterated.store(true, std::memory_order_release);
        }
        if (node.player == player) {
            meet(set, reach);
            for (std::int32_t k = 0; k < node.count; ++k) {
                walk(node.children[k], player, reach, &set, k);
            }
            return;
        }
        for (std::int32_t k = 0; k < node.count; ++k) {
            const float share = set[k].strategy;
            if (share > 0) walk(node.children[k], player, reach * share, last, action);
        }
    }

    void meet(Infoset& set, float reach) {
        if (set.stamp != iteration_) {
            set.stamp = iteration_;
            set.others_reach = 0;
            const Infoset* above = set.parent;
            set.own_reach = above == nullptr || above->stamp != iteration_
                                ? 1.0F
                                : above->own_reach * (*above)[set.parent_action].strategy;
            met_.push_back(&set);
        }
        set.others_reach += reach;
    }

    // Values up to the own last action, regrets, next strategy. Children come before parents.
    void learn(Infoset& set) {
        float expected = 0;
        for (std::int32_t a = 0; a < set.count; ++a) {
            expected += set[a].strategy * set[a].utility;
        }
        if (set.parent != nullptr && (set.parent->stamp == iteration_ || set.parent == root_)) {
            (*set.parent)[set.parent_action].utility += expected;
        }
        const float scale = set.others_reach > 0 ? 1 / set.others_reach : 0;
        set.value = expected * scale;
        for (std::int32_t a = 0; a < set.count; ++a) {
            set[a].quality = set[a].utility * scale;
        }
        if (!set.fixed) improve(set, expected);
        for (std::int32_t a = 0; a < set.count; ++a) set[a].utility = 0;
    }

    void improve(Infoset& set, float expected) {
        const bool predictive = options_.minimizer == Minimizer::pcfr_plus;
        const auto t = static_cast<float>(iteration_);
        const float discount = predictive ? 1.0F : t / (t + 1);
        float sum = 0;
        std::int32_t best = 0;
        for (std::int32_t a = 0; a < set.count; ++a) {
            ActionRecord& record = set[a];
            record.average += t * set.own_reach * record.strategy;
            record.regret = record.utility - expected;
            record.cumulative = std::max((record.cumulative + record.regret) * discount, 0.0F);
            if (record.utility > set[best].utility) best = a;
            sum += weight(record, predictive);
        }
        for (std::int32_t a = 0; a < set.count; ++a) {
            const float share =
                sum > 0 ? weight(set[a], predictive) / sum : (a == best ? 1.0F : 0.0F);
            set[a].strategy = share;
            if (share <= 0) set[a].unstable = true;
        }
    }

    static float weight(const ActionRecord& record, bool predictive) {
        return std::max(record.cumulative + (predictive ? record.regret : 0.0F), 0.0F);
    }

    Gadget<N>& gadget_;
    Infoset* root_;
    const Options& options_;
    int me_;
    std::vector<Infoset*> met_;
    std::int64_t iteration_ = 0;
    std::int64_t touched_ = 0;
};

}  // namespace fogtree::search
