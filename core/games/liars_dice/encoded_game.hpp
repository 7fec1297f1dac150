// Liar's dice with positions encoded for networks: how many own dice show each face, and who made
// each bid.
#pragma once

#include <array>
#include <bitset>

#include "deep/coded_inputs.hpp"
#include "games/liars_dice/rules.hpp"

namespace fogtree::liars_dice {

// The rules, and codes of what is known for a network's inputs.
class EncodedGame {
public:
    // A bid is a number of dice and a face: with 5 dice each (2 * 5) and 9 sides there are most.
    static constexpr int kMostBids = 2 * 5 * 9;

    struct State {
        LiarsDice::State table;
        std::bitset<kMostBids> made;  // which bids were made; they rise, so this is their order
    };

    // A game with `dice` dice of `sides` sides for each player; lays out the codes.
    EncodedGame(int dice, int sides) : dice_(dice, sides), sides_(sides), bids_(2 * dice * sides) {
        // A player sees one hand (inputs_), a whole history has both (history_). Each face of a
        // hand is a byte, how many dice show it (0 to `dice`); each bid is a byte, who made it (0:
        // the viewer, 1: the other). kNothing stands for a hand not rolled and a bid not made.
        for (const int hands : {1, 2}) {
            deep::CodedInputs& inputs = hands == 1 ? inputs_ : history_;
            inputs.add(deep::Part::choice, hands * sides, dice + 1);
            inputs.add(deep::Part::choice, bids_, 2);
        }
        shape_ = {.players = 2,
                  .actions = bids_ + 1,  // the bids, and to call the other a liar
                  .most_actions = bids_ + 1,
                  .features = inputs_.features(),
                  .code_bytes = inputs_.bytes(),
                  .history_features = history_.features(),
                  .history_code_bytes = history_.bytes()};
    }

    const LiarsDice& dice() const { return dice_; }
    const deep::CodedInputs& inputs() const { return inputs_; }
    const deep::CodedInputs& history_inputs() const { return history_; }
    const deep::Shape& shape() const { return shape_; }
    State root() const { return {}; }
    // Who moves; kChance, or kTerminal at the end.
    int player(const State& state) const { return state.table.player; }
    // Writes the legal actions as columns of a network's output; returns how many there are.
    int legal(const State& state, deep::Action* out) const {
        const int count = dice_.actions(state.table);
        for (int n = 0; n < count; ++n) {
            out[n] = static_cast<deep::Action>(dice_.label(state.table, n));
        }
        return count;
    }
    // A player's payoff at the end.
    float payoff(const State& state, int player) const {
        return static_cast<float>(dice_.payoff(state.table, player));
    }
    // Plays legal action `number`: a bid, which is added to `made`, or (label bids_) the call.
    void step(State& state, int number) const {
        const int bid = dice_.label(state.table, number);
        if (bid < bids_) state.made.set(static_cast<std::size_t>(bid));
        dice_.step(state.table, number);
    }
    // Draws the roll of the next player.
    template <class Source>
    void sample(State& state, Source& source) const {
        dice_.sample(state.table, source);
    }
    // Writes the code of what the mover knows: the own hand, then who made each bid.
    void encode(const State& state, std::uint8_t* code) const {
        const int me = state.table.player;
        write_bids(state.made, me,
                   write_hand(state.table.roll[static_cast<std::size_t>(me)], code));
    }
    // Writes the code of the whole history, from `player`'s side: the own hand, the other's, and
    // who made each bid.
    void encode_history(const State& state, int player, std::uint8_t* code) const {
        for (const int viewer : {player, 1 - player}) {
            code = write_hand(state.table.roll[static_cast<std::size_t>(viewer)], code);
        }
        write_bids(state.made, player, code);
    }
    // Adds the row of a network's inputs that a player's code stands for.
    void expand(const std::uint8_t* code, deep::SparseRows& rows) const {
        inputs_.expand(code, rows);
    }
    // Adds the row of a network's inputs that a history's code stands for.
    void expand_history(const std::uint8_t* code, deep::SparseRows& rows) const {
        history_.expand(code, rows);
    }

    // Writes how many dice of a roll show each face, kNothing if it is not yet made (roll < 0).
    // This and write_bids() return the place behind what they write.
    std::uint8_t* write_hand(int roll, std::uint8_t* code) const {
        for (int face = 0; face < sides_; ++face) {
            *code++ = roll < 0 ? kNothing : static_cast<std::uint8_t>(dice_.showing(roll, face));
        }
        return code;
    }
    // Writes for each bid 0 if the viewer made it, 1 if the other did, kNothing if nobody. Player 0
    // bids first and bids rise, so that in their order the bidders alternate.
    std::uint8_t* write_bids(const std::bitset<kMostBids>& made, int viewer,
                             std::uint8_t* code) const {
        int bidder = 0;
        for (int bid = 0; bid < bids_; ++bid) {
            const bool was_made = made[static_cast<std::size_t>(bid)];
            *code++ = was_made ? static_cast<std::uint8_t>(bidder != viewer) : kNothing;
            if (was_made) bidder = 1 - bidder;
        }
        return code;
    }

private:
    static constexpr std::uint8_t kNothing = 255;

    LiarsDice dice_;
    int sides_, bids_;
    deep::CodedInputs inputs_, history_;
    deep::Shape shape_;
};

static_assert(deep::DeepGame<EncodedGame>);

}  // namespace fogtree::liars_dice
