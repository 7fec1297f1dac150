#include "games/fog_chess/belief.hpp"

#include <algorithm>
#include <stdexcept>

#include "common/random.hpp"
#include "common/thread_team.hpp"
#include "games/fog_chess/collector.hpp"
#include "games/fog_chess/kernel.hpp"
#include "games/fog_chess/step.hpp"

namespace fogtree::fog_chess {

namespace {

constexpr std::size_t candidates_per_round = 1'000'000;
constexpr std::size_t prefetched = 12;
constexpr std::size_t worth_a_thread = 16'000;  // positions
constexpr std::size_t probes = 1'000;           // positions whose children are counted beforehand
constexpr double caution = 1.5;                 // as many more children are let in than needed
constexpr std::uint64_t whole_order = ~std::uint64_t{0};

// The part of all children that comes no later than this in the random order.
double part_below(std::uint64_t threshold) {
    return (static_cast<double>(threshold) + 1) / 0x1p64;
}

int threads_for(std::size_t work, int wanted) {
    const auto machine = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    const int most = wanted > 0 ? wanted : machine;
    return std::clamp(static_cast<int>(work / worth_a_thread), 1, std::min(most, 256));
}

Observation view_of(const Position& position, Color player, SightRules rules) {
    return observe(position, player, kernel().sight(position, player, rules));
}

bool can_play(const Position& position, Move move) {
    Move moves[max_moves];
    const int size = kernel().generate(position, moves);
    return std::find(moves, moves + size, move) != moves + size;
}

Bitboard own_pieces(const Observation& view) {
    const Bitboard pieces = view.plane[0] | view.plane[1] | view.plane[2];
    return view.player == white ? view.white_pieces : pieces & ~view.white_pieces;
}

StepFilter filter_for(const Position& any, const Observation& before, const Observation& after,
                      Color player, SightRules rules) {
    Observation unnoticed = before;
    unnoticed.side = after.side;
    const Bitboard own = own_pieces(before);
    return {before,
            after,
            kernel().sensitive(any, player, rules),
            own,
            own & ~own_pieces(after),
            unnoticed == after};
}

}  // namespace

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
        position.halfmove = 0;
        distinct.offer(0, {position.key, static_cast<std::uint32_t>(index), no_move, 0});
    }
    if (distinct.finish()) complete_ = false;
    positions_.reserve(distinct.size());
    for (int part = 0; part < Collector::partition_count; ++part)
        for (const Candidate& one : distinct.partition(part))
            positions_.push_back(positions[one.parent]);
}

Belief::Belief(const Belief& parent, const Observation& view)
    : view_(view),
      rules_(parent.rules_),
      options_(parent.options_),
      ply_(parent.ply_ + 1),
      repeats_(parent.repeats_),
      player_(parent.player_),
      complete_(parent.complete_) {}

// `expand(position, index, multiplier, threshold, out)` writes a parent's children that come no
// later than the threshold in the random order, and counts them.
template <class Expand>
void Belief::collect(const Belief& parent, Expand&& expand) {
    const RecycledVector<Position>& parents = parent.positions_;
    std::uint64_t state = options_.seed ^ (ply_ * kGoldenRatio);
    const std::uint64_t seed = split_mix64(state);
    const int threads = threads_for(parents.size(), options_.threads);
    const std::uint64_t guess = guessed_threshold(parent, expand);
    for (const std::uint64_t threshold : {guess, whole_order}) {
        Collector collector(options_.cap, seed, threads, threshold);
        const double offered = gather(parents, threads, collector, expand);
        if (threshold != whole_order && collector.size() < options_.cap) continue;
        if (collector.finish()) complete_ = false;
        // Of a child's other parents as many are left as there are positions left of all.
        const double part = part_below(collector.threshold());
        const double distinct = static_cast<double>(collector.size()) / part;
        if (view_.side == player_ && distinct > 0) repeats_ = 1 + (offered / distinct - 1) * part;
        fill(parents, threads, collector);
        break;
    }
    if (positions_.empty() && complete_)
        throw std::invalid_argument("no position of the belief leads to this view");
}

// Where the order will be cut off, or a little later: from how many children some parents have, and
// how often a child was met in the last step. A guess that turns out too early costs time only.
template <class Expand>
std::uint64_t Belief::guessed_threshold(const Belief& parent, Expand&& expand) const {
    const RecycledVector<Position>& parents = parent.positions_;
    const std::size_t stride = parents.size() / probes;
    if (stride == 0) return whole_order;
    Candidate found[max_moves];
    double children = 0;
    for (std::size_t number = 0; number < probes; ++number)
        children += expand(parents[number * stride], 0u, std::uint64_t{1}, whole_order, found);
    const double expected = children / probes * static_cast<double>(parents.size());
    const double part = caution * static_cast<double>(options_.cap) * parent.repeats_ / expected;
    return part < 0.7 ? static_cast<std::uint64_t>(part * 0x1p64) : whole_order;
}

