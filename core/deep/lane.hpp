// One traversal that stops wherever it needs a network and goes on with what the network said.
//
// N. Brown, A. Lerer, S. Gross, T. Sandholm, "Deep counterfactual regret minimization", ICML 2019
// (external sampling); M. Lanctot et al., "Monte Carlo sampling for regret minimization in
// extensive games", NIPS 2009 (outcome sampling); H. Li et al., "Double neural counterfactual
// regret minimization", ICLR 2020 (robust sampling); S. McAleer et al., "ESCHER: eschewing
// importance sampling in games by computing a history value function to estimate regret", ICLR
// 2023; M. Schmid et al., "Variance reduction in Monte Carlo counterfactual regret minimization",
// AAAI 2019 (baselines).
// Deviations: importance weights of the traverser's own reach stand beside the regrets instead of
// being multiplied in, so that a network fits regrets of one scale; a value network, if there is
// one, is the baseline of outcome and robust sampling; beyond the depth limit without a value
// network a game is played out; a value network rates actions, not histories.
#pragma once

#include <algorithm>
#include <limits>

#include "options.hpp"
#include "samples.hpp"

namespace fogtree::deep {

// Regret matching; with no positive advantage the best action, or all alike.
inline void match_regrets(const float* advantage, int count, bool uniform_fallback, float* out) {
    float total = 0;
    int best = 0;
    for (int a = 0; a < count; ++a) {
        out[a] = std::max(advantage[a], 0.0f);
        total += out[a];
        if (advantage[a] > advantage[best]) best = a;
    }
    if (total > 0) {
        for (int a = 0; a < count; ++a) out[a] /= total;
    } else {
        const float share = uniform_fallback ? 1.0f / static_cast<float>(count) : 0.0f;
        std::fill_n(out, count, share);
        if (!uniform_fallback) out[best] = 1;
    }
}

template <DeepGame Game, class Source>
class Lane {
public:
    using State = typename Game::State;

    Lane(const Game& game, const Options& options, bool has_value, Source source)
        : game_(&game),
          options_(&options),
          has_value_(has_value),
          source_(source),
          state_(game.root()) {
        const Shape& shape = game.shape();
        const auto most = static_cast<std::size_t>(shape.most_actions);
        legal_.resize(most);
        strategy_.resize(most);
        mixed_.resize(most);
        code_.resize(static_cast<std::size_t>(std::max(shape.code_bytes, 1)));
        history_.resize(static_cast<std::size_t>(std::max(shape.history_code_bytes, 1)));
    }

    // Each of these goes on to the next question, and says whether there is one.
    bool start(int traverser, Source source) {
        traverser_ = traverser;
        source_ = source;
        samples.clear();
        frames_.clear();
        numbers_.clear();
        order_.clear();
        state_ = game_->root();
        depth_ = 0;
        inverse_ = 1;
        rolling_ = valued_ = false;
        return advance();
    }

    // `numbers`: the network's outputs for the legal actions; nullptr: all alike.
    bool answer(const float* numbers) {
        ++samples.queries;
        Next next;
        if (asks_value_) {
            asks_value_ = false;
            next = with_values(numbers);
        } else {
            if (numbers) {
                match_regrets(numbers, count_, options_->uniform_fallback, strategy_.data());
            } else {
                std::fill_n(strategy_.data(), count_, 1.0f / static_cast<float>(count_));
            }
            next = with_strategy();
        }
        return next == Next::onward ? advance() : next == Next::ask;
    }

    bool asks_value() const { return asks_value_; }
    int player() const { return player_; }
    int count() const { return count_; }
    const Action* legal() const { return legal_.data(); }
    const std::uint8_t* code() const { return asks_value_ ? history_.data() : code_.data(); }

    Samples samples;

private:
    enum class Next { onward, ask, done };

    // A decision of the traverser whose actions are being tried.
    struct Frame {
        State state;
        float inverse;
        int depth;
        int count;
        int tried;          // how many
        int next;           // which of them is being tried
        std::size_t order;  // where their list is
        std::size_t place;  // of the strategy and the estimates, first the baselines
        std::size_t row;    // first target in the samples
        float probability;  // of being tried, of each that is
    };

