#include "games/cambia/walk.hpp"

#include "common/random.hpp"

namespace fogtree::cambia {

namespace {

// Draws who starts, all hands and the first discard at once, with the same probabilities as one
// outcome after the other.
void deal(Position& position, const Rules& rules, Xoroshiro64& random) {
    position.start_with(random.below(rules.players));
    int left = position.stock_size;
    const auto draw = [&] {
        const int place = random.below(left);
        const Card card = position.cards[place];
        position.cards[place] = position.cards[--left];
        return card;
    };
    for (int slot = 0; slot < rules.hand; ++slot) {
        for (int p = 0; p < rules.players; ++p) {
            position.hands[p][slot] = draw();
            position.seen[p][slot] = static_cast<std::uint8_t>(slot < rules.looks ? 1 << p : 0);
        }
    }
    for (int p = 0; p < rules.players; ++p) {
        position.sizes[p] = static_cast<std::uint8_t>(rules.hand);
    }
    position.cards[kMostCards - 1] = draw();
    position.discard_size = 1;
    position.stock_size = static_cast<std::uint8_t>(left);
    position.phase = Phase::start;
    position.actor = static_cast<std::uint8_t>(position.starter);
}

// Draws outcomes of chance until a player has to decide or the game is over.
void settle_chance(Position& position, const Rules& rules, Xoroshiro64& random) {
    while (position.by_chance()) {
        if (position.phase == Phase::starter) {
            deal(position, rules, random);
        } else {
            position.draw_at(rules, random.below(position.pool_size()));
        }
    }
}

// One sequence of external-sampling traversals.
class Sampler {
public:
    Sampler(const Rules& rules, std::uint64_t seed) : rules_(rules), random_(seed) {}

    // The traverser's value of a position under uniform strategies, by one sampled traversal: all
    // actions of the traverser, one of every other player and of chance.
    double traverse(Position& position, int traverser) {
        for (;;) {
            settle_chance(position, rules_, random_);
            ++nodes;
            if (position.over()) {
                double out[kMostPlayers];
                position.returns(rules_, out);
                return out[traverser];
            }
            const int count = position.move_count(rules_);
            if (count == 0) return 0;
            if (position.actor != traverser) {
                position.act(rules_, position.move(rules_, random_.below(count)));
                continue;
            }
            double sum = 0;
            for (int number = 0; number < count - 1; ++number) {
                Position child = position;
                child.act(rules_, position.move(rules_, number));
                sum += traverse(child, traverser);
            }
            position.act(rules_, position.move(rules_, count - 1));
            return (sum + traverse(position, traverser)) / count;
        }
    }

    std::int64_t nodes = 0;

private:
    const Rules& rules_;
    Xoroshiro64 random_;
};

}  // namespace

// Plays games with uniformly random moves, and counts what happens in them. A game without a legal
// action that is not over is a deadlock, as `earlier_defects` allows.
Tally random_games(const Rules& rules, std::int64_t games, std::uint64_t seed) {
    Xoroshiro64 random(seed);
    Tally tally;
    const Position root = Position::first(rules);
    for (; tally.games < games; ++tally.games) {
        Position position = root;
        for (;;) {
            settle_chance(position, rules, random);
            const int count = position.move_count(rules);
            if (count == 0) break;
            position.act(rules, position.move(rules, random.below(count)));
            ++tally.actions;
        }
        tally.turns += position.turn;
        if (!position.over()) {
            ++tally.deadlocks;
            continue;
        }
        double out[kMostPlayers];
        position.returns(rules, out);
        tally.first_returns += out[0];
    }
    return tally;
}

// Makes traversals for the players in turn; `first` is the number of player 0's.
Traversal external_sampling(const Rules& rules, std::int64_t traversals, std::uint64_t seed) {
    Sampler sampler(rules, seed);
    const Position root = Position::first(rules);
    double sum = 0;
    for (std::int64_t t = 0; t < traversals; ++t) {
        Position position = root;
        const int traverser = static_cast<int>(t % rules.players);
        const double value = sampler.traverse(position, traverser);
        if (traverser == 0) sum += value;
    }
    const std::int64_t first = (traversals + rules.players - 1) / rules.players;
    return {sampler.nodes, first > 0 ? sum / static_cast<double>(first) : 0};
}

}  // namespace fogtree::cambia
