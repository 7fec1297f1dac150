// A traversal that suspends itself wherever it needs a network and resumes with its outputs.
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
// network a game is played out; a value network may rate actions as well as histories; ESCHER's
// traverser plays its current strategy with exploration, not a fixed strategy.
#pragma once

#include <algorithm>

#include "deep/engine.hpp"
#include "deep/frames.hpp"
#include "deep/policy.hpp"
#include "deep/samples.hpp"
#include "deep/walk_scratch.hpp"

namespace fogtree::deep {

// A traversal in progress. While it is suspended, its question tells which network outputs it
// needs.
template <DeepGame Game, class Source>
class SuspendedWalk {
public:
    using State = typename Game::State;

    // Reserves memory for the most actions that a decision can have. If the value network rates
    // histories, each action needs room for its child's code and state.
    SuspendedWalk(const Game& game, const Options& options, ValueForm form, Source source,
                  WalkScratch& scratch)
        : game_(&game),
          options_(&options),
          scratch_(&scratch),
          form_(form),
          source_(source),
          state_(game.root()) {
        const Shape& shape = game.shape();
        const std::size_t most = at(shape.most_actions);
        legal_.resize(most);
        if (form != ValueForm::none) kept_strategy_.resize(most);
        code_.resize(at(shape.code_bytes));
        history_.resize(at(shape.history_code_bytes) * (form == ValueForm::histories ? most : 1));
        if (form == ValueForm::histories) children_.assign(most, state_);
    }

    // Starts a traversal and runs to its first question; false if there is none.
    bool start(int traverser, Source source, const SampleFilter& filter = {}) {
        traverser_ = traverser;
        source_ = source;
        filter_ = filter;
        samples.clear();
        frames_.clear();
        state_ = game_->root();
        depth_ = 0;
        inverse_ = 1;
        rolling_ = valued_ = false;
        question_ = Question::strategy;
        return advance();
    }

    // Goes on with the answer to the question, and runs to the next question; false if the
    // traversal has ended. `numbers` are the wanted outputs, row after row; nullptr, as the answer
    // to a question for a strategy: the uniform strategy.
    bool answer(const float* numbers) {
        samples.counts.queries += rows();
        const Question asked = question_;
        question_ = Question::strategy;
        Next next;
        if (asked == Question::strategy) {
            strategy_of(numbers, count_, options_->softmax >> player_ & 1,
                        options_->uniform_fallback, strategy());
            next = with_strategy();
        } else if (asked == Question::values) {
            next = with_values(values_from(numbers));
        } else {
            next = give_back(cut_value(numbers)) ? Next::onward : Next::done;
        }
        return next == Next::onward ? advance() : next == Next::ask;
    }

    // The question, while the walk is suspended: codes of inputs, and the outputs that are wanted
    // of each.

    // Whether the value network is asked, not that of `player`.
    bool asks_value() const { return question_ != Question::strategy; }
    int player() const { return player_; }
    // How many codes are asked about.
    int rows() const {
        return question_ == Question::values && form_ == ValueForm::histories ? asked_ : 1;
    }
    const std::uint8_t* code(int row) const {
        return asks_value() ? history_.data() + at(row) * history_bytes() : code_.data();
    }
    // Whether the network asked has one output only: the value of a history.
    bool wants_one() const { return asks_value() && form_ == ValueForm::histories; }
    // How many outputs are wanted of each code, and which: those of the legal actions.
    int count() const { return wants_one() ? 1 : count_; }
    const Action* wanted() const { return wants_one() ? &kFirst : legal_.data(); }

    // Prefetches the memory that the next call of `answer` will write to.
    void prefetch() const {
        __builtin_prefetch(code_.data());
        __builtin_prefetch(code_.data() + 64);
        __builtin_prefetch(legal_.data());
        const bool mine = player_ == traverser_;
        (mine ? samples.regrets : samples.strategies).prefetch();
        if (mine) frames_.prefetch();
    }