    // To the next decision that needs a strategy, or the end.
    bool advance() {
        for (;;) {
            player_ = game_->player(state_);
            if (player_ == kChance) {
                game_->sample(state_, source_);
                continue;
            }
            ++samples.nodes;
            samples.depth = std::max(samples.depth, depth_);
            if (player_ == kTerminal) {
                if (!give_back(game_->payoff(state_, traverser_))) return false;
                continue;
            }
            count_ = game_->legal(state_, legal_.data());
            if (count_ > 1) {
                game_->encode(state_, code_.data());
                return true;
            }
            take(0);
        }
    }

    void take(int number) {
        game_->step(state_, number);
        ++depth_;
    }

    int pick(const float* weights) {
        float total = 0;
        for (int a = 0; a < count_; ++a) total += weights[a];
        return source_.pick(weights, count_, total);
    }

    // One action of a mixture of the strategy and the uniform one, which stays in `mixed_`.
    int explore() {
        const float epsilon = options_->epsilon;
        for (int a = 0; a < count_; ++a) {
            mixed_[at(a)] = epsilon / static_cast<float>(count_) + (1 - epsilon) * strategy_[at(a)];
        }
        return pick(mixed_.data());
    }

    bool one_game() const {
        return options_->method == Method::escher || options_->method == Method::rollout;
    }

    Next with_strategy() {
        const Method method = options_->method;
        if (method == Method::value) return play_and_note();
        if (!rolling_ && options_->depth > 0 && depth_ >= options_->depth) {
            if (one_game()) return Next::done;
            if (has_value_) return ask_value();
            rolling_ = true;
        }
        if (rolling_) {
            take(pick(strategy_.data()));
        } else if (player_ != traverser_) {
            samples.strategies.add(code_.data(), code_bytes(), legal_.data(), strategy_.data(),
                                   at(count_), inverse_, player_);
            take(pick(strategy_.data()));
        } else if (method == Method::escher ||
                   (has_value_ && (method == Method::outcome || method == Method::robust))) {
            return ask_value();
        } else {
            open_frame(nullptr);
        }
        return Next::onward;
    }

    Next ask_value() {
        game_->encode_history(state_, traverser_, history_.data());
        asks_value_ = true;
        return Next::ask;
    }

    Next with_values(const float* values) {
        if (options_->method == Method::escher) {
            float mean = 0;
            for (int a = 0; a < count_; ++a) mean += strategy_[at(a)] * values[a];
            for (int a = 0; a < count_; ++a) mixed_[at(a)] = values[a] - mean;
            samples.regrets.add(code_.data(), code_bytes(), legal_.data(), mixed_.data(),
                                at(count_), 1.0f, player_);
            note_value(mean);
            take(explore());
            return Next::onward;
        }
        if (options_->depth > 0 && depth_ >= options_->depth) {
            float mean = 0;
            for (int a = 0; a < count_; ++a) mean += strategy_[at(a)] * values[a];
            return give_back(mean) ? Next::onward : Next::done;
        }
        open_frame(values);
        return Next::onward;
    }

    // The first estimate at a decision of the traverser stands for the whole traversal.
    void note_value(float value) {
        if (!valued_) samples.value = value;
        valued_ = true;
    }

    // On-policy play but for single explored actions; what came before one tells nothing.
    Next play_and_note() {
        ValueRows& rows = samples.values;
        int number;
        if (source_.coin(options_->epsilon)) {
            rows.clear();
            number = source_.below(count_);
        } else {
            number = pick(strategy_.data());
        }
        game_->encode_history(state_, traverser_, history_.data());
        rows.codes.insert(rows.codes.end(), history_.begin(), history_.end());
        rows.actions.push_back(legal_[at(number)]);
        take(number);
        return Next::onward;
    }

