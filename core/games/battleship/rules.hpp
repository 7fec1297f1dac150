// The rules of battleship for compiling, with the order of actions of the game in Python.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tree/enumerable_game.hpp"

namespace fogtree::battleship {

using Squares = std::uint64_t;  // a bit for each
inline constexpr std::size_t kMostShips = 6;

// The parameters of a game.
struct Options {
    std::vector<std::string> labels;  // of the squares, then of the places where a ship can lie
    int squares;
    std::vector<std::vector<std::pair<int, Squares>>> places;  // by ship: labels and squares
    std::vector<double> values;                                // by ship
    int shots;                                                 // of each player
    bool repeats;            // whether a square may be shot at again
    double loss_multiplier;  // factor by which the value of lost ships counts
};

// The rules; a state can be copied and stepped forward.
class Battleship {
public:
    static constexpr int kMostPlayers = 2;

    // Both fleets, the shots so far, and who moves.
    struct State {
        std::array<std::array<Squares, kMostShips>, 2> fleets{};  // by player and ship
        std::array<Squares, 2> shots{};       // the squares each player has shot at
        std::array<std::int8_t, 2> placed{};  // ships that each player has placed
        std::int32_t left = 0;                // shots still to come, of both players together
        std::int8_t player = 0;               // who moves; kTerminal at the end
    };

    // Throws std::invalid_argument for parameters that contradict each other or ships that find no
    // room.
    explicit Battleship(Options options) : options_(std::move(options)) {
        const Options& o = options_;
        bool good = o.squares >= 1 && o.squares <= 64 && !o.places.empty() &&
                    o.places.size() <= kMostShips && o.values.size() == o.places.size() &&
                    o.labels.size() >= static_cast<std::size_t>(o.squares) && o.shots >= 1 &&
                    (o.repeats || o.shots <= o.squares);
        for (const auto& places : o.places) {
            for (const auto& [label, squares] : places) {
                good = good && label >= 0 && static_cast<std::size_t>(label) < o.labels.size() &&
                       squares != 0 && (squares & ~board()) == 0;
            }
        }
        if (!good || !room(0, 0)) throw std::invalid_argument("no such game of battleship");
    }

    int players() const { return 2; }
    // Before the first ship is placed.
    State root() const {
        State state;
        state.left = 2 * options_.shots;
        return state;
    }
    int player(const State& state) const { return state.player; }
    // There is no chance: no outcomes to deal.
    int outcomes(const State&) const { return 0; }
    double probability(const State&, int) const { return 0; }
    void deal(State&, int) const {}

    // The number of legal actions.
    int actions(const State& state) const {
        if (!placing(state)) return std::popcount(targets(state));
        int count = 0;
        every_place(state, [&](int, Squares) { ++count; });
        return count;
    }
    // The label of the n-th action: a square, or a place for the next ship.
    int label(const State& state, int n) const {
        if (!placing(state)) {
            Squares open = targets(state);
            for (; n > 0; --n) open &= open - 1;
            return std::countr_zero(open);
        }
        return nth_place(state, n).first;
    }
    // The text of a label: a square's name, or that of a place for a ship.
    std::string label_text(int label) const {
        return options_.labels[static_cast<std::size_t>(label)];
    }

    // Plays the n-th action: places a ship, or shoots.
    void step(State& state, int n) const {
        const auto me = static_cast<std::size_t>(state.player), other = 1 - me;
        if (placing(state)) {
            const auto ship = static_cast<std::size_t>(state.placed[me]);
            state.fleets[me][ship] = nth_place(state, n).second;
            ++state.placed[me];
            state.player = static_cast<std::int8_t>(other);
            return;
        }
        state.shots[me] |= Squares{1} << label(state, n);
        --state.left;
        const bool afloat =
            std::any_of(state.fleets[other].begin(), state.fleets[other].end(),
                        [&](Squares ship) { return (ship & ~state.shots[me]) != 0; });
        state.player = state.left > 0 && afloat ? static_cast<std::int8_t>(other) : kTerminal;
    }

