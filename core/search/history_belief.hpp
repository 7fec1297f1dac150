// The histories that are possible for a player of a game that is not compiled.
//
// They are all listed while there are few; from then on they are a sample, which goes on by listing
// what comes next or, if that is too much, by random steps among those that fit what the player
// notices. When few of a sample are left, more are drawn from the beginning of the game.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "common/random.hpp"
#include "common/time_limit.hpp"
#include "search/history_game.hpp"

namespace fogtree::search {

// One player's belief in a game that is not compiled.
class HistoryBelief {
public:
    using Histories = std::vector<const History*>;

    // The belief of player `me` at the beginning of the game, which keeps at most `most` histories.
    HistoryBelief(const HistoryGame& game, int me, std::size_t most, std::uint64_t seed)
        : game_(&game), me_(me), most_(std::max<std::size_t>(most, 1)), random_(seed) {
        const std::uint64_t first = game.root().views[me];
        steps_.push_back({first, first});
        positions_.push_back(&game.root());
    }

    // The possible histories: those at which the player's view became what it is now.
    const Histories& positions() const { return positions_; }
    bool complete() const { return complete_; }              // no possible history is missing
    std::uint64_t key() const { return steps_.back().key; }  // the player's present view

    // Updates the belief: the player's view becomes `key`, perhaps after being `between` for a
    // while (a view is a History's number of what a player remembers). False if no history was
    // found at which that is possible; then nothing changes.
    bool follow(std::uint64_t key, std::uint64_t between, const TimeLimit& limit) {
        if (key == this->key()) return true;
        steps_.push_back({key, between});
        Histories next;
        const bool listed = list(next, limit);
        if (!listed) next.clear();
        if (!listed) draw(positions_, steps_.size() - 2, next, limit);
        const bool complete = complete_ && listed;
        if (!complete && next.size() < most_ / kFew) draw({&game_->root()}, 0, next, limit);
        if (!complete && next.empty()) look_everywhere(next, limit);
        if (next.empty()) {
            steps_.pop_back();
            return false;
        }
        complete_ = complete;
        positions_ = std::move(next);
        return true;
    }

    // Updates the belief: the player, who took `action` at its last decision (negative: there was
    // none), now decides at the information set of this name. False if no history was found at
    // which that is possible.
    bool follow_name(const std::string& name, std::int32_t action, const TimeLimit& limit) {
        const History* there = find_decision(positions_, name, action, limit);
        if (there == nullptr && !complete_) {
            Histories others;
            look_everywhere(others, limit);
            there = find_decision(others, name, action, limit);
        }
        if (there == nullptr) return false;
        std::vector<std::uint64_t> keys;  // the player's histories since then, the last first
        for (const History* h = there; h->views[me_] != key(); h = h->parent) {
            if (keys.empty() || keys.back() != h->views[me_]) keys.push_back(h->views[me_]);
        }
        for (; !keys.empty(); keys.pop_back()) {
            if (!follow(keys.back(), keys.back(), limit)) return false;
        }
        return true;
    }

private:
    // One update of the player's view: the view afterwards, and one that it may have been in
    // between.
    struct Step {
        std::uint64_t key, between;
    };
    static constexpr std::size_t kEffort = 16;      // the most histories made for each wanted
    static constexpr std::size_t kLongEffort = 64;  // the same, when no possible one is known
    static constexpr std::size_t kFew = 4;          // a sample below 1/4 of the wanted is enlarged
    static constexpr std::size_t kEnough = 16;      // histories at which look_everywhere() ends

    // Whether the player's view at this history is the present one.
    bool arrived(const History& h) const { return h.views[me_] == key(); }

    // The number of the last update (in steps_) that has happened at a child, given `step`, that of
    // its parent; -1 if the player's view there agrees with neither this nor the next update, or
    // the game is over.
    std::ptrdiff_t step_of(const History& child, std::size_t step) const {
        const std::uint64_t view = child.views[me_];
        if (child.player == kTerminal) return -1;
        if (view == steps_[step].key) return static_cast<std::ptrdiff_t>(step);
        if (step + 1 == steps_.size()) return -1;
        const Step& coming = steps_[step + 1];
        if (view == coming.key) return static_cast<std::ptrdiff_t>(step + 1);
        return view == coming.between ? static_cast<std::ptrdiff_t>(step) : -1;
    }

