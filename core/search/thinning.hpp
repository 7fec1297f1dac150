// Chooses the positions that a subgame begins with if the last tree has too many of them.
//
// Deviations: Zhang & Sandholm (2025) begin with all of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/random.hpp"
#include "search/cover.hpp"
#include "search/key_table.hpp"
#include "search/options.hpp"

namespace fogtree::search {

// Reduces the root positions to a limit. Information sets of the opponent are drawn by their prior
// until their positions that are possible for us fill half of the limit (more if the others need
// less); at least one set is kept. Every set drawn gets the prior that makes the expected prior of
// each set what it was: Duffield, Lund & Thorup, "Priority sampling for estimation of arbitrary
// subset sums" (2007). The other positions of these sets are drawn by probability, and weighted so
// that the expected mass is unchanged. Positions that our own old strategy never leads to are
// dropped, limit or not: the solver would not walk there.
template <class NodeType>
class Thinning {
public:
    using F = Found<NodeType>;

    // `me`: the player who searches; `key`: our information set.
    Thinning(const Options& options, int me, std::uint64_t key, SplitMix64& random)
        : options_(options), me_(me), key_(key), random_(random) {}

    // At most `most_roots` of the positions found. If there are more, the opponent's information
    // sets (groups) are drawn, and the priors of those kept make up for the others.
    std::vector<F> thin(std::vector<F> found) {
        const std::size_t ours = gather(found);
        std::erase_if(found,
                      [&](const F& f) { return !here(f) && f.others <= 0 && group(f).mass > 0; });
        const auto most = static_cast<std::size_t>(options_.most_roots);
        if (most == 0 || found.size() <= most) return found;
        choose(std::max(most / 2, most - std::min(most, found.size() - ours)));
        std::vector<F> out, rest;
        for (F& f : found) {
            const Group& g = group(f);
            if (!g.kept) continue;
            f.prior = static_cast<float>(g.prior);
            if (here(f)) {
                out.push_back(f);
            } else if (f.others > 0) {
                rest.push_back(f);
            }
        }
        draw_rest(rest, most - std::min(most, out.size()), out);
        return out;
    }

private:
    struct Group {             // an information set of the opponent
        double own;            // the opponent's own reach
        double mass = 0;       // the reach of everybody else, all its positions together
        std::size_t ours = 0;  // positions that are possible for us
        bool kept = true;
        double prior = 0;  // once drawn
    };

    // Whether the position is possible for us.
    bool here(const F& f) const { return f.node->knows[me_] == key_; }
    // The opponent's information set at a position.
    Group& group(const F& f) { return groups_[number_.find(f.node->knows[1 - me_]) - 1]; }

    // Sorts the positions into groups; returns how many of them are possible for us.
    std::size_t gather(const std::vector<F>& found) {
        std::size_t ours = 0;
        for (const F& f : found) {
            const std::uint64_t name = f.node->knows[1 - me_];
            if (number_.find(name) == 0) {
                groups_.push_back({static_cast<double>(f.own)});
                number_.add(name, static_cast<std::uint32_t>(groups_.size()));
            }
            group(f).mass += static_cast<double>(f.others);
            group(f).ours += here(f);
            ours += here(f);
        }
        return ours;
    }

    // The prior of a group as in Resolve: the mean of a uniform prior and of the opponent's old
    // reach.
    double resolve_prior(const Group& g) const {
        const double alike = 1 / static_cast<double>(groups_.size());
        const bool knows = reach_ > 0 && !options_.uniform_prior;
        return 0.5 * (alike + (knows ? g.own / reach_ : alike));
    }

    // Priority sampling: keeps groups in the order of their priorities, prior / uniform random
    // number (the greatest first), until `room` positions that are possible for us are taken;
    // groups that do not fit are skipped. The priors of groups taken before the first skipped one
    // are raised to its priority at least, which makes up for the groups left out.
    void choose(std::size_t room) {
        for (const Group& g : groups_) reach_ += g.own;
        std::vector<std::pair<double, std::size_t>> turns;
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            groups_[i].prior = resolve_prior(groups_[i]);
            turns.push_back({(1 - random_.unit()) / groups_[i].prior, i});
            groups_[i].kept = false;
        }
        std::sort(turns.begin(), turns.end());
        std::size_t taken = 0, first_left = turns.size();
        for (std::size_t k = 0; k < turns.size(); ++k) {
            Group& g = groups_[turns[k].second];
            g.kept = taken + g.ours <= room || taken == 0;
            if (g.kept) taken += g.ours;
            if (!g.kept && first_left == turns.size()) first_left = k;
        }
        for (std::size_t k = 0; first_left < turns.size() && k < first_left; ++k) {
            Group& g = groups_[turns[k].second];
            g.prior = std::max(g.prior, 1 / turns[first_left].first);
        }
    }

    // Appends at most `draws` of the `rest` to `out`. If there are more, positions likelier than
    // the total divided by the draws are kept as they are; the others are drawn by systematic
    // sampling (one per equal distance of cumulative probability), and weighted to stand for all of
    // them.
    void draw_rest(std::vector<F>& rest, std::size_t draws, std::vector<F>& out) {
        double distance = 0;
        for (bool again = true; again;) {
            if (rest.size() <= draws) return void(out.insert(out.end(), rest.begin(), rest.end()));
            if (draws == 0) return;
            double total = 0;
            for (const F& f : rest) total += weight(f);
            distance = total / static_cast<double>(draws);
            const auto likely = std::partition(rest.begin(), rest.end(),
                                               [&](const F& f) { return weight(f) < distance; });
            again = likely != rest.end();
            draws -= static_cast<std::size_t>(rest.end() - likely);
            out.insert(out.end(), likely, rest.end());
            rest.erase(likely, rest.end());
        }
        double next = random_.unit() * distance, passed = 0;
        for (F& f : rest) {
            passed += weight(f);
            if (passed <= next) continue;
            next += distance;
            const Group& g = group(f);
            f.others = static_cast<float>(distance * g.mass / g.prior);
            out.push_back(f);
        }
    }

    // The probability of a position: its group's prior times its share of the group.
    double weight(const F& f) {
        const Group& g = group(f);
        return g.prior * static_cast<double>(f.others) / g.mass;
    }

    const Options& options_;
    int me_;
    std::uint64_t key_;
    SplitMix64& random_;
    std::vector<Group> groups_;
    KeyTable<std::uint32_t> number_;  // of a group, from 1
    double reach_ = 0;                // of the opponent, all groups together
};

}  // namespace fogtree::search
