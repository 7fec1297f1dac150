// Which nodes of the last search's tree the next subgame begins with: order-k knowledge.
//
// Zhang & Sandholm, "Subgame solving without common knowledge" (2021).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/time_limit.hpp"
#include "search/gadget.hpp"
#include "search/key_table.hpp"
#include "search/options.hpp"
#include "search/tree.hpp"

namespace fogtree::search {

// A node of the old tree, and how likely it was reached under the old strategies.
template <class NodeType>
struct Found {
    NodeType* node;
    float others;  // reach of chance and us, in units of kReachUnit
    float own;     // reach of the opponent, likewise
    float gift;    // what the opponent lost by its worse actions on the path
    // The prior of the opponent's information set here, if Thinning drew it; 0: it follows from
    // `own`.
    float prior = 0;
};

// Finds the nodes of the old tree that are possible up to an order of knowledge.
template <class NodeType>
class Cover {
public:
    using F = Found<NodeType>;

    // `path`: our information set after each step since the old root, if every player observes the
    // steps; then all possible nodes are that many steps below it. Empty: nodes of any depth.
    Cover(const Gadget<NodeType>& gadget, const Options& options, int me,
          const std::vector<std::uint64_t>& path, const TimeLimit& limit)
        : gadget_(gadget), options_(options), me_(me), path_(path), limit_(limit) {}

    // The nodes up to order options.knowledge at our information set `key`. Order 1 has the nodes
    // that are possible for us; each further order adds the nodes that are possible for a player at
    // a node of the order before. The number of nodes of each order is added to `sizes`.
    // An order during which the limit is reached is left out; of the first some nodes may be.
    std::vector<F> find(std::uint64_t key, std::vector<std::size_t>& sizes) {
        known_.resize(path_.size() + 1);
        known_.back().of[me_].add(key, true);
        for (std::size_t d = 0; d < path_.size(); ++d) known_[d + 1].of[me_].add(path_[d], true);
        std::vector<F> before;
        for (std::int32_t order = 1;; ++order) {
            found_.clear();
            coming_.assign(path_.size() + 1, {});
            for (const auto& choice : gadget_.choices) {
                if (choice.waits) continue;  // nothing was learnt about it
                for (std::size_t k = 0; k < choice.nodes.size(); ++k) {
                    collect({choice.nodes[k], choice.weights[k] * kReachUnit,
                             static_cast<float>(choice.reach) * kReachUnit, 0});
                }
            }
            if (late_ && order > 1) return before;
            sizes.push_back(found_.size());
            if (late_ || order == options_.knowledge || found_.size() == before.size())
                return std::move(found_);
            before = found_;
            known_.swap(coming_);
        }
    }

private:
    static constexpr std::size_t kPatience = 1024;  // nodes between two looks at the limit

    // The information sets of each player that count as possible.
    struct Known {
        KeyTable<bool> of[2];
    };

    // Whether a node, this many steps below the old root, is possible for one of the players.
    bool possible(const NodeType& node, std::size_t step) const {
        const Known& here = known_[step];
        return here.of[me_].find(node.knows[me_]) || here.of[1 - me_].find(node.knows[1 - me_]);
    }

    // Keeps a node if it is possible, else walks on to its children. If the steps are counted,
    // nodes are kept at the path's length below the old root; players remember their information
    // sets after every step, so what lies below a node that is possible for neither player is
    // skipped.
    void collect(const F& at) {
        if (!late_ && ++met_ % kPatience == 0) late_ = limit_.reached();
        if (late_) return;
        const NodeType& node = *at.node;
        const bool counted = !path_.empty();
        const std::size_t step = trail_.size();
        if (counted ? step == path_.size() : possible(node, 0)) return keep(at);
        if (!node.expanded()) return;
        if (counted) trail_.push_back(&node);
        for (std::int32_t k = 0; k < node.count; ++k) {
            if (!counted || possible(node.children[k], step + 1)) collect(below(at, k));
        }
        if (counted) trail_.pop_back();
    }

    // Adds a node to the cover, and the players' information sets on the path to it to those that
    // count as possible in the next order.
    void keep(const F& at) {
        found_.push_back(at);
        trail_.push_back(at.node);
        for (std::size_t d = 0; d < trail_.size(); ++d) {
            for (int p = 0; p < 2; ++p) coming_[d].of[p].add(trail_[d]->knows[p], true);
        }
        trail_.pop_back();
    }

    // Child k of a node, with its reach and the gifts on the way: at the opponent's decisions, the
    // value of its information set minus that of the action taken, if that is above 0.
    F below(const F& at, std::int32_t k) const {
        const NodeType& node = *at.node;
        F out{&node.children[k], at.others, at.own, at.gift};
        if (node.player == kChance) {
            out.others *= node.children[k].probability;
            return out;
        }
        const float share = node.infoset->strategies()[k];
        if (node.player == me_) {
            out.others *= share;
        } else {
            out.own *= share;
            const float lost = node.infoset->value - node.infoset->qualities()[k];
            out.gift += std::max(lost, 0.0F);
        }
        return out;
    }

    const Gadget<NodeType>& gadget_;
    const Options& options_;
    int me_;
    const std::vector<std::uint64_t>& path_;
    const TimeLimit& limit_;
    std::size_t met_ = 0;  // nodes looked at
    bool late_ = false;    // the limit is reached
    std::vector<F> found_;
    // What is known at each number of steps from the old root (all in one if steps are not
    // counted): now, and what the present walk adds for the next order of knowledge.
    std::vector<Known> known_, coming_;
    std::vector<const NodeType*> trail_;  // from the root to where the walk is
};

}  // namespace fogtree::search
