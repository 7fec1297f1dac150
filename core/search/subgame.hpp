// From the last search's tree to the next subgame: what to keep, and what the opponent is owed.
//
// Zhang & Sandholm, "Subgame solving without common knowledge" (2021), order-k knowledge; and
// (2025), unfrozen, with gifts after Brown & Sandholm, "Safe and nested subgame solving" (2017).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "gadget.hpp"
#include "options.hpp"
#include "random.hpp"
#include "tree.hpp"

namespace fogtree::search {

struct SubgameReport {
    std::vector<std::size_t> cover;  // nodes at each order of knowledge
    std::int64_t carried_nodes = 0;
    std::size_t carried_infosets = 0;
    std::size_t sampled = 0;  // positions of P that the old tree did not have
};

template <class Game>
class Subgame {
public:
    using State = typename Game::State;
    using N = Node<State>;

    std::unique_ptr<Tree<State>> tree = std::make_unique<Tree<State>>();
    Gadget<N> gadget;
    Infoset* root = nullptr;  // the opponent's choice among the gadget's
    SubgameReport report;

    // The whole game from its start: nobody has anything to defend.
    static Subgame whole(const Game& game, const State& start, const std::uint64_t (&knows)[2],
                         double value, int me) {
        Subgame out;
        RootChoice<N> choice;
        choice.nodes.push_back(out.leaf(game, start, knows[0], knows[1], value));
        choice.weights.push_back(1);
        out.gadget.free = true;
        out.gadget.choices.push_back(std::move(choice));
        out.make_root(me);
        return out;
    }

    // What is kept of `old` once we know `key`, with up to `options.sample` positions in all;
    // the missing ones are taken from `belief`, each valued by `evaluate` (ours) and `expected`.
    template <class Evaluate>
    static Subgame next(const Game& game, const Subgame& old, const Options& options, int me,
                        std::uint64_t key, const std::vector<State>& belief, double expected,
                        Random& random, Evaluate&& evaluate) {
        Builder builder{game, old, options, me, {}, {}, {}, {}};
        return builder.build(key, belief, expected, random, evaluate);
    }

private:
    N* leaf(const Game& game, const State& state, std::uint64_t first, std::uint64_t second,
            double value) {
        N* node = tree->new_nodes(1);
        node->state = state;
        node->knows[0] = first;
        node->knows[1] = second;
        node->player = static_cast<std::int8_t>(game.player(state));
        node->value = static_cast<float>(value);
        return node;
    }

    void make_root(int me) {
        root = tree->new_infoset(0, 1 - me, static_cast<std::int32_t>(gadget.choices.size()),
                                 nullptr, -1);
    }

    // A node of the old tree with how it was reached.
    struct Found {
        N* node;
        float others;  // chance and us
        float own;     // the opponent
        float gift;    // what the opponent gave away on the path
    };

    struct Builder {
        const Game& game;
        const Subgame& old;
        const Options& options;
        int me;
        std::unordered_set<std::uint64_t> known[2];  // by player: histories that count as possible
        std::vector<Found> found;
        std::unordered_map<const Infoset*, Infoset*> copies;
        std::unordered_set<const Infoset*> live;

        template <class Evaluate>
        Subgame build(std::uint64_t key, const std::vector<State>& belief, double expected,
                      Random& random, Evaluate&& evaluate) {
            Subgame out;
            cover(key, out.report);
            // The actual information set first, so that what lies below it is known to be live.
            std::stable_partition(found.begin(), found.end(),
                                  [&](const Found& f) { return f.node->knows[me] == key; });
            std::unordered_map<std::uint64_t, std::size_t> choice_of;
            std::vector<std::pair<std::size_t, N*>> placed;
            std::unordered_set<std::uint64_t> have;
            std::size_t ours = 0;
            for (const Found& f : found) {
                const bool actual = f.node->knows[me] == key;
                ours += actual;
                if (actual) have.insert(game.key(f.node->state));
                const auto [where, fresh] =
                    choice_of.try_emplace(f.node->knows[1 - me], out.gadget.choices.size());
                if (fresh) out.gadget.choices.emplace_back();
                add(out, out.gadget.choices[where->second], f, actual);
            }
            for (auto& choice : out.gadget.choices) settle(choice);
            out.report.carried_nodes = out.tree->nodes();
            out.report.carried_infosets = out.tree->infosets();
            sample(out, key, belief, have, ours, expected, random, evaluate);
            out.make_root(me);
            adopt(out);
            out.gadget.start(options);
            return out;
        }

        // Order 1 is what we cannot rule out; each order adds what somebody there cannot.
        void cover(std::uint64_t key, SubgameReport& report) {
            known[me].insert(key);
            std::size_t before = 0;
            for (std::int32_t order = 1;; ++order) {
                found.clear();
                for (const auto& choice : old.gadget.choices) {
                    for (std::size_t k = 0; k < choice.nodes.size(); ++k) {
                        collect({choice.nodes[k], choice.weights[k],
                                 static_cast<float>(choice.reach), 0});
                    }
                }
                report.cover.push_back(found.size());
                if (order == options.knowledge || found.size() == before) return;
                before = found.size();
                for (const Found& f : found) {
                    for (int p = 0; p < 2; ++p) known[p].insert(f.node->knows[p]);
                }
            }
        }

        void collect(Found at) {
            const N& node = *at.node;
            if (known[0].contains(node.knows[0]) || known[1].contains(node.knows[1])) {
                found.push_back(at);
                return;
            }
            if (!node.expanded()) return;
            for (std::int32_t k = 0; k < node.count; ++k) {
                Found below{&node.children[k], at.others, at.own, at.gift};
                if (node.player == kChance) {
                    below.others *= node.children[k].probability;
                } else {
                    const ActionRecord& record = (*node.infoset)[k];
                    const float share = record.strategy;
                    if (node.player == me) {
                        below.others *= share;
                    } else {
                        below.own *= share;
                        const float lost = node.infoset->value - record.quality;
                        below.gift += std::max(lost, 0.0F);
                    }
                }
                collect(below);
            }
        }

