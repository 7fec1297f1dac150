// The gadget at the root of a subgame: the opponent chooses one of its information sets, and should
// not gain over the value it had before.
//
// Resolve: Burch, Johanson & Bowling, "Solving imperfect information games using decomposition"
// (2014). Maxmargin: Moravcik et al., "Refining subgames in large imperfect information games"
// (2016). The blend of the two: Zhang & Sandholm (2025).
// Deviations: entering costs the opponent a small `tolerance`. Where the subgame is worth exactly
// what was promised, as in an equilibrium, it would not matter to the opponent whether it enters,
// so that p_max could stay anywhere; with the cost it stays away and p_max falls to 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "search/options.hpp"
#include "search/tree.hpp"

namespace fogtree::search {

// One of the opponent's information sets at the root, with the gadget's numbers for it.
template <class NodeType>
struct RootChoice {
    std::vector<NodeType*> nodes;  // of one opponent information set
    std::size_t ours = 0;          // number of nodes that are possible for us; they come first
    std::vector<float> weights;    // of each, sum 1: chance and our own old strategy
    Relaxed<double> alternate;     // our value there in the last search, less gifts
    Relaxed<bool> waits;           // drawn and not opened yet: there is no alternate value
    double old_reach = 0;          // the opponent's reach in the last search
    double old_mass = 0;           // the reach of chance and us then, all nodes together
    double drawn = 0;              // the prior of a set that was drawn from many; 0: from old_reach
    double prior = 0;    // Resolve's probability of this choice if the opponent always enters
    double utility = 0;  // our value, given this choice, in the last iteration
    double margin = 0;   // utility - alternate
    // Resolve chooses between entering and staying out (exit), Maxmargin among all choices, both by
    // PRM+: `_z` is the sum of regrets, cut off at 0, `_r` the last regret. `enter` and `maxmargin`
    // are the probabilities that follow.
    double enter_z = 0, exit_z = 0, enter_r = 0, exit_r = 0, enter = 1;
    double margin_z = 0, margin_r = 0, maxmargin = 0;
    bool skipped = false;   // it waited when the last iteration ended
    Relaxed<double> reach;  // current probability of this choice
};

// The gadget game at the root.
template <class NodeType>
class Gadget {
public:
    std::vector<RootChoice<NodeType>> choices;
    double largest_enter = 1;  // p_max; 0 means that every margin is at least 0
    bool free = false;         // the game's own root: nothing to defend
    double expected = 1;       // our value in the last search: drawn positions promise no more

    // Sets the priors and the first strategies. A prior is half uniform, half by the opponent's
    // reach in the last search, or uniform only; choices that were drawn (see Thinning) share what
    // the others leave in proportion to the priors they were drawn with.
    void start(const Options& options) {
        const auto m = static_cast<double>(choices.size());
        double total = 0, drawn = 0, others = 0;
        for (const auto& c : choices) {
            total += c.old_reach;
            drawn += c.drawn;
            others += c.drawn == 0;
        }
        for (auto& c : choices) {
            const double old = total > 0 ? c.old_reach / total : 1 / m;
            c.prior = options.uniform_prior ? 1 / m : 0.5 * (1 / m + old);
            if (c.drawn > 0) c.prior = c.drawn / drawn * (1 - 0.5 * others / m);
            c.maxmargin = c.waits ? 0 : 1 / m;
            c.enter = c.waits ? 0 : 1;
        }
        blend(options);
    }

    // After the opponent's iteration, in which `utility` of every choice (ours, given the choice)
    // was computed: updates the opponent's strategies at the root. Resolve: whether to enter each
    // choice or to take the alternate value; Maxmargin: which choice to enter. Choices that still
    // wait for their alternate value are skipped.
    void update(const Options& options) {
        if (free) return;
        double expected_gain = 0;
        for (auto& c : choices) {
            c.skipped = c.waits.acquire();
            if (c.skipped) continue;
            c.margin = c.utility - c.alternate;
            expected_gain += c.maxmargin * -c.margin;
        }
        double sum = 0;
        for (auto& c : choices) {
            if (c.skipped) continue;
            const double gain = -c.margin;
            const double entered = gain - options.tolerance;
            const double value = c.enter * entered;
            predict(c.enter_z, c.enter_r, entered - value);
            predict(c.exit_z, c.exit_r, 0 - value);
            const double in = std::max(c.enter_z + c.enter_r, 0.0);
            const double out = std::max(c.exit_z + c.exit_r, 0.0);
            c.enter = in + out > 0 ? in / (in + out) : (entered > 0 ? 1.0 : 0.0);
            predict(c.margin_z, c.margin_r, gain - expected_gain);
            c.maxmargin = std::max(c.margin_z + c.margin_r, 0.0);
            sum += c.maxmargin;
        }
        const auto worst =
            std::min_element(choices.begin(), choices.end(), [](const auto& a, const auto& b) {
                return a.skipped == b.skipped ? a.margin < b.margin : b.skipped;
            });
        for (auto& c : choices) {
            if (c.skipped) continue;
            c.maxmargin = sum > 0 ? c.maxmargin / sum : (&c == &*worst ? 1 : 0);
        }
        blend(options);
    }

    // Whether our strategy gives the opponent no more than before: p_max is 0, or there is nothing
    // to defend.
    bool safe() const { return free || largest_enter == 0; }

private:
    // Adds a regret to the sum `z`, which stays at least 0, and keeps it as the prediction of the
    // next (PRM+).
    static void predict(double& z, double& last, double regret) {
        z = std::max(z + regret, 0.0);
        last = regret;
    }

    // Computes p_max, and the probability (`reach`) of every choice from the strategies of Resolve
    // and Maxmargin: together, Resolve counts with the weight p_max and Maxmargin with the rest.
    void blend(const Options& options) {
        largest_enter = 0;
        for (const auto& c : choices) largest_enter = std::max(largest_enter, c.enter);
        for (auto& c : choices) {
            if (free) {
                c.reach = 1.0 / static_cast<double>(choices.size());
            } else if (options.resolve && options.maxmargin) {
                c.reach = largest_enter * c.prior * c.enter + (1 - largest_enter) * c.maxmargin;
            } else if (options.resolve) {
                c.reach = c.prior * c.enter;
            } else {
                c.reach = options.maxmargin ? c.maxmargin : c.prior;
            }
        }
    }
};

}  // namespace fogtree::search
