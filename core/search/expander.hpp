// Grows the tree by walks on which one player explores and the other plays its strategy.
//
// Zhang & Sandholm (2025), one-sided growing-tree CFR.
// Deviations: with `focus` a walk on which we explore begins at a position that is possible for us.
// At the other positions, where we cannot be, the solver computes our strategy, but we do not
// explore.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <vector>

#include "common/random.hpp"
#include "search/options.hpp"
#include "search/subgame.hpp"
#include "search/tree.hpp"

namespace fogtree::search {

// A player's choice on a walk of the expander.
template <class NodeType>
struct TrailStep {
    const NodeType* node;
    std::int32_t child;  // its index among the node's children
    bool explored;       // else drawn from the strategy
};

// One thread that grows the tree.
template <class Game, class Evaluator>
class Expander {
public:
    using State = typename Game::State;
    using N = Node<State>;
    using Trail = std::vector<TrailStep<N>>;
    static constexpr std::int32_t kBusy = -1;  // a result of step() and expand()

    // `me`: the player who searches; `seed`: of this expander's random choices.
    Expander(const Game& game, Evaluator& evaluator, Subgame<Game>& subgame, const Options& options,
             int me, std::uint64_t seed)
        : game_(game),
          evaluator_(evaluator),
          tree_(*subgame.tree),
          gadget_(subgame.gadget),
          root_(subgame.root),
          known_(subgame.known),
          options_(options),
          me_(me),
          random_(seed) {}

    // One walk from the root to a leaf, which is expanded; the players explore in turn, walk by
    // walk. Returns how many nodes were added: 0 if the walk ended at the end of the game or at an
    // information set that the solver has not visited yet, kBusy if another thread is expanding the
    // leaf.
    std::int32_t step() {
        explorer_ = 1 - explorer_;
        Infoset* last[2] = {nullptr, nullptr};
        std::int32_t last_action[2] = {-1, -1};
        last[1 - me_] = root_;
        N* node = start(last_action[1 - me_]);
        outside_ = known_.has_value() && node->knows[me_] != *known_;
        path_.clear();
        Relaxed<float>* leaf = nullptr;  // where the parent keeps the node's value
        for (std::int32_t depth = 1;; ++depth) {
            if (node->player == kTerminal) return 0;
            path_.push_back(&node->state);
            if (!node->expanded()) {
                const std::int32_t added = expand(*node, path_, leaf, last, last_action);
                if (added > 0) deepest_ = std::max(deepest_, depth);
                return added;
            }
            if (node->player == kChance) {
                const std::int32_t k = sample_chance(*node);
                leaf = node->leaves() + k;
                node = &node->children[k];
                continue;
            }
            Infoset& set = *node->infoset;
            if (!set.iterated.load(std::memory_order_acquire)) return 0;
            const bool explores = !set.fixed && (options_.two_sided || node->player == explorer_);
            const std::int32_t a = explores ? explore(set) : sample(set);
            if (trail_ != nullptr) trail_->push_back({node, a, explores});
            last[node->player] = &set;
            last_action[node->player] = a;
            leaf = node->leaves() + a;
            node = &node->children[a];
        }
    }

    // The greatest number of steps from the root to a node that this expander added.
    std::int32_t deepest() const { return deepest_; }

    // From now on appends every choice of its walks to `trail`.
    void record_trail(Trail* trail) { trail_ = trail; }

    // Expands a leaf: adds all of its children. `path` has the states from the root to it, `leaf`
    // is where its parent keeps its value (null at the root), `last` and `last_action` have each
    // player's last information set above it and the action taken there. Returns how many children
    // were added; kBusy if another thread is expanding it. If the evaluator throws, the tree stays
    // as it was.
    std::int32_t expand(N& node, const std::vector<const State*>& path, Relaxed<float>* leaf,
                        Infoset* const* last, const std::int32_t* last_action) {
        Status open = Status::leaf;
        if (!node.status.compare_exchange_strong(open, Status::locked, std::memory_order_acquire)) {
            return kBusy;
        }
        try {
            if (path.size() == 1) value_root(node, last_action[1 - me_]);
            add_children(node, path, last, last_action);
        } catch (...) {
            node.status.store(Status::leaf, std::memory_order_release);
            throw;
        }
        node.status.store(Status::expanded, std::memory_order_release);
        if (leaf != nullptr) leaf->release(kExpanded);
        return node.count;
    }

private:
    // Adds the children of a leaf with their values, and puts it into its information set.
    void add_children(N& node, const std::vector<const State*>& path, Infoset* const* last,
                      const std::int32_t* last_action) {
        edges_.clear();
        game_.expand(node.state, edges_);
        if constexpr (CountsRepeats<Game>) game_.count_repeats(path, edges_);
        values_.resize(edges_.size());
        evaluator_.evaluate(node.state, edges_, values_.data());
        N* children = tree_.new_nodes(edges_.size());
        for (std::size_t k = 0; k < edges_.size(); ++k)
            fill(children[k], node, edges_[k], values_[k]);
        node.children = children;
        node.count = static_cast<std::int32_t>(edges_.size());
        for (std::int32_t k = 0; k < node.count; ++k) node.leaves()[k] = children[k].value;
        if (node.player >= 0) join(node, last[node.player], last_action[node.player]);
    }

