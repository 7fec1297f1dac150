// Runs regret minimizers on a sequence form and evaluates the strategies.
//
// Zinkevich, Johanson, Bowling & Piccione, "Regret minimization in games with incomplete
// information" (2007), in the form of Farina, Kroer & Sandholm, "Online convex optimization for
// sequential decision processes" (2019): one product of payoffs with the others' reach, one sweep
// up the own decisions to update, one sweep down to turn strategies into reach.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "common/aligned_allocator.hpp"
#include "common/in_use.hpp"
#include "common/thread_team.hpp"
#include "common/weighting.hpp"
#include "tree/kernels.hpp"
#include "tree/sequence_form.hpp"

namespace fogtree {

// A vector whose memory begins at a cache line.
template <class T>
using Array = std::vector<T, AlignedAllocator<T>>;

// The settings that tell one algorithm of the CFR family from another.
struct Schedule {
    Rule rule = Rule::regret_matching;
    bool alternating = true;  // players are updated one after the other, not all at once
    // After iteration t positive and negative regrets are multiplied by t^a / (t^a + 1), a the
    // exponent; +inf: by 1, -inf: by 0.
    double positive_exponent = std::numeric_limits<double>::infinity();
    double negative_exponent = std::numeric_limits<double>::infinity();
    double averaging_exponent = 0;  // k: iteration t has the weight (t - delay)^k in the average
    double delay = 0;
    bool last = false;  // the answer is the last iterate, not the average

    // Throws std::invalid_argument for exponents or a delay out of range.
    void check() const {
        check_weighting(positive_exponent, negative_exponent, averaging_exponent, delay);
    }
};

// The number of sequences from which on several threads gain more than their barriers cost.
inline constexpr std::size_t kLargeGame = 50'000;

// Every player's value, and the value of a best response.
struct Evaluation {
    std::vector<double> values;          // per player, under the profile
    std::vector<double> best_responses;  // per player, against the others
};

// A regret minimizer on one game.
template <class Real>
class Engine {
public:
    // Games of two players with `least_parallel` sequences or more use several threads.
    Engine(std::shared_ptr<const SequenceForm> form, const Schedule& schedule, int threads,
           const Kernels<Real>& kernels, std::size_t least_parallel = kLargeGame);

    void run(std::int64_t iterations);
    std::int64_t iteration() const { return iteration_; }  // the number of iterations done
    double weight() const { return weight_; }              // the sum of their averaging weights
    std::size_t bytes() const;
    std::size_t slots() const;
    InUse& in_use() const { return in_use_; }  // refuses a second user at a time

    // Evaluates the profile that is the answer so far: the average, or the last iterate.
    Evaluation evaluate();

    // Arrays over slots, as in FlatTree. Forced actions have probability 1.
    std::vector<double> strategy(bool average) const;
    void set_strategy(const double* slots);
    std::vector<double> utilities(int player);                     // counterfactual, per slot
    std::vector<double> best_response(int player, double& value);  // probabilities, per slot
    std::vector<double> reach(int player) const;                   // own reach after each slot

    // All that another engine of the same game and schedule needs to continue exactly.
    struct State {
        std::int64_t iteration = 0;
        double weight = 0;
        std::vector<double> regret, strategy, average;  // per slot
        std::vector<double> memory;                     // per information set: Span::memory
    };
    State state() const;
    void restore(const State& state);

private:
    // The arrays of one player, by position or by lane of the layout.
    struct Side {
        Layout layout;
        Tiles tiles;  // `values` moved to `payoffs`
        Array<Real> payoffs;
        Array<Real> utility, strategy, regret, reach, members;  // positions
        Array<double> average;  // in double always: its steps shrink below a float's last digit
        Array<Real> measured;   // the profile being evaluated
        Array<Real> memory, value, copies;  // lanes
    };
    // What a sweep over information sets computes: new regrets and strategies with the values, the
    // values alone, or the values of the best actions.
    enum class Sweep : std::uint8_t { update, evaluate, maximise };

    void make_side(std::size_t player, int parts);
    Span<Real> span(Side& side, const Group& group, std::int32_t begin, std::int32_t end) const;
    void product(std::size_t player, const Array<Real>* const* reach, int part);
    void outcome_product(std::size_t player, const Array<Real>* const* reach);
    void sweep_group(Side& side, const Group& group, std::int32_t begin, std::int32_t end,
                     Sweep sweep);
    void sweep_part(Side& side, int part, Sweep sweep);
    void sweep_trunk(Side& side, Sweep sweep);
    void collect(Side& side, const Group& group, std::int32_t begin, std::int32_t end);
    void push_trunk(Side& side, double share);
    void push_part(Side& side, int part, double share);
    void ascend(std::size_t player, ThreadTeam& team, int worker);
    void descend(std::size_t player, ThreadTeam& team, int worker);
    void start_iteration();
    void climb(std::size_t player, const Array<Real>* const* reach, Sweep sweep);
    const Array<Real>* const* answer();
    // The player's value of the game, in the unit of payoffs, after a sweep: the utility of the
    // empty sequence, whose position is 0.
    double root_value(const Side& side) const {
        return static_cast<double>(side.utility[0]) * scale_;
    }
    template <class Visit>
    void each_infoset(Visit&& visit) const;
    // The lane, in its owner's layout, of an information set of the game that is not forced.
    std::size_t lane(std::size_t owner, std::size_t infoset) const {
        const auto place = static_cast<std::size_t>(form_->place[infoset]);
        return static_cast<std::size_t>(sides_[owner].layout.infoset_lane[place]);
    }

    std::shared_ptr<const SequenceForm> form_;
    Schedule schedule_;
    int threads_;
    const Kernels<Real>& kernels_;
    std::vector<Side> sides_;
    std::vector<const Array<Real>*> reaches_, measured_;  // of each side: its array of that name
    std::int64_t iteration_ = 0;
    double weight_ = 0;  // the sum of the iterations' weights in the average
    double scale_ = 1;   // payoffs are divided by this power of two, so that any range fits a float
    Discount<Real> discount_;
    double share_ = 0;  // the present iteration's weight in the average, as a part of weight_
    mutable InUse in_use_{"the solver"};
};

extern template class Engine<float>;
extern template class Engine<double>;

}  // namespace fogtree
