// Reading the tree of a search, without changing it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "search/subgame.hpp"
#include "search/tree.hpp"

namespace fogtree::search {

// One step of a principal variation, in which every player takes the likeliest action.
struct LineStep {
    int player;
    std::uint32_t action;
    double probability;
};

// A position at the root of the subgame.
template <class State>
struct RootPosition {
    std::size_t choice;  // index of the opponent's information set
    State state;
    bool possible;         // consistent with our observations; other positions matter only because
                           // the opponent considers them possible
    double weight;         // probability within the opponent's information set
    double earlier_reach;  // probability by the last search's strategies; 0 if not in its tree
    double value;          // ours, under the current strategies
    std::int64_t nodes;    // in the subtree
    std::vector<LineStep> line;  // principal variation from here
    double line_value;           // ours, where the line ends
};

// Counts of the nodes at one ply below the root.
struct TreeLevel {
    std::int64_t nodes = 0, expanded = 0, terminal = 0;
};

// The numbers of an information set of the tree (see Infoset and ActionRecordOf).
struct InfosetReport {
    double others_reach;
    std::uint32_t visits;  // by walks that explored there
    struct Action {
        std::uint32_t action;
        double strategy, cumulative, regret, quality, variance;  // variance: of the quality
        std::uint32_t visits;
        bool operator==(const Action&) const = default;
    };
    std::vector<Action> actions;
    bool operator==(const InfosetReport&) const = default;
};

// A node in a list of the tree in preorder.
template <class State>
struct TreeNode {
    std::int64_t parent;   // its index in the list; at the root -1 minus the opponent's choice
    std::uint32_t action;  // that leads here
    int player;
    bool expanded;
    double value;               // ours, by the evaluator
    std::uint64_t infosets[2];  // each player's information set key
    State state;
};

// Reads the tree of one subgame.
template <class Game>
class Inspector {
public:
    using State = typename Game::State;
    using N = Node<State>;

    Inspector(const Subgame<Game>& subgame, int me) : subgame_(subgame), me_(me) {}

    // All root positions with their values and likeliest lines. `key`: our information set, by
    // which positions count as possible.
    std::vector<RootPosition<State>> roots(std::uint64_t key) const {
        std::vector<RootPosition<State>> out;
        for (std::size_t j = 0; j < subgame_.gadget.choices.size(); ++j) {
            const auto& c = subgame_.gadget.choices[j];
            for (std::size_t k = 0; k < c.nodes.size(); ++k) {
                const N& node = *c.nodes[k];
                const auto weight = static_cast<double>(c.weights[k]);
                RootPosition<State> row{j,
                                        node.state,
                                        node.knows[me_] == key,
                                        weight,
                                        c.old_reach * c.old_mass * weight,
                                        value(node),
                                        size(node),
                                        {},
                                        0};
                row.line_value = line(node, row.line);
                out.push_back(std::move(row));
            }
        }
        return out;
    }

    // Our expected value at the root under both players' current strategies, in [-1, 1].
    double expected() const {
        double sum = 0, total = 0;
        for (const auto& c : subgame_.gadget.choices) {
            const double reach = c.reach;
            total += reach;
            for (std::size_t k = 0; k < c.nodes.size(); ++k) {
                sum += reach * static_cast<double>(c.weights[k]) * value(*c.nodes[k]);
            }
        }
        return total > 0 ? sum / total : 0;
    }

    // How many nodes there are at each ply below the root.
    std::vector<TreeLevel> levels() const {
        std::vector<TreeLevel> out;
        for (const auto& c : subgame_.gadget.choices) {
            for (const N* node : c.nodes) count(*node, 0, out);
        }
        return out;
    }

    // The first `most` nodes of the tree in preorder.
    std::vector<TreeNode<State>> nodes(std::size_t most) const {
        std::vector<TreeNode<State>> out;
        for (std::size_t j = 0; j < subgame_.gadget.choices.size(); ++j) {
            for (const N* node : subgame_.gadget.choices[j].nodes) {
                list(*node, -1 - static_cast<std::int64_t>(j), 0, most, out);
            }
        }
        return out;
    }

    // Calls visit(node, value, nodes) for every node of the tree, children before their parent: its
    // value to us under the current strategies, and the size of its subtree.
    template <class Visit>
    void visit_values(Visit&& visit) const {
        for (const auto& c : subgame_.gadget.choices) {
            for (const N* node : c.nodes) visit_below(*node, visit);
        }
    }

