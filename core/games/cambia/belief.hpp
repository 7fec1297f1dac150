// The belief of one player: the hidden cards, and what the player's observations say about them.
//
// The player's observations (tokens) are replayed on a position in which a hidden card is a
// *ghost*, a number below -1 in place of a card, so that the rules move it like any other. Every
// shuffle (the first deal, and each refill of the stock) is a generation: hidden cards drawn from
// one shuffle are equally likely to be any of its cards that were not shown. Whether a player is
// offered a snap says which ranks were in the hands then. Samples that contradict this are drawn
// again, or changed by exchanges where that would take too long, so all possible deals are equally
// likely.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/random.hpp"
#include "games/cambia/position.hpp"
#include "games/cambia/tokens.hpp"

namespace fogtree::cambia {

// One player's belief.
class Belief {
public:
    // The belief of `player` before the deal.
    Belief(const Rules& rules, int player);

    // Takes the player's next observation. Throws std::invalid_argument, and changes nothing, if
    // the rules do not allow it.
    void observe(Token token);

    struct Sample {
        Position position;
        // A hash of the cards hidden from us that the opponent has seen: equal within a group.
        std::uint64_t known_to_other;
    };
    // Random positions that agree with all observations: `groups` groups of `group` positions that
    // differ only in cards that the opponent has not seen either. Fewer if they are hard to find.
    // For two players.
    std::vector<Sample> sample(int groups, int group, std::uint64_t seed) const;

    bool contains(const Position& position) const;  // is this position possible?
    int hidden() const;                             // cards never shown and not in the stock
    const Rules& rules() const { return rules_; }
    int player() const { return player_; }

private:
    // A hidden card.
    struct Ghost {
        std::int16_t generation = -1;  // -1: this number is free
        std::uint16_t not_ranks = 0;   // ranks that it cannot have, one bit each
    };
    static constexpr int kMostGhosts = kMostPlayers * kHandLimit + 1;
    struct Clause {  // at least one of these ghosts has the rank
        std::uint64_t ghosts;
        std::int8_t rank;
    };
    // An open snap: who held a card of its rank when it opened. It is learned player by player,
    // from who is asked to snap.
    struct Asking {
        bool open = false;
        std::int8_t rank = 0;
        std::uint8_t pending = 0;  // players not known about yet, one bit each
        std::uint8_t holders = 0;  // players known to have had one
        std::array<std::uint64_t, kMostPlayers> ghosts{};  // of each player when the snap opened
    };
    // Everything that follows from the observations so far.
    struct Knowledge {
        Position position;  // with ghosts for hidden cards
        std::array<Ghost, kMostGhosts> ghosts{};
        std::vector<std::vector<Card>> pools;  // by generation: its cards that were not shown
        std::vector<Clause> clauses;
        Asking asking;

        void by_chance(const Rules& rules, Token token);
        void by_player(const Rules& rules, Token token);
        void reveal(Card& place, Card card);
        void reveal_seen(const Rules& rules, const Move& move, int first, int second);
        template <class Step>
        void settle(const Rules& rules, Token token, bool opened, Step&& step);
        void open(const Rules& rules);
        void narrow(const Rules& rules, Token token);
        void rule_out(std::uint64_t ghosts, int rank);
        void claim(std::uint64_t ghosts, int rank);
        std::uint64_t ghosts_of(int player) const;
        Card new_ghost();
        void take(std::size_t generation, Card card);
    };
    struct Draw;
    bool deal(Draw& draw, SplitMix64& random, std::uint64_t kept, bool whole) const;
    bool exchange(Draw& draw, SplitMix64& random, std::uint64_t kept) const;
    bool excluded(std::size_t ghost, Card card) const;
    int conflicts(const Draw& draw) const;
    Position completed(const Draw& draw) const;

    Rules rules_;
    int player_;
    Knowledge now_;
};

}  // namespace fogtree::cambia
