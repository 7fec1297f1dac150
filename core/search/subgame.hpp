// From the last search's tree to the next subgame: which nodes to keep, and the alternate values.
//
// Zhang & Sandholm (2025), unfrozen, with gifts after Brown & Sandholm, "Safe and nested subgame
// solving" (2017).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "common/random.hpp"
#include "common/time_limit.hpp"
#include "search/cover.hpp"
#include "search/gadget.hpp"
#include "search/options.hpp"
#include "search/thinning.hpp"
#include "search/tree.hpp"

namespace fogtree::search {

// What a new subgame took over from the last search.
struct SubgameReport {
    std::vector<std::size_t> cover;  // nodes at each order of knowledge
    std::int64_t carried_nodes = 0;
    std::size_t carried_infosets = 0;
    std::size_t sampled = 0;  // positions of the belief that were added, not in the old tree
    std::int32_t depth = 0;   // plies of the tree that was carried over
};

// The tree of a search, with the gadget at its root.
template <class Game>
class Subgame {
public:
    using State = typename Game::State;
    using N = Node<State>;
    using F = Found<N>;

    std::shared_ptr<ChunkPool> pool = std::make_shared<ChunkPool>();
    std::unique_ptr<Tree<State>> tree = std::make_unique<Tree<State>>(pool);
    Gadget<N> gadget;
    Infoset* root = nullptr;             // where the opponent chooses among the gadget's choices
    std::optional<std::uint64_t> known;  // our information set; none: the whole game
    SubgameReport report;

    // The whole game from its start, where the opponent has no alternate values. `knows`: what each
    // player knows there, as a number; `value`: our value of the start.
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

    // The subgame at our information set `key`: the nodes kept of `old`, which stays unchanged, and
    // positions drawn from `belief` up to `options.sample` in all. These are promised `expected` at
    // most, and no more than the evaluator's value: where the opponent knows everything it is asked
    // when the position is opened, else here, by `evaluate` (ours). `path`, `opponent_views` and
    // `limit` are those of Search::move_to.
    template <class Evaluate>
    static Subgame next(const Game& game, Subgame& old, const Options& options, int me,
                        std::uint64_t key, const std::vector<State>& belief,
                        const std::vector<std::uint64_t>& opponent_views, double expected,
                        const std::vector<std::uint64_t>& path, SplitMix64& random,
                        Evaluate&& evaluate, const TimeLimit& limit) {
        Builder builder{game, old, options, me, limit, {}, {}};
        return builder.build(key, path, belief, opponent_views, expected, random, evaluate);
    }

private:
    // A new node of the tree without children. `first` and `second`: what players 0 and 1 know
    // there; `value`: ours.
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

    // Makes the information set in which the opponent chooses among the gadget's choices.
    void make_root(int me) {
        root = tree->new_infoset(0, 1 - me, static_cast<std::int32_t>(gadget.choices.size()),
                                 nullptr, -1);
    }

    static constexpr std::int64_t kNoBound = std::int64_t{1} << 62;
    static constexpr auto kUnit = static_cast<double>(kReachUnit);

    // Builds the next subgame from the last one, `old`.
    struct Builder {
        const Game& game;
        Subgame& old;
        const Options& options;
        int me;
        const TimeLimit& limit;
        std::vector<F> found;          // nodes of the old tree at which the new one begins
        std::vector<Infoset*> copied;  // of the old tree
        std::size_t looks = 0;         // calls of out_of_time()
        bool late = false;             // the limit is reached

        // Whether the limit is reached. It is asked for every node, and looks at the clock now and
        // then.
        bool out_of_time() {
            constexpr std::size_t patience = 256;
            if (!late && ++looks % patience == 0) late = limit.reached();
            return late;
        }