        void add(Subgame& out, RootChoice<N>& choice, const Found& f, bool actual) {
            N* node = out.tree->new_nodes(1);
            copy(out, *f.node, *node, actual);
            choice.nodes.push_back(node);
            choice.weights.push_back(f.others);
            choice.old_reach = static_cast<double>(f.own);
            // Sums for now; settle() divides. Nodes of one infoset share the opponent's path.
            choice.utility += static_cast<double>(f.others) * value_of(*f.node);
            choice.alternate += value_of(*f.node);
            choice.margin = static_cast<double>(f.gift);
        }

        void settle(RootChoice<N>& choice) const {
            double total = 0;
            for (const float w : choice.weights) total += static_cast<double>(w);
            choice.old_mass = total;
            const auto n = static_cast<float>(choice.nodes.size());
            for (float& w : choice.weights) w = total > 0 ? w / static_cast<float>(total) : 1 / n;
            const double value =
                total > 0 ? choice.utility / total : choice.alternate / static_cast<double>(n);
            choice.alternate = std::clamp(value - (options.gifts ? choice.margin : 0.0), -1.0, 1.0);
            choice.utility = choice.margin = 0;
        }

        // Our value of a node under the old strategies.
        double value_of(const N& node) const {
            if (!node.expanded()) return static_cast<double>(node.value);
            double sum = 0;
            for (std::int32_t k = 0; k < node.count; ++k) {
                const double share = node.player == kChance
                                         ? static_cast<double>(node.children[k].probability)
                                         : static_cast<double>((*node.infoset)[k].strategy);
                if (share > 0) sum += share * value_of(node.children[k]);
            }
            return sum;
        }

        void copy(Subgame& out, const N& from, N& to, bool actual) {
            to.state = from.state;
            to.knows[0] = from.knows[0];
            to.knows[1] = from.knows[1];
            to.value = from.value;
            to.probability = from.probability;
            to.player = from.player;
            if (!from.expanded()) return;
            to.count = from.count;
            if (from.infoset != nullptr) to.infoset = copy(out, *from.infoset, actual);
            to.children = out.tree->new_nodes(static_cast<std::size_t>(from.count));
            for (std::int32_t k = 0; k < from.count; ++k) {
                copy(out, from.children[k], to.children[k], actual);
            }
            to.status.store(Status::expanded, std::memory_order_release);
        }

        Infoset* copy(Subgame& out, const Infoset& from, bool actual) {
            if (actual) live.insert(&from);
            Infoset*& to = copies[&from];
            if (to != nullptr) return to;
            bool fresh = false;
            to = out.tree->infoset(from.key, from.player, from.count, nullptr, from.parent_action,
                                   fresh);
            to->fixed = options.frozen && from.player == me && !live.contains(&from);
            to->iterated.store(from.iterated.load());
            to->value = from.value;
            to->visits = from.visits;
            for (std::int32_t a = 0; a < from.count; ++a) {
                (*to)[a] = from[a];
                (*to)[a].utility = (*to)[a].average = 0;
                (*to)[a].unstable = false;
            }
            return to;
        }

        // Positions that the old tree did not have; there the opponent is taken to know everything.
        template <class Evaluate>
        void sample(Subgame& out, std::uint64_t key, const std::vector<State>& belief,
                    std::unordered_set<std::uint64_t>& have, std::size_t ours, double expected,
                    Random& random, Evaluate&& evaluate) {
            const auto wanted = std::min(belief.size(), static_cast<std::size_t>(options.sample));
            std::vector<std::size_t> order(belief.size());
            for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
            for (std::size_t i = 0; i < order.size() && ours < wanted; ++i) {
                std::swap(order[i], order[i + random.below(order.size() - i)]);
                const State& state = belief[order[i]];
                if (!have.insert(game.key(state)).second) continue;
                const double value = evaluate(state);
                std::uint64_t knows[2];
                knows[me] = key;
                knows[1 - me] = combined(random.next(), game.key(state));
                RootChoice<N> choice;
                choice.nodes.push_back(out.leaf(game, state, knows[0], knows[1], value));
                choice.weights.push_back(1);
                choice.alternate = std::clamp(std::min(value, expected), -1.0, 1.0);
                out.gadget.choices.push_back(std::move(choice));
                ++ours;
                ++out.report.sampled;
            }
        }

        // Every copied information set hangs below its mover's previous one, or below the root.
        void adopt(Subgame& out) {
            for (std::size_t j = 0; j < out.gadget.choices.size(); ++j) {
                for (N* node : out.gadget.choices[j].nodes) {
                    Infoset* last[2] = {nullptr, nullptr};
                    std::int32_t action[2] = {-1, -1};
                    last[1 - me] = out.root;
                    action[1 - me] = static_cast<std::int32_t>(j);
                    hang(*node, last, action);
                }
            }
        }

        void hang(N& node, Infoset* const (&last)[2], const std::int32_t (&action)[2]) {
            if (!node.expanded()) return;
            Infoset* below[2] = {last[0], last[1]};
            std::int32_t step[2] = {action[0], action[1]};
            if (node.player >= 0) {
                node.infoset->parent = last[node.player];
                node.infoset->parent_action = action[node.player];
                below[node.player] = node.infoset;
            }
            for (std::int32_t k = 0; k < node.count; ++k) {
                if (node.player >= 0) step[node.player] = k;
                hang(node.children[k], below, step);
            }
        }
    };
};

}  // namespace fogtree::search
