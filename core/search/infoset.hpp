// An information set of the growing tree: its actions' numbers lie in rows, one row per kind of
// number, because the solver reads all actions of one kind at once.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace fogtree::search {

// What a reach of 1 is stored as, and with it utilities and regrets: a power of two, so that it
// changes no digit, and large, so that products of small probabilities do not underflow. Below
// kLeastReach the inverse would overflow; what is reached less counts as never reached.
inline constexpr float kReachUnit = 0x1p80F;
inline constexpr float kLeastReach = std::numeric_limits<float>::min();
// The share of an information set's strategy that an examined action has at least: the opponent
// learns the best answers to it, and the mover still chooses freely with the rest.
inline constexpr float kExamined = 0.2F;

// A number that one thread writes while others read it: an atomic whose plain reads and writes are
// unordered. After acquire() has read what release() wrote, everything written before is visible.
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
    T acquire() const { return value_.load(std::memory_order_acquire); }
    void release(T value) { value_.store(value, std::memory_order_release); }

private:
    std::atomic<T> value_;
};

// References to one action's numbers, as Infoset::operator[] returns them. Only the solver writes
// the first block, only expanders the second; numbers that the other side reads are atomic.
template <bool Constant>
struct ActionRecordOf {
    template <class T>
    using Ref = std::conditional_t<Constant, const T&, T&>;

    Ref<float> cumulative;  // PCFR+'s z
    Ref<float> regret;      // the last one: the prediction
    Ref<float> utility;     // being added up in this iteration
    Ref<float> average;
    Ref<Relaxed<float>> strategy;
    Ref<Relaxed<float>> quality;  // value of the action to the mover, given the information set
    Ref<std::uint8_t> unstable;   // not 0: left the support in the second half of the search

    Ref<Relaxed<std::uint32_t>> visits;
    Ref<Relaxed<float>> mean, squares;  // of the qualities seen; two prior samples -1, +1

    Ref<std::uint32_t> action;

    // A record that may be written converts to one that may only be read.
    operator ActionRecordOf<true>() const
        requires(!Constant)
    {
        return {cumulative, regret, utility, average, strategy, quality,
                unstable,   visits, mean,    squares, action};
    }
};
using ActionRecord = ActionRecordOf<true>;

// An information set. Its actions' numbers lie behind it in memory, row by row.
struct Infoset {
    // `name` becomes the key. `above` and `by`: the player's information set before this one, and
    // the action taken there.
    Infoset(std::uint64_t name, int mover, std::int32_t actions, Infoset* above, std::int32_t by)
        : key(name),
          parent(above),
          parent_action(by),
          count(actions),
          player(static_cast<std::int8_t>(mover)) {}

    std::uint64_t key;  // what the mover remembers here, as a number
    Infoset* parent;    // the mover's previous information set, and the action there
    std::int32_t parent_action;
    std::int32_t count;  // of actions
    std::int8_t player;  // who moves here
    bool fixed = false;  // keeps its strategy in this search
    std::int32_t examined =
        -1;             // an action that is played at least kExamined of the time; -1: none
    bool live = false;  // while the next subgame is built: has a node below our actual set
    std::atomic<bool> iterated{false};  // the solver has visited it
    std::int64_t stamp = -1;            // the last iteration that visited it
    float others_reach = 0;             // in that iteration, in units of kReachUnit
    float own_reach = 0;                // the mover's in that iteration
    float value = 0;                    // expected utility to the mover, given the information set
    Relaxed<std::uint32_t> visits;
    Infoset* copy = nullptr;  // while the next subgame is built: its copy there

    // The memory that an information set with `count` actions needs: this struct, and behind it the
    // rows of its actions' numbers (see `row`).
    static std::size_t bytes(std::int32_t count) {
        const auto n = static_cast<std::size_t>(count);
        return sizeof(Infoset) + n * (kRows * sizeof(float) + 1);
    }

    // The rows: of each kind of number in ActionRecordOf, an array with one number per action.
    Relaxed<float>* strategies() { return row<Relaxed<float>>(0); }
    const Relaxed<float>* strategies() const { return row<Relaxed<float>>(0); }
    float* utilities() { return row<float>(1); }
    float* cumulatives() { return row<float>(2); }
    float* regrets() { return row<float>(3); }
    float* averages() { return row<float>(4); }
    Relaxed<float>* qualities() { return row<Relaxed<float>>(5); }
    const Relaxed<float>* qualities() const { return row<Relaxed<float>>(5); }
    std::uint8_t* unstables() { return row<std::uint8_t>(kRows); }
    Relaxed<std::uint32_t>* action_visits() { return row<Relaxed<std::uint32_t>>(6); }
    const Relaxed<std::uint32_t>* action_visits() const { return row<Relaxed<std::uint32_t>>(6); }
    Relaxed<float>* means() { return row<Relaxed<float>>(7); }
    Relaxed<float>* squares() { return row<Relaxed<float>>(8); }
    const Relaxed<float>* squares() const { return row<Relaxed<float>>(8); }
    std::uint32_t* actions() { return row<std::uint32_t>(9); }

    // Resets all numbers of actions: to a uniform strategy, 2 as the sum of squares (of two prior
    // samples, -1 and +1), and 0 otherwise.
    void clear() {
        std::memset(static_cast<void*>(row<float>(0)), 0, bytes(count) - sizeof(Infoset));
        for (std::int32_t a = 0; a < count; ++a) {
            strategies()[a] = 1.0F / static_cast<float>(count);
            squares()[a] = 2.0F;
        }
    }

    // Copies the actions' numbers from an earlier search, except utilities, averages and
    // `unstable`, which become 0.
    void inherit(const Infoset& from) {
        std::memcpy(static_cast<void*>(row<float>(0)), from.row<float>(0),
                    bytes(count) - sizeof(Infoset));
        std::fill(utilities(), utilities() + count, 0.0F);
        std::fill(averages(), averages() + count, 0.0F);
        std::fill(unstables(), unstables() + count, std::uint8_t{0});
    }

    // The numbers of action a.
    ActionRecordOf<false> operator[](std::int32_t a) { return record<false>(*this, a); }
    ActionRecord operator[](std::int32_t a) const { return record<true>(*this, a); }

private:
    static constexpr int kRows = 10;  // of four bytes; then one of single bytes

    // Row `number` behind the struct; each has `count` numbers of four bytes, the last of one byte.
    template <class T>
    T* row(int number) {
        static_assert(sizeof(T) == 4 || sizeof(T) == 1);
        auto* rows = reinterpret_cast<std::byte*>(this + 1);
        return reinterpret_cast<T*>(rows + std::ptrdiff_t{4} * number * count);
    }
    template <class T>
    const T* row(int number) const {
        return const_cast<Infoset*>(this)->row<T>(number);
    }

    // References to action a's number in every row; `Self` is Infoset, const or not.
    template <bool Constant, class Self>
    static ActionRecordOf<Constant> record(Self& self, std::int32_t a) {
        auto& set = const_cast<Infoset&>(static_cast<const Infoset&>(self));
        return {set.cumulatives()[a], set.regrets()[a],       set.utilities()[a],
                set.averages()[a],    set.strategies()[a],    set.qualities()[a],
                set.unstables()[a],   set.action_visits()[a], set.means()[a],
                set.squares()[a],     set.actions()[a]};
    }
};

}  // namespace fogtree::search