// Offers all children; returns how many they would have been without a threshold, about.
template <class Expand>
double Belief::gather(const RecycledVector<Position>& parents, int threads, Collector& collector,
                      Expand&& expand) {
    double children = 0;
    std::size_t per_parent = 32;
    for (std::size_t begin = 0; begin < parents.size();) {
        const std::size_t size =
            std::min(parents.size() - begin,
                     std::max<std::size_t>(worth_a_thread, candidates_per_round / per_parent));
        const std::uint64_t threshold = collector.threshold();
        std::vector<std::size_t> offered(static_cast<std::size_t>(threads), 0);
        run_on_threads(threads, [&](int thread) {
            const Share mine = share_of(size, threads, thread);
            Candidate found[max_moves];
            std::size_t total = 0;
            for (std::size_t index = begin + mine.begin; index < begin + mine.end; ++index) {
                const int count = expand(parents[index], static_cast<std::uint32_t>(index),
                                         collector.multiplier(), threshold, found);
                for (int number = 0; number < count; ++number)
                    collector.offer(thread, found[number]);
                total += static_cast<std::size_t>(count);
            }
            offered[static_cast<std::size_t>(thread)] = total;
        });
        collector.settle();
        std::size_t total = 0;
        for (const std::size_t part : offered) total += part;
        children += static_cast<double>(total) / part_below(threshold);
        per_parent = total / size + 1;
        begin += size;
    }
    return children;
}

void Belief::fill(const RecycledVector<Position>& parents, int threads,
                  const Collector& collector) {
    std::vector<std::size_t> start(Collector::partition_count + 1, 0);
    for (int part = 0; part < Collector::partition_count; ++part)
        start[static_cast<std::size_t>(part) + 1] =
            start[static_cast<std::size_t>(part)] + collector.partition(part).size();
    positions_.resize(start.back());
    run_on_threads(threads, [&](int thread) {
        const Share mine = share_of(Collector::partition_count, threads, thread);
        for (std::size_t part = mine.begin; part < mine.end; ++part) {
            Position* out = positions_.data() + start[part];
            const RecycledVector<Candidate>& kept = collector.partition(static_cast<int>(part));
            for (std::size_t number = 0; number < kept.size(); ++number) {
                const std::size_t later = std::min(number + prefetched, kept.size() - 1);
                __builtin_prefetch(&parents[kept[later].parent]);
                *out = make(parents[kept[number].parent], kept[number].move);
                out++->halfmove = 0;
            }
        }
    });
}

void Belief::check_view(const Observation& view) const {
    if (view.player != player_) throw std::invalid_argument("this is the other player's view");
    if (view.side == view_.side) throw std::invalid_argument("the view's side to move is wrong");
}

Belief Belief::after_own_move(Move move, const Observation& view) const {
    check_view(view);
    if (view_.side != player_) throw std::invalid_argument("it is the other side's move");
    if (!positions_.empty() && !can_play(positions_.front(), move))
        throw std::invalid_argument("the player cannot make this move");
    Belief next(*this, view);
    next.collect(*this, [&](const Position& parent, std::uint32_t index, std::uint64_t multiplier,
                            std::uint64_t threshold, Candidate* out) {
        const Position child = make(parent, move);
        if (order(child.key, multiplier) > threshold) return 0;
        if (!(view_of(child, player_, rules_) == view)) return 0;
        *out = {child.key, index, move, 0};
        return 1;
    });
    return next;
}

Belief Belief::after_other_move(const Observation& view) const {
    check_view(view);
    if (view_.side == player_) throw std::invalid_argument("it is the player's own move");
    Belief next(*this, view);
    if (positions_.empty()) return next;
    const StepFilter filter = filter_for(positions_.front(), view_, view, player_, rules_);
    const Kernel& hot = kernel();
    next.collect(*this, [&](const Position& parent, std::uint32_t index, std::uint64_t multiplier,
                            std::uint64_t threshold, Candidate* out) {
        return hot.expand(parent, index, filter, multiplier, threshold, rules_, out);
    });
    return next;
}

bool Belief::contains(const Position& position) const {
    return std::any_of(positions_.begin(), positions_.end(), [&](const Position& one) {
        return one.key == position.key && same_position(one, position);
    });
}

SquareCounts Belief::count_squares() const {
    // From a piece's code to its place after "empty".
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
