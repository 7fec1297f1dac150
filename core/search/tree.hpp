// The growing tree: nodes that never move, and the information sets they belong to.
//
// A game for the search is any class G with
//   using State                               small, copyable
//   int player(const State&)                  0, 1, -1 for chance, -2 at the end
//   void expand(const State&, std::vector<Edge<State>>&)   all children, in the infoset's order
//   double payoff(const State&)               at the end: player 0's, in [-1, 1]
//   std::uint64_t key(const State&)           equal states, equal keys
//   std::uint64_t knows(std::uint64_t before, int player, const State& parent, const Edge<State>&)
//                                             what a player remembers after a step, as a number
// and, if the rules count how often a state occurs,
//   void count_repeats(const std::vector<const State*>& path, std::vector<Edge<State>>&)
//                                             in the children; `path` leads from the root to
//                                             their parent
//   void count_repeats(State&)                in a state at the root that is possible for us
// and, if it can make a single child in less than a microsecond,
//   State child(const State&, std::uint32_t action)        that by the action of an edge
// and an evaluator any class E with
//   void evaluate(const State& parent, const std::vector<Edge<State>>&, float* values)
//   double evaluate(const State&)             player 0's value, in [-1, 1]
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <vector>

#include "search/infoset.hpp"
#include "search/key_table.hpp"
#include "search/node_memory.hpp"

namespace fogtree::search {

inline constexpr int kChance = -1;
inline constexpr int kTerminal = -2;

// A child of a state.
template <class State>
struct Edge {
    State child;
    std::uint32_t action;  // the game's own number of it; outcomes of chance too
    float probability;     // of a chance outcome, else 1
};

// Whether a game's rules count how often a state occurs.
template <class Game>
concept CountsRepeats =
    requires(const Game& game, const std::vector<const typename Game::State*>& path,
             std::vector<Edge<typename Game::State>>& edges) { game.count_repeats(path, edges); };

// The state of a node; `locked` while a thread expands it.
enum class Status : std::uint8_t { leaf, locked, expanded };

// Stands in place of a leaf's value once the leaf has children.
inline constexpr float kExpanded = std::numeric_limits<float>::quiet_NaN();
// Whether a number is a leaf's value and not kExpanded: NaN alone does not equal itself.
inline bool is_leaf_value(float value) {
    return value == value;
}

// Whether a game makes a single child of a state quickly.
template <class Game>
concept MakesSingleChildren =
    requires(const Game& game, const typename Game::State& state) { game.child(state, 0U); };

// A node of the tree. The values of a node's children lie in a row before the children themselves:
// most children are leaves for ever, and their values are all that the solver wants of them.
template <class State>
struct Node {
    State state;
    std::uint64_t knows[2];  // what each player remembers here, as a number
    Node* children = nullptr;
    Infoset* infoset = nullptr;  // the mover's, once expanded
    float value = 0;             // to the player who searches: by the evaluator, or the payoff
    float probability = 1;       // of the chance outcome that led here
    std::int32_t count = 0;      // of children
    std::int8_t player = kTerminal;
    std::atomic<Status> status{Status::leaf};

    bool expanded() const { return status.load(std::memory_order_acquire) == Status::expanded; }
    // The values of an expanded node's children; kExpanded for a child that is expanded itself.
    Relaxed<float>* leaves() const { return reinterpret_cast<Relaxed<float>*>(children) - count; }
};

// All nodes and information sets of one search.
template <class State>
class Tree {
public:
    // `pool` has the chunks of memory that earlier trees released; this tree takes from it and
    // gives back.
    explicit Tree(std::shared_ptr<ChunkPool> pool = std::make_shared<ChunkPool>())
        : node_memory_(std::move(pool)) {}

    // New siblings, side by side. The row of their values (Node::leaves of the parent) ends where
    // they begin, padded at its front to 16 bytes.
    Node<State>* new_nodes(std::size_t count) {
        static_assert(std::is_trivially_destructible_v<State> && alignof(Node<State>) <= 16);
        const std::size_t row = (count * sizeof(float) + 15) & ~std::size_t{15};
        auto* memory =
            static_cast<std::byte*>(node_memory_.take(row + count * sizeof(Node<State>)));
        auto* nodes = reinterpret_cast<Node<State>*>(memory + row);
        auto* leaves = reinterpret_cast<Relaxed<float>*>(nodes) - count;
        for (std::size_t i = 0; i < count; ++i) {
            new (leaves + i) Relaxed<float>(0.0F);
            new (nodes + i) Node<State>{};
        }
        nodes_.fetch_add(static_cast<std::int64_t>(count), std::memory_order_relaxed);
        return nodes;
    }

    // The player's information set with this key. If it is new, it is made with `count` actions
    // below the player's information set `parent` and its action `parent_action`, and passed to
    // `begin`.
    template <class Begin>
    Infoset* infoset(std::uint64_t key, int player, std::int32_t count, Infoset* parent,
                     std::int32_t parent_action, Begin&& begin) {
        const std::scoped_lock lock(mutex_);
        Infoset* set = infosets_[player].find(key);
        if (set == nullptr) {
            set = new_infoset(key, player, count, parent, parent_action);
            infosets_[player].add(key, set);
            sets_.fetch_add(1, std::memory_order_relaxed);
            begin(*set);
        }
        return set;
    }

    // The player's information set with this key; null if the tree does not have it.
    Infoset* find(std::uint64_t key, int player) const {
        const std::scoped_lock lock(mutex_);
        return infosets_[player].find(key);
    }

    // A new information set with a uniform strategy, which find() does not know. Arguments as of
    // infoset().
    Infoset* new_infoset(std::uint64_t key, int player, std::int32_t count, Infoset* parent,
                         std::int32_t parent_action) {
        void* memory = node_memory_.take(Infoset::bytes(count));
        auto* set = new (memory) Infoset(key, player, count, parent, parent_action);
        set->clear();
        return set;
    }

    std::int64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
    std::size_t infosets() const { return sets_.load(std::memory_order_relaxed); }
    void set_growing(bool grows) { node_memory_.set_growing(grows); }
    std::size_t bytes() const {
        return node_memory_.bytes() + infosets() * KeyTable<Infoset*>::kBytes;
    }

private:
    NodeMemory node_memory_;
    std::atomic<std::int64_t> nodes_{0};
    std::atomic<std::size_t> sets_{0};
    mutable std::mutex mutex_;
    KeyTable<Infoset*> infosets_[2];
};

}  // namespace fogtree::search
