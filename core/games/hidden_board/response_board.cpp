#include "games/hidden_board/response_board.hpp"

#include <array>
#include <bit>
#include <optional>

#include "games/hidden_board/best_response.hpp"
#include "games/hidden_board/encoded_game.hpp"

namespace fogtree::hidden_board {

namespace {

// The decisions of both players on a board, and best responses to their strategies.
class ResponseBoard final : public ResponseGame {
public:
    explicit ResponseBoard(const HiddenBoard& board)
        : facts_(board), encoded_(board), decisions_{Decisions(facts_, 0), Decisions(facts_, 1)} {}

    std::size_t decisions(int player) const override { return of(player).size(); }
    std::size_t slots(int player) const override { return of(player).slots(); }
    std::uint64_t infosets(int player) const override {
        return Decisions::count_all(facts_, player);
    }
    int code_bytes() const override { return encoded_.shape().code_bytes; }

    // Writes the key, the slot before and the squares to try of decision `number`, and its code for
    // networks.
    void describe(int player, std::size_t number, Description& out,
                  std::uint8_t* code) const override {
        const Decisions& all = of(player);
        const Decision& here = all.met(number);
        std::array<std::uint8_t, kMostDecidedSquares> tried{};
        const int tries = all.tried(here, tried.data());
        std::uint64_t hash = 0;
        for (int t = 0; t < tries; ++t) {
            const int one = tried[static_cast<std::size_t>(t)];
            hash = HiddenBoard::after_try(hash, HiddenBoard::token(one / 2, one % 2 == 1));
        }
        out.key = HiddenBoard::key_of(player, hash);
        out.before = all.slot_before(here);
        out.actions.clear();
        for (unsigned open = facts_.all() & ~here.known; open != 0; open &= open - 1) {
            out.actions.push_back(static_cast<std::int16_t>(std::countr_zero(open)));
        }
        encoded_.write(tried.data(), tries, code);
    }

    // The value of a best response of `player` to the other, whose strategy is `mixes`.
    double best_response(int player, std::span<const float> mixes, int threads,
                         Interruption& interruption) const override {
        return best_response_value(facts_, of(1 - player), mixes, threads, interruption);
    }

private:
    const Decisions& of(int player) const { return decisions_[static_cast<std::size_t>(player)]; }

    BoardFacts facts_;
    EncodedGame encoded_;
    std::array<Decisions, 2> decisions_;
};

}  // namespace

// The board as a game whose best responses are computed exactly.
std::unique_ptr<ResponseGame> response_game(const HiddenBoard& board) {
    return std::make_unique<ResponseBoard>(board);
}

}  // namespace fogtree::hidden_board