    // The numbers of an information set; reaches and regrets are stored in units of kReachUnit. The
    // variance counts two prior samples (+ 2).
    InfosetReport report(const Infoset& set) const {
        InfosetReport out{static_cast<double>(set.others_reach / kReachUnit), set.visits, {}};
        for (std::int32_t a = 0; a < set.count; ++a) {
            const ActionRecord& r = set[a];
            const std::uint32_t visits = r.visits;
            out.actions.push_back({r.action, static_cast<double>(r.strategy),
                                   static_cast<double>(r.cumulative / kReachUnit),
                                   static_cast<double>(r.regret / kReachUnit),
                                   static_cast<double>(r.quality),
                                   static_cast<double>(r.squares) / (visits + 2.0), visits});
        }
        return out;
    }

    // What each player could gain below the root by a best response to the other's current
    // strategy, in the tree as it stands and with the opponent's choice at the root fixed; the sum
    // is the Nash gap.
    struct Gap {
        double ours, theirs;
    };
    Gap gap() const { return {gain(me_), gain(1 - me_)}; }

private:
    // Our value of a node under both players' current strategies.
    double value(const N& node) const {
        if (!node.expanded()) return static_cast<double>(node.value);
        double sum = 0;
        for (std::int32_t k = 0; k < node.count; ++k) {
            const double share = probability(node, k);
            if (share > 0) sum += share * value(node.children[k]);
        }
        return sum;
    }

    // The probability of child k: of chance, or of the mover's strategy.
    static double probability(const N& node, std::int32_t k) {
        return node.player == kChance ? static_cast<double>(node.children[k].probability)
                                      : static_cast<double>((*node.infoset)[k].strategy);
    }

    // The value of a subtree under the current strategies, and its number of nodes.
    struct Subtree {
        double value;
        std::int64_t nodes;
    };
    // Calls `visit(node, value, nodes)` for all nodes of a subtree, children before their parent,
    // and returns the value and size of the whole; a leaf's value is the evaluator's.
    template <class Visit>
    static Subtree visit_below(const N& node, Visit& visit) {
        Subtree all{static_cast<double>(node.value), 1};
        if (node.expanded()) {
            all.value = 0;
            for (std::int32_t k = 0; k < node.count; ++k) {
                const Subtree below = visit_below(node.children[k], visit);
                all.value += probability(node, k) * below.value;
                all.nodes += below.nodes;
            }
        }
        visit(node, all.value, all.nodes);
        return all;
    }

    // The number of nodes from here down.
    static std::int64_t size(const N& node) {
        std::int64_t total = 1;
        if (!node.expanded()) return total;
        for (std::int32_t k = 0; k < node.count; ++k) total += size(node.children[k]);
        return total;
    }

    // Appends the principal variation from a node on, the likeliest child at every step, to `out`;
    // returns our value at its end.
    static double line(const N& start, std::vector<LineStep>& out) {
        const N* node = &start;
        while (node->expanded()) {
            std::int32_t best = 0;
            for (std::int32_t k = 1; k < node->count; ++k) {
                if (probability(*node, k) > probability(*node, best)) best = k;
            }
            const std::uint32_t action = node->player == kChance ? static_cast<std::uint32_t>(best)
                                                                 : (*node->infoset)[best].action;
            out.push_back({node->player, action, probability(*node, best)});
            node = &node->children[best];
        }
        return static_cast<double>(node->value);
    }

    // Adds the nodes from here down, this one at `ply`, to the counts of their plies.
    static void count(const N& node, std::size_t ply, std::vector<TreeLevel>& out) {
        if (out.size() <= ply) out.resize(ply + 1);
        ++out[ply].nodes;
        if (node.player == kTerminal) ++out[ply].terminal;
        if (!node.expanded()) return;
        ++out[ply].expanded;
        for (std::int32_t k = 0; k < node.count; ++k) count(node.children[k], ply + 1, out);
    }

