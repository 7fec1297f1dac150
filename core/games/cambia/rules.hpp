// The rules of a game, with the names of Python's fogtree.games.cambia.rules.
#pragma once

#include <array>
#include <cstdint>

namespace fogtree::cambia {

inline constexpr int kHandLimit = 6;  // most cards in a hand
inline constexpr int kMostPlayers = 6;
inline constexpr int kMostCards = 54;

// A card's number: 4 * rank + suit, with rank 0 for the ace; 52 and 53 are jokers, -1 is no card.
using Card = std::int8_t;
inline constexpr Card kNoCard = -1;

// The ranks that have an ability when discarded, seven to king, and the joker; an ace is 0.
enum Rank : std::int8_t { seven = 6, eight, nine, ten, jack, queen, king, joker };

// The rank of a card, from 0 (ace) to 12 (king); 13 for a joker.
inline int rank_of(Card card) {
    return card >> 2;
}

// The points of each card: jokers 0, red kings -1, all others rank + 1. Few points win.
inline constexpr std::array<std::int8_t, kMostCards> kPoints = [] {
    std::array<std::int8_t, kMostCards> out{};
    for (int card = 0; card < kMostCards; ++card) {
        const int rank = card / 4, suit = card % 4;
        const bool red_king = rank == king && (suit == 1 || suit == 2);
        out[static_cast<std::size_t>(card)] = static_cast<std::int8_t>(rank == joker ? 0
                                                                       : red_king    ? -1
                                                                                     : rank + 1);
    }
    return out;
}();

// The kind of each card: 0 to 11 ace to queen, 12 black king, 13 red king, 14 joker.
inline constexpr int kCardKinds = 15;
inline constexpr std::array<std::uint8_t, kMostCards> kKindOfCard = [] {
    std::array<std::uint8_t, kMostCards> out{};
    for (std::size_t card = 0; card < kMostCards; ++card) {
        const std::size_t rank = card / 4;
        const bool later = rank > king || (rank == king && kPoints[card] < 0);
        out[card] = static_cast<std::uint8_t>(later ? rank + 1 : rank);
    }
    return out;
}();

// The rules of one game.
struct Rules {
    int players = 2;
    int deck_size = 0;
    std::array<Card, kMostCards> deck{};
    int hand = 4;                    // cards dealt to each player
    int looks = 2;                   // cards of the own hand that a player sees at the deal
    int penalty = 2;                 // cards drawn after a wrong snap
    int max_turns = 46;              // the game ends after this many turns
    int cambia_from_round = 0;       // the first round in which Cambia may be called
    bool draw_discard = true;        // the top discard may be taken instead of drawing
    bool opponent_snap = true;       // cards of opponents may be snapped, not only own ones
    bool replace_abilities = false;  // a card replaced by one from the stock has its ability
    bool lock_caller = true;         // the caller's cards cannot be swapped or snapped by others
    bool snap_always = false;        // all are asked to snap, whether or not a card matches
    bool show_wrong_snap = true;     // all players see a card that was snapped wrongly
    bool earlier_defects = false;    // repeats two mistakes of earlier engines, see Python's Rules

    bool operator==(const Rules&) const = default;
};

}  // namespace fogtree::cambia
