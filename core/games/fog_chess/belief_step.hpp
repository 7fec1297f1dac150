// One update of a belief, which can be done in several pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/in_use.hpp"
#include "common/time_limit.hpp"
#include "games/fog_chess/belief.hpp"
#include "games/fog_chess/collector.hpp"
#include "games/fog_chess/kernel.hpp"

namespace fogtree::fog_chess {

// An update of a belief in progress.
class BeliefStep {
public:
    // The update of `parent`, which must outlive it, by the player's own move or, with `no_move`,
    // by some move of the other side, after which the player has this view. Throws
    // std::invalid_argument if the view or the move does not belong here.
    BeliefStep(const Belief& parent, Move move, const Observation& view);

    // Goes on until the update is complete or the limit is reached; returns whether it is complete.
    // Some work, a few milliseconds, is done even if the time is over, unless it is stopped. Throws
    // std::invalid_argument if a complete belief leaves nothing.
    bool advance(const TimeLimit& limit);
    // The new belief, once and only if the update is complete.
    Belief take();
    InUse& in_use() { return in_use_; }  // refuses a second user at a time

private:
    // gather: children are collected; cut: those beyond the cap are dropped; fill: the positions of
    // the others are made; done; taken: the new belief was handed out.
    enum class Phase { gather, cut, fill, done, taken };

    int expand(const Position& position, std::uint32_t index, std::uint64_t threshold,
               Candidate* out) const;
    std::uint64_t guessed_threshold() const;
    void begin(std::uint64_t threshold);
    void gather_some();
    void cut();
    void fill_some();

    const RecycledVector<Position>& parents_;
    Move move_;
    StepFilter filter_{};
    Belief next_;
    std::uint64_t seed_;
    int threads_;
    double parent_repeats_;
    Phase phase_ = Phase::gather;
    std::optional<Collector> collector_;
    std::uint64_t first_threshold_ = 0;  // with which gathering began
    std::size_t gathered_ = 0;           // parents whose children were offered
    std::size_t per_parent_ = 32;        // children of a parent in the last round, about
    double children_ = 0;  // estimate of all children of gathered parents, with those beyond the
                           // threshold and with duplicates
    std::vector<std::size_t> start_;  // where each partition's positions begin
    std::size_t filled_ = 0;          // partitions whose positions are made
    InUse in_use_{"the update of the belief"};
};

}  // namespace fogtree::fog_chess
