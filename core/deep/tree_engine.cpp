#include "tree_engine.hpp"

#include "session.hpp"
#include "traversal.hpp"

namespace fogtree::deep {

namespace {

// An enumeration that many copies go through together.
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

class Asked {
public:
    Asked(const TreeGame& game, const Networks& networks) : game_(game), networks_(networks) {}

    // The answer of the network that a lane waits for.
    template <class Walker>
    const float* operator()(const Walker& lane) {
        if (!lane.asks_value() && networks_.players.empty()) return nullptr;
        rows_.clear();
        wanted_.clear();
        for (int row = 0; row < lane.rows(); ++row) {
            wanted_.action.insert(wanted_.action.end(), lane.wanted(),
                                  lane.wanted() + lane.count());
            wanted_.end_row();
            if (lane.asks_value()) {
                game_.expand_history(lane.code(row), rows_);
            } else {
                game_.expand(lane.code(row), rows_);
            }
        }
        answers_.resize(wanted_.action.size());
        const Network& network = lane.asks_value()
                                     ? *networks_.value
                                     : *networks_.players[static_cast<std::size_t>(lane.player())];
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

Gathered TreeEngine::traverse(const Options& options, const Networks& networks,
                              const Task& task) const {
    return deep::traverse(game_, options, networks, task);
}

std::unique_ptr<Session> TreeEngine::begin(const Options& options, ValueForm form, const Task& task,
                                           int groups, int lanes, const Finish& finish) const {
    check(shape(), options, form, task, finish);
    return std::make_unique<LaneSession<TreeGame>>(game_, options, form, task, groups, lanes,
                                                   finish);
}

TreeEngine::Expectation TreeEngine::expectation(const Options& options, const Networks& networks,
                                                int traverser) const {
    check(shape(), options, networks, Task{traverser, 1, 0, 0, 1});
    Enumeration all;
    LaneScratch scratch(game_.shape());
    Lane<TreeGame, SharedEnumeration> lane(game_, options, networks.form(), SharedEnumeration{&all},
                                           scratch);
    Asked asked(game_, networks);
    Expectation out;
    out.regret.resize(game_.slots());
    out.strategy.resize(game_.slots());
    out.visits.resize(game_.infosets());
    do {
        bool going = lane.start(traverser, SharedEnumeration{&all});
        while (going) going = lane.answer(asked(lane));
        const double probability = all.probability();
        add_up(game_, lane.samples.regrets, probability, out.regret, &out.visits);
        add_up(game_, lane.samples.strategies, probability, out.strategy, nullptr);
        out.value += probability * lane.samples.counts.value;
        out.probability += probability;
        ++out.walks;
    } while (all.advance());
    return out;
}

}  // namespace fogtree::deep