    Samples samples;

private:
    // How a walk goes on: it steps to the next decision, waits for a network, or has ended.
    enum class Next { onward, ask, done };
    // What a network is asked for: the mover's strategy, the values of the traverser's actions, or
    // the value of the history at the depth limit (cut).
    enum class Question : std::uint8_t { strategy, values, cut };
    static constexpr Action kFirst = 0;  // the only output of a network that rates histories

    // Steps to the next decision with more than one action and asks for its strategy; false if the
    // walk ends before. Chance is sampled, and values of ends are passed back.
    bool advance() {
        for (;;) {
            player_ = game_->player(state_);
            if (player_ == kChance) {
                game_->sample(state_, source_);
                continue;
            }
            ++samples.counts.nodes;
            samples.counts.depth = std::max(samples.counts.depth, depth_);
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

    // Plays the legal action with this number, from 0.
    void take(int number) {
        game_->step(state_, number);
        ++depth_;
    }

    // Draws one of the legal actions, in proportion to the weights; returns its number.
    int pick(const float* weights) {
        float total = 0;
        for (int a = 0; a < count_; ++a) total += weights[a];
        return source_.pick(weights, count_, total);
    }

    // Whether the method plays one main game (ESCHER, rollouts, value samples, self-play), along
    // which no values are passed back. These methods come last in the enumeration.
    bool one_game() const { return options_->method >= Method::escher; }

    // Continues at a decision whose strategy is known, by the sampling method.
    Next with_strategy() {
        const Method method = options_->method;
        if (!rolling_ && options_->depth > 0 && depth_ >= options_->depth) {
            if (one_game()) return stop();
            if (form_ != ValueForm::none) return ask_cut();
            rolling_ = true;
        }
        if (rolling_) {
            take(pick(strategy()));
        } else if (method == Method::value) {
            play(true);
        } else if (method == Method::selfplay) {
            note_decision(samples.strategies, true, strategy(), 1.0f);
            play(false);
        } else if (player_ != traverser_) {
            note_decision(samples.strategies, filter_.keeps_strategy(), strategy(), inverse_);
            play(false);
        } else if (method == Method::escher || (form_ != ValueForm::none && one_or_few())) {
            return ask_values();
        } else {
            open_frame(nullptr);
        }
        return Next::onward;
    }

    // Whether the method tries one or a few actions of the traverser and weights them.
    bool one_or_few() const {
        return options_->method == Method::outcome || options_->method == Method::robust;
    }

    // Ends a walk at the depth limit; its value samples are dropped, as they have no return.
    Next stop() {
        samples.values.clear();
        return Next::done;
    }

    // Counts the current decision as met and adds it to the rows if it is `kept`; returns `kept`.
    bool note_decision(DecisionRows& rows, bool kept, const float* numbers, float weight) {
        ++rows.met;
        if (!kept) return false;
        rows.add(code_.data(), code_.size(), legal_.data(), numbers, at(count_), weight, player_);
        return true;
    }

    // Plays an action drawn from the mover's strategy or, if `explores`, with probability epsilon
    // one drawn uniformly.
    void play(bool explores) {
        const bool explored = explores && source_.coin(options_->epsilon);
        const int number = explored ? source_.below(count_) : pick(strategy());
        note_step(number, explored);
        take(number);
    }

    // Adds a value sample, the history and the action taken, if the method plays one main game. An
    // exploring step first drops the earlier samples: their return would not show the strategy's
    // value.
    void note_step(int number, bool explored) {
        if (!one_game()) return;
        ValueRows& rows = samples.values;
        if (explored) rows.clear();
        const std::size_t end = rows.codes.size();
        rows.codes.resize(end + history_bytes());
        const int viewer = options_->method == Method::selfplay ? player_ : traverser_;
        game_->encode_history(state_, viewer, rows.codes.data() + end);
        rows.actions.push_back(legal_[at(number)]);
        rows.explored.push_back(explored);
    }

    // Questions to the value network.

    // Asks for the value of the history at the depth limit.
    Next ask_cut() {
        game_->encode_history(state_, traverser_, history_.data());
        question_ = Question::cut;
        return Next::ask;
    }

    // Asks the value network for the value of every action: one question if its outputs are
    // actions, else one for each child that is not an end.
    Next ask_values() {
        question_ = Question::values;
        if (form_ == ValueForm::actions) {
            game_->encode_history(state_, traverser_, history_.data());
            return Next::ask;
        }
        asked_ = 0;
        for (int a = 0; a < count_; ++a) {
            State& child = children_[at(a)];
            child = state_;
            game_->step(child, a);
            while (game_->player(child) == kChance) game_->sample(child, source_);
            if (game_->player(child) == kTerminal) continue;
            game_->encode_history(child, traverser_,
                                  history_.data() + at(asked_) * history_bytes());
            ++asked_;
        }
        if (asked_ > 0) return Next::ask;
        question_ = Question::strategy;
        return with_values(values_from(nullptr));
    }

    // The traverser's value of every legal action: the network's answer, or the payoff where an
    // action ends the game.
    const float* values_from(const float* numbers) {
        if (form_ == ValueForm::actions) return numbers;
        for (int a = 0; a < count_; ++a) {
            const State& child = children_[at(a)];
            const bool ended = game_->player(child) == kTerminal;
            action_values()[a] = ended ? game_->payoff(child, traverser_) : *numbers++;
        }
        return action_values();
    }

    // The traverser's value of the history at the depth limit, from the network's answer: the
    // history's own value, or the mean of its actions' values under the mover's strategy.
    float cut_value(const float* numbers) const {
        if (form_ == ValueForm::histories) return numbers[0];
        return mean_of(strategy(), numbers, count_);
    }

    // Continues at a decision of the traverser whose actions have been `rated`: ESCHER takes
    // regrets from these values, outcome and robust sampling use them as a baseline.
    Next with_values(const float* rated) {
        std::copy_n(rated, count_, action_values());
        if (options_->method != Method::escher) {
            open_frame(action_values());
            return Next::onward;
        }
        const float mean = mean_of(strategy(), rated, count_);
        float* regrets = mixed();
        for (int a = 0; a < count_; ++a) regrets[a] = rated[a] - mean;
        note_decision(samples.regrets, filter_.keeps_regret(), regrets, 1.0f);
        note_value(mean);
        go_on();
        return Next::onward;
    }

    // Plays the traverser's action in the main game, with exploration. Where ESCHER's value network
    // rated the children, the walk moves to that very child, so that chance is not drawn again.
    void go_on() {
        const bool explored = source_.coin(options_->epsilon);
        const int number = explored ? source_.below(count_) : pick(strategy());
        note_step(number, explored);
        if (options_->method == Method::escher && form_ == ValueForm::histories) {
            state_ = children_[at(number)];
            ++depth_;
        } else {
            take(number);
        }
    }

    // Records a value as the walk's estimate of the game's value, if it is the first of the walk.
    void note_value(float value) {
        if (!valued_) samples.counts.value = static_cast<double>(value);
        valued_ = true;
    }

    // Decisions whose actions are tried.

    // Begins to try actions of the traverser's decision, one after the other: the walk below each
    // gives its value. `baseline`: first estimates of the actions' values, or nullptr.
    void open_frame(const float* baseline) {
        Frame frame{.inverse = inverse_, .depth = depth_, .count = count_};
        choose_tried(frame);
        frame.returns = frame.tried > 1 || options_->method == Method::rollout;
        frame.row = static_cast<std::uint32_t>(samples.regrets.actions.size());
        frame.kept = note_decision(samples.regrets, filter_.keeps_regret(), strategy(), inverse_);
        frame.noted = frame.kept;
        frames_.open(frame, state_, strategy(), baseline);
        try_next();
    }

    // Chooses the actions that are tried: one in outcome sampling, a few in robust sampling, else
    // all.
    void choose_tried(Frame& frame) {
        if (options_->method == Method::outcome) {
            const float epsilon = options_->epsilon, share = 1.0f / static_cast<float>(count_);
            for (int a = 0; a < count_; ++a) {
                mixed()[a] = epsilon * share + (1 - epsilon) * strategy()[a];
            }
            const int number = pick(mixed());
            frames_.try_one(frame, number, mixed()[number]);
        } else {
            const bool robust = options_->method == Method::robust;
            frames_.try_some(frame, robust ? std::min(options_->tried, count_) : count_, source_);
        }
    }

    // Takes the next action to try of the last frame, from that frame's state.
    void try_next() {
        const Frame& frame = frames_.last();
        if (frame.returns) state_ = frames_.state();
        depth_ = frame.depth;
        rolling_ = options_->method == Method::rollout;
        inverse_ = frame.inverse / frame.probability;
        take(frames_.action());
    }

    // Passes the traverser's value of the current history to the last frame; frames all of whose
    // actions have been tried are complete and pass their own value on. True if the walk goes on
    // with another action, false if it has ended.
    bool give_back(float value) {
        while (!frames_.empty()) {
            if (!frames_.note(value)) {
                try_next();
                return true;
            }
            value = frames_.settle();
            const Frame& frame = frames_.last();
            if (frame.kept) {
                std::copy_n(frames_.regrets(), frame.count,
                            samples.regrets.numbers.data() + frame.row);
            }
            if (options_->method == Method::rollout) {
                note_value(value);
                return_to(frame);
                return true;
            }
            frames_.close();
        }
        note_value(value);
        note_returns(value);
        return false;
    }

    // Writes the return of the game into its value samples: that of the traverser, `value`, or
    // under `selfplay`, where every decision has a value sample, that of the player who decided.
    void note_returns(float value) {
        ValueRows& rows = samples.values;
        rows.returns.assign(rows.rows(), value);
        if (options_->method != Method::selfplay) return;
        for (std::size_t r = 0; r < rows.rows(); ++r) {
            rows.returns[r] = game_->payoff(state_, samples.strategies.players[r]);
        }
    }

    // Returns to the main game after the rollouts of all actions of this decision, and plays on.
    void return_to(const Frame& frame) {
        state_ = frames_.state();
        depth_ = frame.depth;
        rolling_ = false;
        count_ = game_->legal(state_, legal_.data());
        std::copy_n(frames_.strategy(), count_, strategy());
        frames_.close();
        go_on();
    }

    // The mover's strategy at the current decision. With a value network the walk may be suspended
    // before it uses the strategy, so it has an array of its own; the scratch memory is shared with
    // other walks.
    float* strategy() {
        return form_ == ValueForm::none ? scratch_->strategy.data() : kept_strategy_.data();
    }
    const float* strategy() const { return const_cast<SuspendedWalk*>(this)->strategy(); }
    float* mixed() { return scratch_->mixed.data(); }
    float* action_values() { return scratch_->action_values.data(); }
    static std::size_t at(int place) { return static_cast<std::size_t>(place); }
    std::size_t history_bytes() const { return at(game_->shape().history_code_bytes); }

    const Game* game_;
    const Options* options_;
    WalkScratch* scratch_;
    ValueForm form_;
    Source source_;
    SampleFilter filter_;
    State state_;
    int traverser_ = 0;
    int player_ = 0;
    int count_ = 0;
    int depth_ = 0;
    int asked_ = 0;         // histories whose value is asked
    float inverse_ = 1;     // 1 / (probability that the walk tries the traverser's actions so far)
    bool rolling_ = false;  // a game is played out: the traverser plays like the others
    bool valued_ = false;   // the estimate of the game's value has been recorded
    Question question_ = Question::strategy;
    std::vector<Action> legal_;
    std::vector<float> kept_strategy_;  // if another question comes between it and its use
    std::vector<std::uint8_t> code_;
    std::vector<std::uint8_t> history_;
    std::vector<State> children_;
    Frames<State> frames_;
};

}  // namespace fogtree::deep
