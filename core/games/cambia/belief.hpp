// What one player cannot rule out: the cards that were never shown, and what is known of them.
//
// The table is followed by what the player noticed (tokens). A card that was not shown stands in
// the hands as a number below -1, so the engine itself moves it about. Every shuffle (the first
// deal, and each refill of the stock) is a generation: hidden cards drawn from one shuffle are
// equally likely to be any of its cards that were not shown. Being asked for a snap, or not, tells
// which ranks a hand had then; samples that contradict it are drawn again, or mended where that
// would take too long, so every deal that is possible is equally likely.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/random.hpp"
#include "games/cambia/position.hpp"
#include "games/cambia/tokens.hpp"

namespace fogtree::cambia {

class Belief {
public:
    Belief(const Rules& rules, int player);

    // The next thing that the player noticed. Throws std::invalid_argument if it cannot have
    // happened by the rules; then nothing has changed.
    void observe(Token token);

    struct Sample {
        Position position;
        std::uint64_t known_to_other;  // equal where the opponent has seen equal cards
    };
    // Positions that agree with everything noticed, in groups of `group` that differ only in what
    // the opponent has not seen either. Fewer if they are hard to find. For two players.
    std::vector<Sample> sample(int groups, int group, std::uint64_t seed) const;

    bool contains(const Position& position) const;        // could this be the table?
    int hidden() const;                                   // cards never shown and not in the stock
    const Position& table() const { return now_.table; }  // cards not shown are below -1

private:
    struct Ghost {
        std::int8_t generation = -1;  // -1: this number is free
        std::uint16_t not_ranks = 0;  // ranks that it cannot have, a bit each
    };
    static constexpr int kMostGhosts = kMostPlayers * kHandLimit + 1;
    struct Clause {  // one of these has the rank
        std::uint64_t ghosts;
        std::int8_t rank;
    };
    // Who held a matching card when the snap opened; told little by little.
    struct Asking {
        bool open = false;
        std::int8_t rank = 0;
        std::uint8_t pending = 0;                          // players not heard of yet, a bit each
        std::uint8_t holders = 0;                          // known to have had one
        std::array<std::uint64_t, kMostPlayers> ghosts{};  // that they had then
    };
    struct Knowledge {
        Position table;
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