    void open_frame(const float* baseline) {
        Frame frame{state_, inverse_, depth_, count_, 0, 0, order_.size(), numbers_.size(), 0, 1};
        const Method method = options_->method;
        float probability = 1;
        if (method == Method::outcome) {
            const int chosen = explore();
            order_.push_back(chosen);
            frame.tried = 1;
            probability = mixed_[at(chosen)];
        } else {
            for (int a = 0; a < count_; ++a) order_.push_back(a);
            frame.tried = method == Method::robust ? std::min(options_->tried, count_) : count_;
            int* list = order_.data() + frame.order;
            for (int k = 0; k < frame.tried && frame.tried < count_; ++k) {
                std::swap(list[k], list[k + source_.below(count_ - k)]);
            }
            probability = static_cast<float>(frame.tried) / static_cast<float>(count_);
        }
        numbers_.insert(numbers_.end(), strategy_.begin(), strategy_.begin() + count_);
        if (baseline) {
            numbers_.insert(numbers_.end(), baseline, baseline + count_);
        } else {
            numbers_.resize(numbers_.size() + at(count_), 0.0f);
        }
        frame.probability = probability;
        frame.row = samples.regrets.actions.size();
        samples.regrets.add(code_.data(), code_bytes(), legal_.data(), strategy_.data(), at(count_),
                            inverse_, player_);
        frames_.push_back(frame);
        try_next(frames_.back());
    }

    void try_next(const Frame& frame) {
        state_ = frame.state;
        depth_ = frame.depth;
        rolling_ = options_->method == Method::rollout;
        inverse_ = frame.inverse / frame.probability;
        take(order_[frame.order + at(frame.next)]);
    }

    // Hands a value to the decision it came from, and that one's to the one before, as far as they
    // are complete. False after the last.
    bool give_back(float value) {
        while (!frames_.empty()) {
            Frame& frame = frames_.back();
            float* strategy = numbers_.data() + frame.place;
            float* estimate = strategy + frame.count;
            float& tried = estimate[order_[frame.order + at(frame.next)]];
            tried += (value - tried) / frame.probability;
            if (++frame.next < frame.tried) {
                try_next(frame);
                return true;
            }
            value = 0;
            for (int a = 0; a < frame.count; ++a) value += strategy[a] * estimate[a];
            float* target = samples.regrets.numbers.data() + frame.row;
            for (int a = 0; a < frame.count; ++a) target[a] = estimate[a] - value;
            if (options_->method == Method::rollout) {
                note_value(value);
                go_on_from(frame);
                return true;
            }
            close_frame();
        }
        note_value(value);
        for (std::size_t r = 0; r < samples.values.rows(); ++r) {
            samples.values.returns.push_back(value);
        }
        return false;
    }

    // The game itself, after all its side games.
    void go_on_from(const Frame& frame) {
        state_ = frame.state;
        depth_ = frame.depth;
        count_ = frame.count;
        rolling_ = false;
        std::copy_n(numbers_.data() + frame.place, count_, strategy_.data());
        close_frame();
        take(explore());
    }

    void close_frame() {
        numbers_.resize(frames_.back().place);
        order_.resize(frames_.back().order);
        frames_.pop_back();
    }

    static std::size_t at(int place) { return static_cast<std::size_t>(place); }
    std::size_t code_bytes() const { return code_.size(); }

    const Game* game_;
    const Options* options_;
    bool has_value_;
    Source source_;
    State state_;
    int traverser_ = 0;
    int player_ = 0;
    int count_ = 0;
    int depth_ = 0;
    float inverse_ = 1;     // one over the traverser's own probability to be here
    bool rolling_ = false;  // the traverser plays like the others
    bool valued_ = false;
    bool asks_value_ = false;
    std::vector<Action> legal_;
    std::vector<float> strategy_;
    std::vector<float> mixed_;
    std::vector<std::uint8_t> code_;
    std::vector<std::uint8_t> history_;
    std::vector<Frame> frames_;
    std::vector<float> numbers_;
    std::vector<int> order_;
};

}  // namespace fogtree::deep