    // When a root position that was drawn from the belief is first expanded: sets the alternate
    // value of its choice, if that waits for it, to our value by the evaluator, at most `expected`.
    void value_root(const N& node, std::int32_t choice) {
        auto& c = gadget_.choices[static_cast<std::size_t>(choice)];
        if (!c.waits) return;
        const double value = evaluator_.evaluate(node.state);
        c.alternate = std::clamp(std::min(me_ == 0 ? value : -value, gadget_.expected), -1.0, 1.0);
        c.waits.release(false);
    }

    // Chooses the root position at which a walk begins, and writes the number of its RootChoice to
    // `choice`. The choice is drawn by its reach or, on half of the walks on which the opponent
    // explores, uniformly; the position is drawn by its weight, with `focus` among those possible
    // for us.
    N* start(std::int32_t& choice) {
        const auto& choices = gadget_.choices;
        std::size_t j = 0;
        if (choices.size() > 1) {
            double total = 0;
            for (const auto& c : choices) total += c.reach;
            const bool explores = options_.two_sided || explorer_ != me_;
            if (total <= 0 || (explores && random_.coin())) {
                j = random_.below(choices.size());
            } else {
                double left = random_.unit() * total;
                while (j + 1 < choices.size() && (left -= choices[j].reach) >= 0) ++j;
            }
        }
        choice = static_cast<std::int32_t>(j);
        const auto& c = choices[j];
        std::size_t end = c.nodes.size();
        double total = 1;
        if (options_.focus && explorer_ == me_ && c.ours > 0) {
            const double here = std::accumulate(
                c.weights.begin(), c.weights.begin() + static_cast<std::ptrdiff_t>(c.ours), 0.0);
            if (here > 0) {
                end = c.ours;
                total = here;
            }
        }
        double left = random_.unit() * total;
        std::size_t k = 0;
        while (k + 1 < end && (left -= static_cast<double>(c.weights[k])) >= 0) ++k;
        return c.nodes[k];
    }

    // Draws an outcome of a chance node, as the index of a child.
    std::int32_t sample_chance(const N& node) {
        double left = random_.unit();
        std::int32_t k = 0;
        while (k + 1 < node.count &&
               (left -= static_cast<double>(node.children[k].probability)) >= 0)
            ++k;
        return k;
    }

    // Draws an action from the strategy.
    std::int32_t sample(const Infoset& set) {
        double left = random_.unit();
        std::int32_t last = 0;
        const Relaxed<float>* strategy = set.strategies();
        for (std::int32_t a = 0; a < set.count; ++a) {
            const auto share = static_cast<double>(strategy[a]);
            if (share <= 0) continue;
            last = a;
            if ((left -= share) < 0) break;
        }
        return last;
    }

    // Chooses the action of a player who explores, and adds its value to the action's statistics.
    // With PUCT half of the walks take an action of the strategy's support. Where an action is
    // examined, half of the walks take it.
    std::int32_t explore(Infoset& set) {
        const std::uint32_t visits = set.visits.fetch_add(1);
        std::int32_t a = 0;
        if (set.examined >= 0 && random_.coin()) {
            a = set.examined;
        } else if (options_.exploration == Exploration::policy) {
            a = by_policy(set, visits);
        } else {
            a = random_.coin() ? from_support(set) : by_bound(set, visits);
        }
        const auto record = set[a];
        // Running mean and sum of squared deviations; two prior samples of -1 and +1.
        const auto n = static_cast<float>(record.visits.fetch_add(1) + 3);
        const float quality = record.quality;
        const float mean = record.mean;
        const float moved = mean + (quality - mean) / n;
        record.mean = moved;
        record.squares = record.squares + (quality - mean) * (quality - moved);
        return a;
    }

    // Draws one of the actions that the strategy plays, each with the same probability.
    std::int32_t from_support(const Infoset& set) {
        const Relaxed<float>* strategy = set.strategies();
        std::int32_t size = 0;
        for (std::int32_t a = 0; a < set.count; ++a) size += strategy[a] > 0;
        if (size == 0)
            return static_cast<std::int32_t>(random_.below(static_cast<std::size_t>(set.count)));
        auto skip = static_cast<std::int32_t>(random_.below(static_cast<std::size_t>(size)));
        std::int32_t last = 0;
        for (std::int32_t a = 0; a < set.count; ++a) {
            if (strategy[a] <= 0) continue;
            last = a;
            if (skip-- == 0) break;
        }
        return last;
    }