    // Appends the nodes from here down in preorder to `out`, until there are `most`. `parent`: the
    // index of this node's parent in the list; `action`: the one that leads here.
    static void list(const N& node, std::int64_t parent, std::uint32_t action, std::size_t most,
                     std::vector<TreeNode<State>>& out) {
        if (out.size() >= most) return;
        const auto here = static_cast<std::int64_t>(out.size());
        out.push_back({parent,
                       action,
                       node.player,
                       node.expanded(),
                       static_cast<double>(node.value),
                       {node.knows[0], node.knows[1]},
                       node.state});
        if (!node.expanded()) return;
        for (std::int32_t k = 0; k < node.count; ++k) {
            const std::uint32_t name =
                node.infoset == nullptr ? static_cast<std::uint32_t>(k) : (*node.infoset)[k].action;
            list(node.children[k], here, name, most, out);
        }
    }

    // An information set of the player who computes a best response: per action the sum of the
    // values below it, under best play (`best`) and under the current strategy (`played`).
    struct Sum {
        const Infoset* set;
        std::size_t above;  // the player's previous one (in Sums::met), and the action there
        std::int32_t above_action;
        std::vector<double> best, played;
    };
    // All information sets of one player during a best response.
    struct Sums {
        std::vector<Sum> met;  // parents before children
        std::unordered_map<const Infoset*, std::size_t> where;
        double best = 0, played = 0;  // values above the player's first decision
    };

    // What a player could gain by a best response in the tree, given the reach of the root choices.
    double gain(int player) const {
        Sums sums;
        double total = 0;
        for (const auto& c : subgame_.gadget.choices) {
            const double reach = c.reach;
            total += reach;
            for (std::size_t k = 0; k < c.nodes.size(); ++k) {
                const double here = reach * static_cast<double>(c.weights[k]);
                if (here > 0) add(*c.nodes[k], player, here, kNobody, 0, sums);
            }
        }
        for (std::size_t i = sums.met.size(); i-- > 0;) settle(sums, i);
        return total > 0 ? std::max(0.0, (sums.best - sums.played) / total) : 0;
    }

    static constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();  // none above

    // Adds the leaf values below a node to the sums of the player's information sets. `reach`: of
    // everybody else; `last` and `action`: the player's last information set above (in Sums::met)
    // and the action there.
    void add(const N& node, int player, double reach, std::size_t last, std::int32_t action,
             Sums& sums) const {
        if (!node.expanded()) {
            const double value = reach * static_cast<double>(node.value) * (player == me_ ? 1 : -1);
            give(sums, last, action, value, value);
            return;
        }
        if (node.player == player) {
            const auto [at, fresh] = sums.where.try_emplace(node.infoset, sums.met.size());
            if (fresh) {
                const auto n = static_cast<std::size_t>(node.count);
                sums.met.push_back(
                    {node.infoset, last, action, std::vector<double>(n), std::vector<double>(n)});
            }
            const std::size_t here = at->second;
            for (std::int32_t k = 0; k < node.count; ++k) {
                add(node.children[k], player, reach, here, k, sums);
            }
            return;
        }
        for (std::int32_t k = 0; k < node.count; ++k) {
            const double share = probability(node, k);
            if (share > 0) add(node.children[k], player, reach * share, last, action, sums);
        }
    }

    // Adds values to the sums of the player's last action above them, or to the totals if there is
    // none (kNobody).
    static void give(Sums& sums, std::size_t last, std::int32_t action, double best,
                     double played) {
        if (last == kNobody) {
            sums.best += best;
            sums.played += played;
            return;
        }
        sums.met[last].best[static_cast<std::size_t>(action)] += best;
        sums.met[last].played[static_cast<std::size_t>(action)] += played;
    }

    // Adds the values of information set i, under best play and as played, to the player's action
    // above it. A fixed information set keeps its strategy in a best response too.
    static void settle(Sums& sums, std::size_t i) {
        const Sum& sum = sums.met[i];
        double played = 0, kept = 0;
        for (std::size_t a = 0; a < sum.played.size(); ++a) {
            const auto share =
                static_cast<double>((*sum.set)[static_cast<std::int32_t>(a)].strategy);
            played += share * sum.played[a];
            kept += share * sum.best[a];
        }
        const double best = *std::max_element(sum.best.begin(), sum.best.end());
        give(sums, sum.above, sum.above_action, sum.set->fixed ? kept : best, played);
    }

    const Subgame<Game>& subgame_;
    int me_;
};

}  // namespace fogtree::search