    // Lists all histories that are possible after the last update, in the order of the game's tree;
    // false if there are too many, or the limit is reached.
    bool list(Histories& out, const TimeLimit& limit) const {
        const std::size_t before = steps_.size() - 2;
        Histories open(positions_.rbegin(), positions_.rend());
        for (std::size_t opened = 0; !open.empty();) {
            const History& h = *open.back();
            open.pop_back();
            if (arrived(h)) {
                out.push_back(&h);
                if (out.size() > most_) return false;
                continue;
            }
            const auto below = game_->children(h);
            opened += below.size();
            if (opened > kEffort * most_ || limit.reached()) return false;
            for (std::size_t k = below.size(); k-- > 0;) {
                if (step_of(below[k], before) >= 0) open.push_back(&below[k]);
            }
        }
        return true;
    }

    // Adds possible histories, each once, by random walks from `starts`, at which `step` was the
    // last update.
    void draw(const Histories& starts, std::size_t step, Histories& out, const TimeLimit& limit) {
        std::unordered_set<const History*> have(out.begin(), out.end());
        for (std::size_t opened = 0; opened < kEffort * most_ && out.size() < most_;) {
            const History* found = walk(starts[random_.below(starts.size())], step, opened, limit);
            if (limit.reached()) return;
            if (found != nullptr && have.insert(found).second) out.push_back(found);
        }
    }

    // A random walk from a history along histories that agree with the updates, to one that agrees
    // with all of them; null if it gets stuck or the limit is reached. Adds the number of children
    // looked at to `opened`.
    const History* walk(const History* h, std::size_t step, std::size_t& opened,
                        const TimeLimit& limit) {
        while (!arrived(*h) && !limit.reached()) {
            const auto below = game_->children(*h);
            opened += below.size();
            fitting_.clear();
            for (const History& child : below) {
                if (step_of(child, step) >= 0) fitting_.push_back(&child);
            }
            if (fitting_.empty()) return nullptr;
            h = fitting_[random_.below(fitting_.size())];
            step = static_cast<std::size_t>(step_of(*h, step));
        }
        return arrived(*h) ? h : nullptr;
    }

    // A history below `starts` at which the player decides at the information set of this name, as
    // its next decision after taking `action` (negative: after none); null if none was found.
    const History* find_decision(const Histories& starts, const std::string& name,
                                 std::int32_t action, const TimeLimit& limit) const {
        struct Place {
            const History* at;
            bool acted;  // the player has made `action` on the way
        };
        std::vector<Place> open;
        for (const History* h : starts) open.push_back({h, action < 0});
        for (std::size_t opened = 0; !open.empty() && opened <= kLongEffort * most_;) {
            const auto [h, acted] = open.back();
            open.pop_back();
            if (limit.reached()) return nullptr;
            if (h->player == me_ && acted && game_->source().name(*h) == name) return h;
            if (h->player == kTerminal || (h->player == me_ && acted)) continue;
            const auto below = game_->children(*h);
            opened += below.size();
            for (const History& child : below) {
                if (h->player != me_) {
                    if (acted || child.views[me_] == key()) open.push_back({&child, acted});
                } else if (child.action == action) {
                    open.push_back({&child, true});
                }
            }
        }
        return nullptr;
    }

    // Searches the whole game, depth first in random order, until kEnough histories are found that
    // agree with all updates, or the effort or the limit is spent.
    void look_everywhere(Histories& out, const TimeLimit& limit) {
        std::vector<std::pair<const History*, std::size_t>> open{{&game_->root(), 0}};
        for (std::size_t opened = 0; !open.empty() && out.size() < std::min(kEnough, most_);) {
            const auto [h, step] = open.back();
            open.pop_back();
            if (arrived(*h)) {
                out.push_back(h);
                continue;
            }
            const auto below = game_->children(*h);
            opened += below.size();
            if (opened > kLongEffort * most_ || limit.reached()) return;
            const std::size_t first = open.size();
            for (const History& child : below) {
                const std::ptrdiff_t taken = step_of(child, step);
                if (taken >= 0) open.emplace_back(&child, static_cast<std::size_t>(taken));
            }
            for (std::size_t k = open.size(); k > first + 1; --k) {
                std::swap(open[k - 1], open[first + random_.below(k - first)]);
            }
        }
    }

    const HistoryGame* game_;
    int me_;
    std::size_t most_;
    SplitMix64 random_;
    std::vector<Step> steps_;  // since the beginning of the game
    Histories positions_;
    bool complete_ = true;
    Histories fitting_;  // the children among which walk() draws
};

}  // namespace fogtree::search
