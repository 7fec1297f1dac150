// Bids are public, so the walk goes over the sets of bids made, from the lowest bid on, and carries
// the probabilities of the other player's rolls; the values of all own rolls come back together.
#include "games/liars_dice/response_dice.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "common/thread_team.hpp"
#include "games/liars_dice/encoded_game.hpp"

namespace fogtree::liars_dice {

namespace {

constexpr int kMostWalkedBids = 24;
using Rolls = std::vector<double>;  // a number for every roll of one player

// The decisions of both players and best responses to their strategies. A set of bids made is a
// `mask`, a bit for each; as bids rise, it is also their order. Decisions are numbered by the
// mask's rank, then by the roll.
class ResponseDice final : public ResponseGame {
public:
    // Fills the chances of rolls, the first slot of every mask and the outcomes of calls.
    ResponseDice(int dice, int sides) : game_(dice, sides), bids_(2 * dice * sides) {
        if (bids_ > kMostWalkedBids) throw std::invalid_argument("more than 24 bids");
        rolls_ = game_.dice().rolls();
        const LiarsDice::State state = game_.dice().root();
        for (int r = 0; r < rolls_; ++r) chance_.push_back(game_.dice().probability(state, r));
        for (int player = 0; player < 2; ++player) {
            auto& first = first_[player];
            first.push_back(0);
            for (std::uint32_t rank = 0; rank < masks(); ++rank) {
                first.push_back(first.back() +
                                static_cast<std::size_t>(rolls_) * count(mask_of(player, rank)));
            }
        }
        fill_calls();
    }

    std::size_t decisions(int) const override { return masks() * static_cast<std::size_t>(rolls_); }
    std::size_t slots(int player) const override { return first_[player].back(); }
    // Half of all sets of bids contain the highest bid, after which nothing is decided.
    std::uint64_t infosets(int) const override { return 2 * decisions(0); }
    int code_bytes() const override { return game_.shape().code_bytes; }

    // Writes the key, the slot before, the actions (bids above the last one, and the call after any
    // bid) and the code of decision `number`.
    void describe(int player, std::size_t number, Description& out,
                  std::uint8_t* code) const override {
        const auto width = static_cast<std::size_t>(rolls_);
        const auto roll = static_cast<int>(number % width);
        const std::uint32_t mask = mask_of(player, static_cast<std::uint32_t>(number / width));
        std::uint64_t history = 0;
        for (std::uint32_t left = mask; left != 0; left &= left - 1) {
            history = LiarsDice::after_bid(history, std::countr_zero(left));
        }
        out.key = LiarsDice::key_of(player, roll, history);
        out.before = slot_before(player, mask, roll);
        out.actions.clear();
        for (int bid = last_of(mask) + 1; bid < bids_ + (mask != 0 ? 1 : 0); ++bid) {
            out.actions.push_back(static_cast<std::int16_t>(bid));
        }
        game_.write_bids(std::bitset<EncodedGame::kMostBids>(mask), player,
                         game_.write_hand(roll, code));
    }

    // The value of a best response, summed over the responder's rolls; it uses one thread whatever
    // `threads` says.
    double best_response(int player, std::span<const float> mixes, int threads,
                         Interruption& interruption) const override {
        if (mixes.size() != slots(1 - player))
            throw std::invalid_argument("one probability for each slot");
        check_threads(threads);
        const Walk walk{*this, player, mixes, interruption};
        const Rolls values = walk.value(0, -1, chance_);
        double sum = 0;
        for (std::size_t r = 0; r < values.size(); ++r) sum += chance_[r] * values[r];
        return sum;
    }

private:
    // The number of sets of bids after which a player decides: without the highest bid, after which
    // there is only the call. The number of bids tells whose turn it is, so that whether the lowest
    // bid was made follows from the others.
    std::size_t masks() const { return std::size_t{1} << (bids_ - 2); }
    // The set of bids with this rank after which `player` moves: the rank has the bits of all bids
    // but the lowest.
    static std::uint32_t mask_of(int player, std::uint32_t rank) {
        const std::uint32_t rest = rank << 1;
        return rest | static_cast<std::uint32_t>((std::popcount(rest) & 1) != player);
    }
    // The highest bid of a mask; -1: none.
    static int last_of(std::uint32_t mask) { return 31 - std::countl_zero(mask); }
    // The number of actions after these bids: the higher bids and, after any bid, the call.
    std::size_t count(std::uint32_t mask) const {
        return static_cast<std::size_t>(bids_ - 1 - last_of(mask) + (mask != 0 ? 1 : 0));
    }
    // The first slot of the decision of a player with this roll after these bids.
    std::size_t slot(int player, std::uint32_t mask, int roll) const {
        return first_[player][mask >> 1] + static_cast<std::size_t>(roll) * count(mask);
    }
    // The slot of the player's own last bid, which is the one before the last of all (`own`); -1 if
    // it has made none.
    std::int64_t slot_before(int player, std::uint32_t mask, int roll) const {
        if (std::popcount(mask) < 2) return -1;
        const std::uint32_t without = mask & ~(1u << last_of(mask));
        const int own = last_of(without);
        const std::uint32_t then = without & ~(1u << own);
        return static_cast<std::int64_t>(slot(player, then, roll)) + own - last_of(then) - 1;
    }