    // The action with the greatest upper bound (PUCT): its value and a bonus that grows with the
    // variance of its value and falls with its visits.
    std::int32_t by_bound(const Infoset& set, std::uint32_t visits) const {
        const float root = std::sqrt(static_cast<float>(visits));
        const float scale = static_cast<float>(options_.exploration_constant) * root;
        const Relaxed<float>*quality = set.qualities(), *squares = set.squares();
        const Relaxed<std::uint32_t>* tried = set.action_visits();
        return best_by(set, [&](std::int32_t a) {
            const auto n = static_cast<float>(tried[a]);
            return quality[a] + scale * squares[a] / ((n + 2) * (1 + n));
        });
    }

    // The action with the greatest sum of its probability and a bonus that falls with its visits.
    std::int32_t by_policy(const Infoset& set, std::uint32_t visits) const {
        const float log = std::log(static_cast<float>(visits) + 1);
        const auto constant = static_cast<float>(options_.exploration_constant);
        return best_by(set, [&](std::int32_t a) {
            const auto n = static_cast<float>(set.action_visits()[a]);
            return set.strategies()[a] + constant * std::sqrt(log / (1 + n));
        });
    }

    // The action with the greatest score; the first of equals.
    template <class Score>
    static std::int32_t best_by(const Infoset& set, Score&& score) {
        std::int32_t best = 0;
        float most = score(0);
        for (std::int32_t a = 1; a < set.count; ++a) {
            const float now = score(a);
            if (now > most) {
                most = now;
                best = a;
            }
        }
        return best;
    }

    // Fills a new node from the step that leads to it. `value` is player 0's by the evaluator,
    // which the payoff replaces at the end; the node keeps it as ours.
    void fill(N& child, const N& parent, const Edge<State>& edge, float value) {
        child.state = edge.child;
        child.probability = edge.probability;
        child.player = static_cast<std::int8_t>(game_.player(edge.child));
        for (int p = 0; p < 2; ++p) {
            child.knows[p] = game_.knows(parent.knows[p], p, parent.state, edge);
        }
        if (child.player == kTerminal) value = static_cast<float>(game_.payoff(edge.child));
        child.value = me_ == 0 ? value : -value;
    }

    // Puts a node into its mover's information set, which is made if it is new.
    void join(N& node, Infoset* last, std::int32_t last_action) {
        node.infoset = tree_.infoset(node.knows[node.player], node.player, node.count, last,
                                     last_action, [&](Infoset& set) { begin(set, node); });
        if (node.infoset->count != node.count) {
            throw std::invalid_argument(
                "positions that should look the same to a player have different actions");
        }
    }

    // Sets the actions, values and first strategy of a new information set, of which `node` is the
    // first node. By default the strategy is its mover's best child there, because after a uniform
    // start values would jump. In a frozen search our own sets keep it if we cannot be there.
    void begin(Infoset& set, const N& node) {
        set.fixed = options_.frozen && outside_ && node.player == me_;
        const float sign = node.player == me_ ? 1.0F : -1.0F;
        std::int32_t best = 0;
        float total = 0, lowest = sign * node.children[0].value;
        for (std::int32_t a = 0; a < set.count; ++a) {
            const float value = sign * node.children[a].value;
            set[a].action = edges_[static_cast<std::size_t>(a)].action;
            set[a].quality = value;
            if (value > sign * node.children[best].value) best = a;
            lowest = std::min(lowest, value);
            total += value;
        }
        if (options_.start == Start::uniform) return;
        total -= lowest * static_cast<float>(set.count);
        for (std::int32_t a = 0; a < set.count; ++a) {
            float share = a == best ? 1.0F : 0.0F;
            if (options_.start == Start::proportional && total > 0) {
                share = (sign * node.children[a].value - lowest) / total;
            }
            set[a].strategy = share;
        }
    }

    const Game& game_;
    Evaluator& evaluator_;
    Tree<State>& tree_;
    Gadget<N>& gadget_;
    Infoset* root_;
    std::optional<std::uint64_t> known_;  // our information set at the root; none: the whole game
    const Options& options_;
    int me_;
    int explorer_ = 1;      // the player who explores on this walk
    bool outside_ = false;  // this walk began at a position that is not possible for us
    SplitMix64 random_;
    std::vector<Edge<State>> edges_;
    std::vector<float> values_;
    std::int32_t deepest_ = 0;
    Trail* trail_ = nullptr;
    std::vector<const State*> path_;  // from the root to where the walk is
};

}  // namespace fogtree::search
