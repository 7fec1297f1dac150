// The result of a search: our strategy, purified, and the action drawn from it.
//
// Zhang & Sandholm (2025): the last iterate, purified.
// Deviations: an action that wins at once in every possible position of the subgame is played
// alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/random.hpp"
#include "search/infoset.hpp"
#include "search/options.hpp"
#include "search/subgame.hpp"

namespace fogtree::search {

// One action of the root information set.
struct Candidate {
    std::uint32_t action;
    double probability;  // as played, after purification
    double strategy;     // the solver's own
    double value;        // ours, in [-1, 1]
    std::uint32_t visits;
};

// The result of a search.
struct Decision {
    std::vector<Candidate> candidates;
    std::uint32_t action = 0;   // drawn from the candidates' probabilities
    double value = 0;           // ours, of the strategy before purification, in [-1, 1]
    double largest_enter = 0;   // p_max
    bool safe = false;          // p_max is 0
    bool full = false;          // a bound on nodes or memory was reached: the tree grew no further
    bool stopped = false;       // before the budget was spent
    bool wins_at_once = false;  // one action was played alone: it wins at once, wherever we are
    std::int64_t nodes = 0, iterations = 0, steps = 0;
    std::int64_t touched = 0;  // nodes that the solver visited, all iterations together
    std::size_t infosets = 0, bytes = 0;
    std::int32_t depth = 0;  // the greatest number of steps from the root to a node
    double seconds = 0;
    SubgameReport subgame;
};

// One of the opponent's information sets at the root, among which the gadget game lets it choose:
// its number of positions, and the numbers of RootChoice.
struct OpponentChoice {
    std::size_t nodes;
    double alternate, utility, margin, prior, reach, enter, maxmargin;
};

// Fills out.candidates with every action, its probability in the solver's answer (last iterate or
// average) and its value, and out.value with the value of this strategy.
inline void list_candidates(const Infoset& set, const Options& options, Decision& out) {
    double total = 0;
    for (std::int32_t a = 0; a < set.count; ++a) total += static_cast<double>(set[a].average);
    const bool average = options.answer == Answer::average && total > 0;
    for (std::int32_t a = 0; a < set.count; ++a) {
        const ActionRecord& record = set[a];
        const double share = average ? static_cast<double>(record.average) / total
                                     : static_cast<double>(record.strategy);
        out.candidates.push_back(
            {record.action, share, share, static_cast<double>(record.quality), record.visits});
        out.value += share * static_cast<double>(record.quality);
    }
}

// Purifies the candidates' probabilities; Purification::none leaves them as they are. If the search
// is not safe, or with Purification::argmax, the likeliest action alone is played. Otherwise the
// next likeliest actions that never left the support in the second half of the search (not
// `unstable`) keep their probabilities, at most most_actions - 1 of them, and the likeliest, stable
// or not, gets the rest.
inline void purify(const Infoset& set, const Options& options, Decision& out) {
    if (options.purification == Purification::none) return;
    std::vector<std::size_t> order(out.candidates.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return out.candidates[a].strategy > out.candidates[b].strategy;
    });
    const bool mixes = options.purification == Purification::stable && out.safe;
    double kept = 0;
    std::int32_t places = options.most_actions - 1;  // besides the likeliest
    for (std::size_t i = 1; i < order.size(); ++i) {
        Candidate& c = out.candidates[order[i]];
        const bool stays =
            mixes && places > 0 && !set[static_cast<std::int32_t>(order[i])].unstable;
        places -= stays;
        if (!stays) c.probability = 0;
        kept += c.probability;
    }
    out.candidates[order[0]].probability = 1 - kept;
}

// Makes the action with this index, which wins at once, the only one that is played.
inline void play_winning(std::int32_t index, Decision& out) {
    out.wins_at_once = true;
    for (Candidate& c : out.candidates) c.probability = 0;
    out.candidates[static_cast<std::size_t>(index)].probability = 1;
}

// Draws an action by the candidates' probabilities.
inline std::uint32_t draw(const Decision& out, SplitMix64& random) {
    double left = random.unit();
    std::uint32_t last = 0;
    for (const Candidate& c : out.candidates) {
        if (c.probability <= 0) continue;
        last = c.action;
        if ((left -= c.probability) < 0) break;
    }
    return last;
}

}  // namespace fogtree::search