        // Builds the subgame at our information set `key`: copies the nodes of the old tree that
        // are possible there (Cover, thinned by Thinning), adds positions of `belief` that it does
        // not have (sample), and groups all by the opponent's information sets, which become the
        // choices at the root. Nodes of the old tree share the room for copies (most_carried).
        template <class Evaluate>
        Subgame build(std::uint64_t key, const std::vector<std::uint64_t>& path,
                      const std::vector<State>& belief,
                      const std::vector<std::uint64_t>& opponent_views, double expected,
                      SplitMix64& random, Evaluate&& evaluate) {
            Subgame out;
            out.pool = old.pool;
            out.known = key;
            out.tree = std::make_unique<Tree<State>>(out.pool);
            out.tree->set_growing(false);  // the player waits for the first answer
            found = Cover<N>(old.gadget, options, me, path, limit).find(key, out.report.cover);
            found = Thinning<N>(options, me, key, random).thin(std::move(found));
            // The actual information set first, so that what lies below it is known to be live.
            std::stable_partition(found.begin(), found.end(),
                                  [&](const F& f) { return f.node->knows[me] == key; });
            std::unordered_map<std::uint64_t, std::size_t> choice_of;
            std::vector<std::size_t> chosen;
            std::unordered_set<std::uint64_t> have;
            for (const F& f : found) {
                const bool actual = f.node->knows[me] == key;
                if (actual) have.insert(game.key(f.node->state));
                const auto [where, fresh] =
                    choice_of.try_emplace(f.node->knows[1 - me], out.gadget.choices.size());
                if (fresh) out.gadget.choices.emplace_back();
                chosen.push_back(where->second);
            }
            sample(out, key, belief, opponent_views, have, expected, random, evaluate);
            if (old.gadget.choices.empty()) out.gadget.free = true;  // nothing was promised yet
            out.make_root(me);
            std::int64_t room = options.most_carried > 0 ? options.most_carried : kNoBound;
            for (std::size_t i = 0; i < found.size(); ++i) {
                const auto share = room / static_cast<std::int64_t>(found.size() - i);
                const bool actual = found[i].node->knows[me] == key;
                room -= add(out, chosen[i], found[i], share, actual);
            }
            for (std::size_t j = 0; j < choice_of.size(); ++j) settle(out.gadget.choices[j]);
            out.report.carried_nodes =
                out.tree->nodes() - static_cast<std::int64_t>(out.report.sampled);
            out.report.carried_infosets = out.tree->infosets();
            out.gadget.start(options);
            for (Infoset* set : copied) {
                set->copy = nullptr;
                set->live = false;
            }
            out.tree->set_growing(true);
            return out;
        }

        // Copies a node of the old tree, with what is below it as far as `room` nodes allow, to
        // choice j of the root. `actual`: it is consistent with what we saw. Returns how many nodes
        // it took.
        std::int64_t add(Subgame& out, std::size_t j, const F& f, std::int64_t room, bool actual) {
            RootChoice<N>& choice = out.gadget.choices[j];
            N* node = out.tree->new_nodes(1);
            copy_node(*f.node, *node);
            if constexpr (CountsRepeats<Game>) {
                if (actual) game.count_repeats(node->state);
            }
            std::int64_t used = 1;
            if (f.node->expanded()) {
                Path path{{nullptr, nullptr}, {-1, -1}};
                path.last[1 - me] = out.root;
                path.action[1 - me] = static_cast<std::int32_t>(j);
                used += copy_below(out, *f.node, *node, path, room - 1, 1, actual);
                if (!node->expanded() && !out_of_time())
                    node->value = static_cast<float>(value_of(*f.node));
            }
            choice.nodes.push_back(node);
            choice.ours += actual;
            choice.weights.push_back(f.others);
            choice.old_reach = static_cast<double>(f.own) / kUnit;
            choice.drawn = static_cast<double>(f.prior);
            // Sums for now; settle() divides. Nodes of one infoset share the opponent's path, and
            // so the gift, which `margin` keeps until then.
            const double value = value_of(*f.node);
            choice.utility += static_cast<double>(f.others) * value;
            choice.alternate = choice.alternate + value;
            choice.margin = static_cast<double>(f.gift);
            return used;
        }

        // Ends the sums of add(): weights become probabilities within the opponent's information
        // set, and the alternate value is the mean value there, less the opponent's gifts if
        // options say so.
        void settle(RootChoice<N>& choice) const {
            double total = 0;
            for (const float w : choice.weights) total += static_cast<double>(w);
            choice.old_mass = total / kUnit;
            const auto n = static_cast<float>(choice.nodes.size());
            for (float& w : choice.weights) w = total > 0 ? w / static_cast<float>(total) : 1 / n;
            const double value =
                total > 0 ? choice.utility / total : choice.alternate / static_cast<double>(n);
            choice.alternate = std::clamp(value - (options.gifts ? choice.margin : 0.0), -1.0, 1.0);
            choice.utility = choice.margin = 0;
        }

        // Our value of a node under the old strategies, or the evaluator's if there is no time.
        double value_of(const N& node) {
            if (!node.expanded() || out_of_time()) return static_cast<double>(node.value);
            double sum = 0;
            for (std::int32_t k = 0; k < node.count; ++k) {
                const float share = node.player == kChance
                                        ? node.children[k].probability
                                        : static_cast<float>(node.infoset->strategies()[k]);
                if (share <= 0) continue;
                const float leaf = node.leaves()[k];
                const double value =
                    is_leaf_value(leaf) ? static_cast<double>(leaf) : value_of(node.children[k]);
                sum += static_cast<double>(share) * value;
            }
            return sum;
        }

        // Copies a node without its children and information set.
        static void copy_node(const N& from, N& to) {
            to.state = from.state;
            to.knows[0] = from.knows[0];
            to.knows[1] = from.knows[1];
            to.value = from.value;
            to.probability = from.probability;
            to.player = from.player;
        }

        // Each player's last information set on the way, and the action there.
        struct Path {
            Infoset* last[2];
            std::int32_t action[2];
        };

