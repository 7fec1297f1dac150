#include "deep/tree_engine.hpp"

#include "deep/game_engine_impl.hpp"

namespace fogtree::deep {

namespace {

// Takes the place of random numbers in a walk: its choices come from an enumeration of all
// outcomes, which all copies share.
struct SharedEnumeration {
    Enumeration* all = nullptr;

    template <class Real>
    int pick(const Real* weights, int n, Real total) {
        return all->pick(weights, n, total);
    }
    int below(int n) { return all->below(n); }
    template <class Real>
    bool coin(Real probability) {
        return all->coin(probability);
    }
};

// Answers the questions of a single walk.
class Asked {
public:
    Asked(const TreeGame& game, const Networks& networks) : game_(game), networks_(networks) {}

    // The outputs of the network that a walk waits for; nullptr, without networks for players:
    // a uniform strategy.
    template <class Walk>
    const float* operator()(const Walk& walk) {
        if (!walk.asks_value() && networks_.players.empty()) return nullptr;
        rows_.clear();
        wanted_.clear();
        for (int row = 0; row < walk.rows(); ++row) {
            wanted_.action.insert(wanted_.action.end(), walk.wanted(),
                                  walk.wanted() + walk.count());
            wanted_.end_row();
            if (walk.asks_value()) {
                game_.expand_history(walk.code(row), rows_);
            } else {
                game_.expand(walk.code(row), rows_);
            }
        }
        answers_.resize(wanted_.action.size());
        const Network& network = walk.asks_value()
                                     ? *networks_.value
                                     : *networks_.players[static_cast<std::size_t>(walk.player())];
        network.run(rows_, wanted_, answers_.data(), scratch_);
        return answers_.data();
    }

private:
    const TreeGame& game_;
    const Networks& networks_;
    SparseRows rows_;
    Wanted wanted_;
    std::vector<float> answers_;
    Network::Scratch scratch_;
};

// Adds the samples of a walk to `slots`: number times weight times the walk's probability, at the
// slot of the action. `visits`, if given, adds up the probability by information set.
void add_up(const TreeGame& game, const DecisionRows& rows, double probability,
            std::vector<double>& slots, std::vector<double>* visits) {
    const auto bytes = static_cast<std::size_t>(game.shape().code_bytes);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
        const std::int32_t infoset = TreeGame::read(rows.codes.data() + r * bytes);
        const auto slot = static_cast<std::size_t>(game.first_slot(infoset));
        if (visits) (*visits)[static_cast<std::size_t>(infoset)] += probability;
        for (std::size_t k = rows.first[r]; k < rows.first[r + 1]; ++k) {
            slots[slot + k - rows.first[r]] += probability * static_cast<double>(rows.weights[r]) *
                                               static_cast<double>(rows.numbers[k]);
        }
    }
}

}  // namespace

template class GameEngine<TreeGame>;

// The exact means of a traversal's samples, by enumerating all random choices: for tests.
TreeEngine::Expectation TreeEngine::expectation(const Options& options, const Networks& networks,
                                                int traverser) const {
    check(shape(), options, networks, Task{traverser, 1, 0, 0, 1});
    Enumeration all;
    WalkScratch scratch(game().shape());
    SuspendedWalk<TreeGame, SharedEnumeration> walk(game(), options, networks.form(),
                                                    SharedEnumeration{&all}, scratch);
    Asked asked(game(), networks);
    Expectation out;
    out.regret.resize(game().slots());
    out.strategy.resize(game().slots());
    out.visits.resize(game().infosets());
    do {
        bool going = walk.start(traverser, SharedEnumeration{&all});
        while (going) going = walk.answer(asked(walk));
        const double probability = all.probability();
        add_up(game(), walk.samples.regrets, probability, out.regret, &out.visits);
        add_up(game(), walk.samples.strategies, probability, out.strategy, nullptr);
        out.value += probability * walk.samples.counts.value;
        out.probability += probability;
        ++out.walks;
    } while (all.advance());
    return out;
}

}  // namespace fogtree::deep
