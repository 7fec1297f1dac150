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
// and an evaluator any class E with
//   void evaluate(const State& parent, const std::vector<Edge<State>>&, float* values)
//   double evaluate(const State&)             player 0's value, in [-1, 1]
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace fogtree::search {

inline constexpr int kChance = -1;
inline constexpr int kTerminal = -2;

template <class State>
struct Edge {
    State child;
    std::uint32_t action;  // the game's own number of it; outcomes of chance too
    float probability;     // of a chance outcome, else 1
};

// A number that one thread writes and others may read at any time.
template <class T>
class Relaxed {
public:
    Relaxed(T value = T{}) : value_(value) {}
    Relaxed(const Relaxed& other) : value_(T(other)) {}
    Relaxed& operator=(const Relaxed& other) { return *this = T(other); }
    Relaxed& operator=(T value) {
        value_.store(value, std::memory_order_relaxed);
        return *this;
    }
    operator T() const { return value_.load(std::memory_order_relaxed); }
    T fetch_add(T more) { return value_.fetch_add(more, std::memory_order_relaxed); }

private:
    std::atomic<T> value_;
};

// What one action of an information set has come to. The solver alone writes the first block, the
// expanders alone the second; what the other side reads is atomic.
struct ActionRecord {
    float cumulative = 0;  // PCFR+'s z
    float regret = 0;      // the last one: the prediction
    float utility = 0;     // being added up in this iteration
    float average = 0;
    Relaxed<float> strategy;
    Relaxed<float> quality;  // value of the action, given the information set
    Relaxed<std::uint32_t> visits;
    Relaxed<float> mean, squares = 2;  // of the qualities seen; two prior samples -1, +1
    std::uint32_t action = 0;
    bool unstable = false;  // left the support in the second half of the search
};

struct Infoset {
    Infoset(std::uint64_t name, int mover, std::int32_t actions, Infoset* above, std::int32_t by)
        : key(name),
          parent(above),
          parent_action(by),
          count(actions),
          player(static_cast<std::int8_t>(mover)) {}

    std::uint64_t key;
    Infoset* parent;  // the mover's previous information set, and the action there
    std::int32_t parent_action;
    std::int32_t count;
    std::int8_t player;
    bool fixed = false;  // keeps its strategy: not ours to change in this search
    std::atomic<bool> iterated{false};
    std::int64_t stamp = -1;  // last iteration that came here
    float others_reach = 0;   // in that iteration
    float own_reach = 0;
    float value = 0;  // expected utility, given the information set
    Relaxed<std::uint32_t> visits;

    ActionRecord* records() { return reinterpret_cast<ActionRecord*>(this + 1); }
    const ActionRecord* records() const { return reinterpret_cast<const ActionRecord*>(this + 1); }
    ActionRecord& operator[](std::int32_t a) { return records()[a]; }
    const ActionRecord& operator[](std::int32_t a) const { return records()[a]; }
};

enum class Status : std::uint8_t { leaf, locked, expanded };

template <class State>
struct Node {
    State state;
    std::uint64_t knows[2];  // what each player remembers here
    Node* children = nullptr;
    Infoset* infoset = nullptr;  // the mover's, once expanded
    float value = 0;             // the searcher's: the evaluator's, or exact at the end
    float probability = 1;       // of the chance outcome that led here
    std::int32_t count = 0;
    std::int8_t player = kTerminal;
    std::atomic<Status> status{Status::leaf};

    bool expanded() const { return status.load(std::memory_order_acquire) == Status::expanded; }
};

// Memory in chunks that never move and go all at once.
class Arena {
public:
    void* take(std::size_t bytes) {
        bytes = (bytes + 15) & ~std::size_t{15};
        const std::scoped_lock lock(mutex_);
        if (bytes > left_) {
            const std::size_t size = bytes > kChunk ? bytes : kChunk;
            chunks_.push_back(std::unique_ptr<std::byte[]>(new std::byte[size]));
            next_ = chunks_.back().get();
            left_ = size;
            total_.fetch_add(size, std::memory_order_relaxed);
        }
        void* out = next_;
        next_ += bytes;
        left_ -= bytes;
        return out;
    }
    std::size_t bytes() const { return total_.load(std::memory_order_relaxed); }

private:
    static constexpr std::size_t kChunk = std::size_t{1} << 20;
    std::mutex mutex_;
    std::vector<std::unique_ptr<std::byte[]>> chunks_;
    std::byte* next_ = nullptr;
    std::size_t left_ = 0;
    std::atomic<std::size_t> total_{0};
};

// All nodes and information sets of one search.
template <class State>
class Tree {
public:
    Node<State>* new_nodes(std::size_t count) {
        static_assert(std::is_trivially_destructible_v<State>);
        auto* nodes = static_cast<Node<State>*>(arena_.take(count * sizeof(Node<State>)));
        for (std::size_t i = 0; i < count; ++i) new (nodes + i) Node<State>{};
        nodes_.fetch_add(static_cast<std::int64_t>(count), std::memory_order_relaxed);
        return nodes;
    }

    // The information set with this key, made if it is new (and then `fresh`).
    Infoset* infoset(std::uint64_t key, int player, std::int32_t count, Infoset* parent,
                     std::int32_t parent_action, bool& fresh) {
        const std::scoped_lock lock(mutex_);
        auto [where, made] = infosets_[player].try_emplace(key, nullptr);
        fresh = made;
        if (made) where->second = new_infoset(key, player, count, parent, parent_action);
        return where->second;
    }

    Infoset* find(std::uint64_t key, int player) const {
        const std::scoped_lock lock(mutex_);
        const auto where = infosets_[player].find(key);
        return where == infosets_[player].end() ? nullptr : where->second;
    }

    Infoset* new_infoset(std::uint64_t key, int player, std::int32_t count, Infoset* parent,
                         std::int32_t parent_action) {
        void* memory =
            arena_.take(sizeof(Infoset) + static_cast<std::size_t>(count) * sizeof(ActionRecord));
        auto* set = new (memory) Infoset(key, player, count, parent, parent_action);
        for (std::int32_t a = 0; a < count; ++a) {
            auto* record = new (set->records() + a) ActionRecord{};
            record->strategy = 1.0F / static_cast<float>(count);
        }
        return set;
    }

    std::int64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
    std::size_t infosets() const {
        const std::scoped_lock lock(mutex_);
        return infosets_[0].size() + infosets_[1].size();
    }
    std::size_t bytes() const { return arena_.bytes() + infosets() * 48; }

private:
    Arena arena_;
    std::atomic<std::int64_t> nodes_{0};
    mutable std::mutex mutex_;
    std::unordered_map<std::uint64_t, Infoset*> infosets_[2];
};

}  // namespace fogtree::search