        // Copies what is below `from` in the old tree to `to`: at most `room` nodes, shared out
        // evenly among the children that are expanded; what one does not need the next may have.
        // Returns how many it took. An expanded node without room for its children becomes a leaf
        // again, with the value that the old strategies give it. `path`: of the copies above;
        // `actual`: see add().
        std::int64_t copy_below(Subgame& out, const N& from, N& to, Path path, std::int64_t room,
                                std::int32_t depth, bool actual) {
            if (room < from.count || out_of_time()) return 0;
            if (options.most_bytes > 0 && out.tree->bytes() > carried_bytes(options)) return 0;
            out.report.depth = std::max(out.report.depth, depth);
            to.count = from.count;
            if (from.infoset != nullptr) {
                const int p = from.player;
                to.infoset = copy_infoset(out, *from.infoset, path, actual);
                path.last[p] = to.infoset;
            }
            to.children = out.tree->new_nodes(static_cast<std::size_t>(from.count));
            std::int64_t used = from.count, grown = 0;
            for (std::int32_t k = 0; k < from.count; ++k) grown += !is_leaf_value(from.leaves()[k]);
            for (std::int32_t k = 0; k < from.count; ++k) {
                copy_node(from.children[k], to.children[k]);
                to.leaves()[k] = to.children[k].value;
                if (is_leaf_value(from.leaves()[k])) continue;
                if (from.player >= 0) path.action[from.player] = k;
                const std::int64_t share = (room - used) / grown--;
                used += copy_below(out, from.children[k], to.children[k], path, share, depth + 1,
                                   actual);
                if (!to.children[k].expanded() && !out_of_time())
                    to.children[k].value = static_cast<float>(value_of(from.children[k]));
                to.leaves()[k] = to.children[k].expanded() ? kExpanded : to.children[k].value;
            }
            to.status.store(Status::expanded, std::memory_order_release);
            return used;
        }

        // The copy of an information set, made when its first node is copied. It hangs below its
        // mover's previous one, or below the root. `actual`: the node lies below our actual
        // information set. In a frozen search our sets without such a node keep their strategy.
        Infoset* copy_infoset(Subgame& out, Infoset& from, const Path& path, bool actual) {
            from.live |= actual;
            if (from.copy != nullptr) return from.copy;
            copied.push_back(&from);
            Infoset* to = from.copy =
                out.tree->infoset(from.key, from.player, from.count, path.last[from.player],
                                  path.action[from.player], [](Infoset&) {});
            to->fixed = options.frozen && from.player == me && !from.live;
            to->iterated.store(from.iterated.load());
            to->value = from.value;
            to->visits = from.visits;
            to->inherit(from);
            return to;
        }

        // Adds positions of the belief that the old tree did not have, until there are
        // options.sample in all: in random order or, with `opponent_views`, in the order given. At
        // these positions the opponent is assumed to know everything or, with `opponent_views`, to
        // tell apart those with different numbers there. `have`: the keys of positions that the
        // subgame has already; `expected`: the most that their alternate values may be.
        template <class Evaluate>
        void sample(Subgame& out, std::uint64_t key, const std::vector<State>& belief,
                    const std::vector<std::uint64_t>& opponent_views,
                    std::unordered_set<std::uint64_t>& have, double expected, SplitMix64& random,
                    Evaluate&& evaluate) {
            out.gadget.expected = expected;
            const auto wanted = std::min(belief.size(), static_cast<std::size_t>(options.sample));
            std::vector<std::size_t> order(belief.size());
            for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
            const std::uint64_t salt = random.next();
            std::unordered_map<std::uint64_t, std::size_t> choice_of;
            for (std::size_t i = 0; i < order.size() && have.size() < wanted; ++i) {
                if (!have.empty() && limit.reached()) break;
                if (opponent_views.empty())
                    std::swap(order[i], order[i + random.below(order.size() - i)]);
                const State& state = belief[order[i]];
                if (!have.insert(game.key(state)).second) continue;
                const bool waits = opponent_views.empty() && game.player(state) != kTerminal;
                const double value = waits ? expected : evaluate(state);
                std::uint64_t knows[2];
                knows[me] = key;
                knows[1 - me] = combine_hashes(
                    salt, opponent_views.empty() ? game.key(state) : opponent_views[order[i]]);
                const auto [where, fresh] =
                    choice_of.try_emplace(knows[1 - me], out.gadget.choices.size());
                if (fresh) out.gadget.choices.emplace_back();
                RootChoice<N>& choice = out.gadget.choices[where->second];
                N* node = out.leaf(game, state, knows[0], knows[1], value);
                if constexpr (CountsRepeats<Game>) game.count_repeats(node->state);
                choice.nodes.push_back(node);
                ++choice.ours;
                choice.waits = waits;
                choice.alternate = choice.alternate + value;  // a sum until all are there
                ++out.report.sampled;
            }
            for (const auto& [name, number] : choice_of) {
                RootChoice<N>& choice = out.gadget.choices[number];
                const auto n = static_cast<double>(choice.nodes.size());
                choice.weights.assign(choice.nodes.size(), static_cast<float>(1 / n));
                choice.alternate = std::clamp(std::min(choice.alternate / n, expected), -1.0, 1.0);
            }
        }
    };
};

}  // namespace fogtree::search
