#include "games/fog_chess/belief.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include "common/random.hpp"
#include "common/thread_team.hpp"
#include "games/fog_chess/belief_step.hpp"
#include "games/fog_chess/collector.hpp"
#include "games/fog_chess/kernel.hpp"

namespace fogtree::fog_chess {

namespace {

constexpr std::size_t worth_a_thread = 16'000;  // positions for each thread, at least

// A player's view of a position.
Observation view_of(const Position& position, Color player, SightRules rules) {
    return observe(position, player, kernel().sight(position, player, rules));
}

}  // namespace

// The number of threads worth using for this many positions; `wanted`: the most, 0 for all.
int threads_for(std::size_t positions, int wanted) {
    const auto machine = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    const int most = wanted > 0 ? wanted : machine;
    return std::clamp(static_cast<int>(positions / worth_a_thread), 1, std::min(most, 256));
}

// Keeps each position once and, if there are more than the cap, a random choice of them; the belief
// is then not complete. All must look the same to the player.
Belief::Belief(std::vector<Position> positions, Color player, SightRules rules,
               BeliefOptions options, bool complete)
    : rules_(rules), options_(options), player_(player), complete_(complete) {
    if (positions.empty()) throw std::invalid_argument("a belief needs at least one position");
    if (options.cap == 0) throw std::invalid_argument("a belief's cap must be at least 1");
    view_ = view_of(positions.front(), player, rules);
    Collector distinct(options.cap, options.seed, 1);
    for (std::size_t index = 0; index < positions.size(); ++index) {
        Position& position = positions[index];
        if (!(view_of(position, player, rules) == view_))
            throw std::invalid_argument("the player could tell these positions apart");
        distinct.offer(0, {position.key, static_cast<std::uint32_t>(index), no_move, 0});
    }
    if (distinct.finish()) complete_ = false;
    positions_.reserve(distinct.size());
    for (int part = 0; part < Collector::partition_count; ++part)
        for (const Candidate& one : distinct.partition(part))
            positions_.push_back(positions[one.parent]);
}

// The belief one ply later, without positions yet: BeliefStep adds them.
Belief::Belief(const Belief& parent, const Observation& view)
    : view_(view),
      rules_(parent.rules_),
      options_(parent.options_),
      ply_(parent.ply_ + 1),
      repeats_(parent.repeats_),
      player_(parent.player_),
      complete_(parent.complete_) {}

// The belief after a move of the player's own, after which the player has this view.
Belief Belief::after_own_move(Move move, const Observation& view) const {
    if (move == no_move) throw std::invalid_argument("the player cannot make this move");
    BeliefStep step(*this, move, view);
    step.advance({});
    return step.take();
}

// The belief after a move of the other side, of which the player knows only the view it gives.
Belief Belief::after_other_move(const Observation& view) const {
    BeliefStep step(*this, no_move, view);
    step.advance({});
    return step.take();
}

// A random sample without repetition, in the belief's order. Floyd's algorithm (Bentley & Floyd
// 1987): the work depends on the size of the sample, not of the belief.
std::vector<Position> Belief::sample(std::size_t size, std::uint64_t seed) const {
    const std::size_t all = positions_.size();
    if (size >= all) return {positions_.begin(), positions_.end()};
    SplitMix64 random(seed);
    std::unordered_set<std::size_t> chosen;
    for (std::size_t last = all - size; last < all; ++last) {
        const std::size_t drawn = random.below(last + 1);
        chosen.insert(chosen.contains(drawn) ? last : drawn);
    }
    std::vector<std::size_t> places(chosen.begin(), chosen.end());
    std::sort(places.begin(), places.end());
    std::vector<Position> out;
    out.reserve(size);
    for (const std::size_t place : places) out.push_back(positions_[place]);
    return out;
}

// A random sample of the positions as a belief of its own.
Belief Belief::reduced(std::size_t size, std::uint64_t seed) const {
    Belief out(*this, view_);
    const std::vector<Position> kept = sample(size, seed);
    out.positions_.assign(kept.begin(), kept.end());
    out.ply_ = ply_;
    out.options_.cap = size;
    if (size < positions_.size()) out.complete_ = false;
    return out;
}

// Whether a position is in the belief.
bool Belief::contains(const Position& position) const {
    return std::any_of(positions_.begin(), positions_.end(), [&](const Position& one) {
        return one.key == position.key && same_position(one, position);
    });
}

// For every square, how many positions have each content there: 0 nothing, 1 to 6 a white pawn,
// knight, bishop, rook, queen or king, 7 to 12 a black one. Threads count shares of the positions.
SquareCounts Belief::count_squares() const {
    // From a piece's code (pawn, bishop, knight, rook, king, queen) to its number in SquareCounts.
    constexpr int place[8] = {0, 1, 3, 2, 4, 6, 5, 0};
    const int threads = threads_for(positions_.size(), options_.threads);
    std::vector<SquareCounts> parts(static_cast<std::size_t>(threads));
    run_on_threads(threads, [&](int thread) {
        SquareCounts& counts = parts[static_cast<std::size_t>(thread)];
        for (auto& square : counts) square.fill(0);
        const Share mine = share_of(positions_.size(), threads, thread);
        for (std::size_t index = mine.begin; index < mine.end; ++index) {
            const Position& position = positions_[index];
            for (Bitboard pieces = position.occupied(); pieces;) {
                const int square = take_first(pieces);
                const int color = position.white_pieces & bit(square) ? 0 : 6;
                const int kind = place[position.at(square)] + color;
                ++counts[static_cast<std::size_t>(square)][static_cast<std::size_t>(kind)];
            }
        }
    });
    SquareCounts total = parts[0];
    for (std::size_t part = 1; part < parts.size(); ++part)
        for (std::size_t square = 0; square < 64; ++square)
            for (std::size_t kind = 0; kind < square_kinds; ++kind)
                total[square][kind] += parts[part][square][kind];
    for (auto& square : total) {
        std::uint64_t taken = 0;
        for (const std::uint64_t number : square) taken += number;
        square[0] = positions_.size() - taken;
    }
    return total;
}

}  // namespace fogtree::fog_chess
