#include "games/fog_chess/belief_step.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "common/random.hpp"
#include "common/thread_team.hpp"
#include "games/fog_chess/step.hpp"

namespace fogtree::fog_chess {

namespace {

// The work of one round, between two looks at the time limit: a few milliseconds.
constexpr std::size_t candidates_per_round = 100'000;
constexpr std::size_t fewest_per_round = 4'000, most_per_round = 32'000;  // parents
constexpr std::size_t filled_per_round = 32'000;                          // positions
constexpr std::size_t prefetched = 12;  // positions fetched into the cache ahead of their use
constexpr std::size_t probes = 1'000;   // positions whose children are counted beforehand
constexpr double caution = 1.5;         // factor by which more children are let in than needed
constexpr std::uint64_t whole_order = ~std::uint64_t{0};  // the threshold that lets in all

// The fraction of all children whose place in the random order is at most this threshold.
double part_below(std::uint64_t threshold) {
    return (static_cast<double>(threshold) + 1) / 0x1p64;
}

// Whether a move is pseudo-legal in a position.
bool can_play(const Position& position, Move move) {
    Move moves[max_moves];
    const int size = kernel().generate(position, moves);
    return std::find(moves, moves + size, move) != moves + size;
}

// The squares of the viewer's own pieces.
Bitboard own_pieces(const Observation& view) {
    const Bitboard pieces = view.plane[0] | view.plane[1] | view.plane[2];
    return view.player == white ? view.white_pieces : pieces & ~view.white_pieces;
}

// The filter of moves of the other side that lead from one view of the player to the next. It is
// the same for all positions of the belief, of which `any` is one.
StepFilter filter_for(const Position& any, const Observation& before, const Observation& after,
                      SightRules rules) {
    Observation unnoticed = before;
    unnoticed.side = after.side;
    const Bitboard own = own_pieces(before);
    return {before,
            after,
            kernel().sensitive(any, static_cast<Color>(before.player), rules),
            own,
            own & ~own_pieces(after),
            unnoticed == after};
}

}  // namespace

// Checks that the move and the view can follow on `parent`, and begins to gather. `move`: the
// player's own, or no_move if the other side moved; `view`: what the player sees afterwards. Every
// ply has a random order of its own, by which positions above the cap are dropped.
BeliefStep::BeliefStep(const Belief& parent, Move move, const Observation& view)
    : parents_(parent.positions_),
      move_(move),
      next_(parent, view),
      threads_(threads_for(parents_.size(), parent.options_.threads)),
      parent_repeats_(parent.repeats_) {
    const bool own = move != no_move;
    if (view.player != parent.player_)
        throw std::invalid_argument("this is the other player's view");
    if (view.side == parent.view_.side)
        throw std::invalid_argument("the view's side to move is wrong");
    if (own != (parent.view_.side == parent.player_))
        throw std::invalid_argument(own ? "it is the other side's move"
                                        : "it is the player's own move");
    if (own && !parents_.empty() && !can_play(parents_.front(), move))
        throw std::invalid_argument("the player cannot make this move");
    if (!own && !parents_.empty())
        filter_ = filter_for(parents_.front(), parent.view_, view, parent.rules_);
    std::uint64_t state = next_.options_.seed ^ (next_.ply_ * kGoldenRatio);
    seed_ = split_mix64(state);
    begin(guessed_threshold());
}

// Writes the children of a position, which has this index in the belief, that give the new view and
// come no later than the threshold in the random order; returns how many.
int BeliefStep::expand(const Position& position, std::uint32_t index, std::uint64_t threshold,
                       Candidate* out) const {
    const std::uint64_t multiplier = collector_ ? collector_->multiplier() : 1;
    if (move_ == no_move)
        return kernel().expand(position, index, filter_, multiplier, threshold, next_.rules_, out);
    const Position child = make(position, move_);
    if (order(child.key, multiplier) > threshold) return 0;
    const Sight sight = kernel().sight(child, next_.player_, next_.rules_);
    if (!(observe(child, next_.player_, sight) == next_.view_)) return 0;
    *out = {child.key, index, move_, 0};
    return 1;
}

// An estimate of the threshold in the random order that leaves as many distinct children as the
// cap, rather too large than too small: from the number of children of some parents, and from how
// many parents a child had in the last step. A guess that is too small costs time only.
std::uint64_t BeliefStep::guessed_threshold() const {
    const std::size_t stride = parents_.size() / probes;
    if (stride == 0) return whole_order;
    Candidate found[max_moves];
    double children = 0;
    for (std::size_t number = 0; number < probes; ++number)
        children += expand(parents_[number * stride], 0, whole_order, found);
    const double expected = children / probes * static_cast<double>(parents_.size());
    const double part =
        caution * static_cast<double>(next_.options_.cap) * parent_repeats_ / expected;
    return part < 0.7 ? static_cast<std::uint64_t>(part * 0x1p64) : whole_order;
}

// Begins to gather the children up to this threshold of the random order, from the first parent on.
void BeliefStep::begin(std::uint64_t threshold) {
    collector_.emplace(next_.options_.cap, seed_, threads_, threshold);
    first_threshold_ = threshold;
    gathered_ = 0;
    children_ = 0;
}

// Works on the update until it is done or the limit is reached; returns whether it is done. The
// first round is done even if the time is over, unless the limit was stopped.
bool BeliefStep::advance(const TimeLimit& limit) {
    if (phase_ == Phase::taken) throw std::invalid_argument("the new belief was taken already");
    for (bool first = true; phase_ != Phase::done; first = false) {
        if (first ? limit.stopped() : limit.reached()) return false;
        if (phase_ == Phase::gather) {
            gather_some();
        } else if (phase_ == Phase::cut) {
            cut();
        } else {
            fill_some();
        }
    }
    return true;
}

// The new belief, once the update is complete.
Belief BeliefStep::take() {
    if (phase_ != Phase::done)
        throw std::invalid_argument("the update is not complete, or its belief was taken already");
    phase_ = Phase::taken;
    return std::move(next_);
}

// Expands some parents and offers their children to the collector. After the last parent: if the
// first threshold, a guess, left no more positions than the cap, begins again without one, because
// it may have dropped some for which there is room, or all beyond the cap; else goes on to the cut.
void BeliefStep::gather_some() {
    if (gathered_ == parents_.size()) {
        const bool too_early =
            first_threshold_ != whole_order && collector_->size() <= next_.options_.cap;
        if (too_early) {
            begin(whole_order);
        } else {
            phase_ = Phase::cut;
        }
        return;
    }
    const std::size_t size =
        std::min(parents_.size() - gathered_,
                 std::clamp(candidates_per_round / per_parent_, fewest_per_round, most_per_round));
    const std::uint64_t threshold = collector_->threshold();
    std::vector<std::size_t> offered(static_cast<std::size_t>(threads_), 0);
    run_on_threads(threads_, [&](int thread) {
        const Share mine = share_of(size, threads_, thread);
        Candidate found[max_moves];
        std::size_t total = 0;
        for (std::size_t index = gathered_ + mine.begin; index < gathered_ + mine.end; ++index) {
            const int count =
                expand(parents_[index], static_cast<std::uint32_t>(index), threshold, found);
            for (int number = 0; number < count; ++number) collector_->offer(thread, found[number]);
            total += static_cast<std::size_t>(count);
        }
        offered[static_cast<std::size_t>(thread)] = total;
    });
    collector_->settle();
    std::size_t total = 0;
    for (const std::size_t part : offered) total += part;
    children_ += static_cast<double>(total) / part_below(threshold);
    per_parent_ = total / size + 1;
    gathered_ += size;
}

// Drops the children beyond the cap, and makes room for the positions of the others. Throws if none
// is left of a complete belief.
void BeliefStep::cut() {
    if (collector_->finish()) next_.complete_ = false;
    // A child that is met has one parent among the kept positions; each further one, of which this
    // step's children had children_ / distinct - 1, is kept with probability `part`.
    const double part = part_below(collector_->threshold());
    const double distinct = static_cast<double>(collector_->size()) / part;
    if (next_.view_.side == next_.player_ && distinct > 0)
        next_.repeats_ = 1 + (children_ / distinct - 1) * part;
    start_.assign(Collector::partition_count + 1, 0);
    for (std::size_t part_number = 0; part_number < Collector::partition_count; ++part_number)
        start_[part_number + 1] =
            start_[part_number] + collector_->partition(static_cast<int>(part_number)).size();
    if (start_.back() == 0 && next_.complete_)
        throw std::invalid_argument("no position of the belief leads to this view");
    next_.positions_.resize(start_.back());
    phase_ = Phase::fill;
}

// Makes the positions of the collected children in the next few partitions; after the last one the
// update is done.
void BeliefStep::fill_some() {
    std::size_t end = filled_ + 1;
    while (end < Collector::partition_count && start_[end] - start_[filled_] < filled_per_round)
        ++end;
    run_on_threads(threads_, [&](int thread) {
        const Share mine = share_of(end - filled_, threads_, thread);
        for (std::size_t part = filled_ + mine.begin; part < filled_ + mine.end; ++part) {
            Position* out = next_.positions_.data() + start_[part];
            const RecycledVector<Candidate>& kept = collector_->partition(static_cast<int>(part));
            for (std::size_t number = 0; number < kept.size(); ++number) {
                const std::size_t later = std::min(number + prefetched, kept.size() - 1);
                __builtin_prefetch(&parents_[kept[later].parent]);
                *out++ = make(parents_[kept[number].parent], kept[number].move);
            }
        }
    });
    filled_ = end;
    if (filled_ < Collector::partition_count) return;
    collector_.reset();
    phase_ = Phase::done;
}

}  // namespace fogtree::fog_chess