    // A player's payoff: the value of the other's sunk ships, less that of the own ones times the
    // loss multiplier.
    double payoff(const State& state, int player) const {
        const auto me = static_cast<std::size_t>(player);
        return lost(state, 1 - me) - options_.loss_multiplier * lost(state, me);
    }

    // What a player notices of a step, 8 * label + the kind of Result: an own ship placed, an own
    // shot with its result, or the other's shot; 0, nothing, of a ship that the other places.
    Token noticed(const State& before, int label, const State& after, int player) const {
        const bool mine = player == before.player;
        const auto what = static_cast<Token>(label) << 3;
        if (placing(before)) return mine ? what | kPlace : 0;
        if (!mine) return what | kOthersShot;
        const auto me = static_cast<std::size_t>(player);
        Result result = kWater;
        for (const Squares ship : after.fleets[1 - me]) {
            if ((ship >> label & 1) == 0) continue;
            if ((ship & ~after.shots[me]) != 0) return what | kHit;
            result = kSunk;
        }
        return what | result;
    }
    // The name of an information set, as in "P0 a1-b1 c2:hit (a2)": own ships, own shots and what
    // they did, the other's shots in brackets.
    std::string infoset_name(int player, const Tokens& tokens) const {
        std::string name = "P";
        name += std::to_string(player);
        for (const Token token : tokens) {
            const std::string& label = options_.labels[token >> 3];
            switch (token & 7) {
                case kPlace:
                    name.append(" ").append(label);
                    break;
                case kOthersShot:
                    name.append(" (").append(label).append(")");
                    break;
                default:
                    static const char* const kWords[] = {"water", "hit", "sunk"};
                    name.append(" ").append(label).append(":").append(kWords[(token & 7) - kWater]);
            }
        }
        return name;
    }

private:
    // The kinds of tokens; see noticed().
    enum Result : Token { kPlace = 1, kOthersShot, kWater, kHit, kSunk };

    // All squares of the board.
    Squares board() const { return ~Squares{0} >> (64 - options_.squares); }
    // Whether the mover still has ships to place.
    bool placing(const State& state) const {
        return static_cast<std::size_t>(state.placed[static_cast<std::size_t>(state.player)]) <
               options_.places.size();
    }
    // The squares that the mover may shoot at.
    Squares targets(const State& state) const {
        const Squares done = state.shots[static_cast<std::size_t>(state.player)];
        return options_.repeats ? board() : board() & ~done;
    }
    // Whether the ships from this one on can all be placed, given the squares already taken.
    bool room(std::size_t ship, Squares taken) const {
        if (ship == options_.places.size()) return true;
        const auto& places = options_.places[ship];
        return std::any_of(places.begin(), places.end(), [&](const auto& place) {
            return (place.second & taken) == 0 && room(ship + 1, taken | place.second);
        });
    }
    // Calls visit(label, squares) for every place where the mover's next ship can lie and that
    // leaves room for the ships after it.
    template <class Visit>
    void every_place(const State& state, Visit&& visit) const {
        const auto me = static_cast<std::size_t>(state.player);
        const auto ship = static_cast<std::size_t>(state.placed[me]);
        Squares taken = 0;
        for (const Squares other : state.fleets[me]) taken |= other;
        for (const auto& [label, squares] : options_.places[ship]) {
            if ((squares & taken) == 0 && room(ship + 1, taken | squares)) visit(label, squares);
        }
    }
    // The n-th place where the mover's next ship can lie: its label and its squares.
    std::pair<int, Squares> nth_place(const State& state, int n) const {
        std::pair<int, Squares> found;
        every_place(state, [&](int label, Squares squares) {
            if (n-- == 0) found = {label, squares};
        });
        return found;
    }
    // The value of a player's ships that have been hit on every square.
    double lost(const State& state, std::size_t player) const {
        double sum = 0;
        for (std::size_t ship = 0; ship < options_.places.size(); ++ship) {
            const bool sunk = (state.fleets[player][ship] & ~state.shots[1 - player]) == 0;
            if (sunk) sum += options_.values[ship];
        }
        return sum;
    }

    Options options_;
};

static_assert(EnumerableGame<Battleship>);

}  // namespace fogtree::battleship
