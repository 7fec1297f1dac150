// Chooses the positions that a subgame begins with if the last tree has too many of them.
//
// Deviations: Zhang & Sandholm (2025) begin with all of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/random.hpp"
#include "search/cover.hpp"
#include "search/key_table.hpp"
#include "search/options.hpp"

namespace fogtree::search {

// Reduces the root positions to a limit. Information sets of the opponent are drawn by probability
// until their positions that are possible for us fill half of the limit (more if the others need
// less); at least one set is kept. The other positions of these sets are drawn by probability, and
// weighted so that the expected mass is unchanged.
template <class NodeType>
class Thinning {
public:
    using F = Found<NodeType>;

    Thinning(const Options& options, int me, std::uint64_t key, SplitMix64& random)
        : options_(options), me_(me), key_(key), random_(random) {}

    std::vector<F> thin(std::vector<F> found) {
        const auto most = static_cast<std::size_t>(options_.most_roots);
        if (most == 0 || found.size() <= most) return found;
        const std::size_t ours = gather(found);
        choose(std::max(most / 2, most - std::min(most, found.size() - ours)));
        std::vector<F> out, rest;
        for (const F& f : found) {
            if (!group(f).kept) continue;
            if (here(f)) {
                out.push_back(f);
            } else if (f.others > 0) {
                rest.push_back(f);
            }
        }
        stand_in(rest, most - std::min(most, out.size()), out);
        return out;
    }

private:
    struct Group {  // an information set of the opponent
        double own, mass = 0;
        std::size_t ours = 0;
        bool kept = true;
    };

    bool here(const F& f) const { return f.node->knows[me_] == key_; }
    Group& group(const F& f) { return groups_[number_.find(f.node->knows[1 - me_]) - 1]; }

    // Returns in how many of the nodes we may be.
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

    // Resolve's prior: half like all others, half by the opponent's strategy.
    double likely(const Group& g) const {
        const bool knows = reach_ > 0 && !options_.uniform_prior;
        return 1 / kept_ + (knows ? g.own / reach_ : 0.0);
    }

    void count() {
        kept_ = reach_ = 0;
        for (const Group& g : groups_) {
            kept_ += g.kept;
            reach_ += g.kept ? g.own : 0;
        }
    }

    void choose(std::size_t room) {
        count();
        std::vector<std::pair<double, std::size_t>> turns;
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            turns.push_back({-std::log(1 - random_.unit()) / likely(groups_[i]), i});
            groups_[i].kept = false;
        }
        std::sort(turns.begin(), turns.end());
        std::size_t taken = 0;
        for (const auto& [turn, i] : turns) {
            if (taken + groups_[i].ours > room) continue;
            groups_[i].kept = true;
            taken += groups_[i].ours;
        }
        for (std::size_t k = 0; taken == 0 && k < turns.size(); ++k) {  // none fits
            Group& g = groups_[turns[k].second];
            g.kept = true;
            taken = g.ours;
        }
        count();
    }

    // So many draws at equal distances; a node that is likelier than a distance is always drawn.
    void stand_in(std::vector<F>& rest, std::size_t draws, std::vector<F>& out) {
        if (rest.size() <= draws) return void(out.insert(out.end(), rest.begin(), rest.end()));
        if (draws == 0) return;
        double total = 0;
        for (const F& f : rest) total += weight(f);
        const double distance = total / static_cast<double>(draws);
        double next = random_.unit() * distance, passed = 0;
        for (F& f : rest) {
            const double w = weight(f);
            passed += w;
            if (passed <= next) continue;
            while (next < passed) next += distance;
            if (w < distance) {
                const Group& g = group(f);
                f.others = static_cast<float>(distance * g.mass / likely(g));
            }
            out.push_back(f);
        }
    }

    double weight(const F& f) {
        const Group& g = group(f);
        return likely(g) * static_cast<double>(f.others) / g.mass;
    }

    const Options& options_;
    int me_;
    std::uint64_t key_;
    SplitMix64& random_;
    std::vector<Group> groups_;
    KeyTable<std::uint32_t> number_;  // of a group, from 1
    double kept_ = 0, reach_ = 0;     // of the groups that are kept
};

}  // namespace fogtree::search