    // Fills calls_, by bid and by the rolls of both players: 1 if calling the bid a lie wins, else
    // -1. It only matters which rolls there are, not whose they are.
    void fill_calls() {
        LiarsDice::State state;
        state.bids = 1;  // the second player calls
        for (int bid = 0; bid < bids_; ++bid) {
            state.last = static_cast<std::int16_t>(bid);
            for (int r = 0; r < rolls_; ++r) {
                for (int o = 0; o < rolls_; ++o) {
                    state.roll = {static_cast<std::int16_t>(r), static_cast<std::int16_t>(o)};
                    calls_.push_back(game_.dice().payoff(state, 1));
                }
            }
        }
    }

    // The walk over all sets of bids, for a responder `me` and the other player's `mixes`.
    struct Walk {
        const ResponseDice& dice;
        int me;
        std::span<const float> mixes;
        Interruption& interruption;

        // The responder's values by its roll after the bids of `mask`, the highest of which is
        // `last` (-1: none), where the other player's rolls have this reach.
        Rolls value(std::uint32_t mask, int last, const Rolls& reach) const {
            const int mover = std::popcount(mask) & 1;
            if (last < dice.bids_ / 2) interruption.check();
            return mover == me ? respond(mask, last, reach) : others(mask, last, reach);
        }

        // The responder moves: for each of its rolls the best of the call and all higher bids. -2
        // is less than any payoff.
        Rolls respond(std::uint32_t mask, int last, const Rolls& reach) const {
            Rolls best = mask != 0 ? call(last, reach) : Rolls(reach.size(), -2);
            for (int bid = last + 1; bid < dice.bids_; ++bid) {
                const Rolls found = value(mask | 1u << bid, bid, reach);
                for (std::size_t r = 0; r < best.size(); ++r) best[r] = std::max(best[r], found[r]);
            }
            return best;
        }

        // The other player moves: the sum over its actions, each with the part of the reach that
        // chooses it. After the highest bid the call is `forced` and has no slot. A call's value is
        // the caller's, hence the minus.
        Rolls others(std::uint32_t mask, int last, const Rolls& reach) const {
            Rolls sum(reach.size()), part(reach.size());
            const bool forced = last == dice.bids_ - 1;
            const std::size_t width = dice.count(mask);
            const auto first = forced ? 0 : dice.slot(1 - me, mask, 0);
            for (std::size_t a = 0; a < width; ++a) {
                for (std::size_t o = 0; o < part.size(); ++o) {
                    part[o] = forced ? reach[o] : reach[o] * mixes[first + o * width + a];
                }
                const int bid = last + 1 + static_cast<int>(a);
                const bool calls = bid == dice.bids_;
                const Rolls found = calls ? call(last, part) : value(mask | 1u << bid, bid, part);
                for (std::size_t r = 0; r < sum.size(); ++r) {
                    sum[r] += calls ? -found[r] : found[r];
                }
            }
            return sum;
        }

        // The value of calling the bid `last` a lie, by the roll of one player, where the rolls of
        // the other have this reach.
        Rolls call(int last, const Rolls& reach) const {
            Rolls sum(reach.size());
            const std::size_t n = reach.size();
            const double* wins = dice.calls_.data() + static_cast<std::size_t>(last) * n * n;
            for (std::size_t r = 0; r < n; ++r) {
                for (std::size_t o = 0; o < n; ++o) sum[r] += wins[r * n + o] * reach[o];
            }
            return sum;
        }
    };

    EncodedGame game_;
    int bids_, rolls_ = 0;
    std::vector<double> chance_, calls_;  // probability of each roll; see fill_calls()
    std::vector<std::size_t> first_[2];   // by player, then mask's rank: first slot
};

}  // namespace

// The game as one whose best responses are computed exactly.
std::unique_ptr<ResponseGame> response_game(int dice, int sides) {
    return std::make_unique<ResponseDice>(dice, sides);
}

}  // namespace fogtree::liars_dice
