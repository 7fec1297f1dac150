// The stack of the traverser's decisions whose actions are being tried: the estimates so far, and
// the states to return to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fogtree::deep {

// The expected value: the values' mean, weighted with the strategy's probabilities.
inline float mean_of(const float* strategy, const float* values, int count) {
    float sum = 0;
    for (int a = 0; a < count; ++a) sum += strategy[a] * values[a];
    return sum;
}

// A decision of the traverser whose actions are being tried.
struct Frame {
    float inverse;          // 1 / (probability that the walk tries the traverser's actions so far)
    int depth;              // decisions before it
    int count;              // number of legal actions
    int tried = 0;          // number of actions that are tried
    int next = 0;           // index of the action being tried
    float probability = 1;  // with which each tried action was chosen
    float share = 0;        // if not `noted`: the probability, then the share in the value, of the
                            // only action tried
    std::uint32_t order = 0;  // index of the list of tried actions
    std::uint32_t place = 0;  // index of the strategy and the estimates
    std::uint32_t row = 0;    // first target in the samples
    bool returns = false;     // the walk comes back to this decision: its state is stored
    bool kept = false;        // its regrets are a sample
    bool noted = true;        // its regrets are computed: strategy and estimates are stored
};

// The stack of frames, with the strategies, estimates and states that they refer to.
template <class State>
class Frames {
public:
    bool empty() const { return frames_.empty(); }
    Frame& last() { return frames_.back(); }
    // Of the last frame: the state, if it `returns`; the strategy, if it is `noted`; the regrets
    // after `settle`; the action being tried, as its number among the legal ones.
    const State& state() const { return states_.back(); }
    const float* strategy() const { return numbers_.data() + frames_.back().place; }
    const float* regrets() const { return strategy() + frames_.back().count; }
    int action() const { return order_[frames_.back().order + at(frames_.back().next)]; }

    void clear() {
        frames_.clear();
        states_.clear();
        numbers_.clear();
        order_.clear();
    }

    // Sets that a frame, which is not yet open, tries only this action, which was drawn with this
    // probability.
    void try_one(Frame& frame, int action, float probability) {
        frame.order = static_cast<std::uint32_t>(order_.size());
        order_.push_back(action);
        frame.tried = 1;
        frame.probability = probability;
    }

    // Sets that a frame, which is not yet open, tries `tried` of its actions: all of them in their
    // order or, if fewer, some drawn evenly without replacement, each with probability tried /
    // count. The list of all actions is stored, those to try first.
    template <class Source>
    void try_some(Frame& frame, int tried, Source& source) {
        frame.order = static_cast<std::uint32_t>(order_.size());
        for (int a = 0; a < frame.count; ++a) order_.push_back(a);
        frame.tried = tried;
        if (tried == frame.count) return;
        int* list = order_.data() + frame.order;
        for (int k = 0; k < tried; ++k) {
            std::swap(list[k], list[k + source.below(frame.count - k)]);
        }
        frame.probability = static_cast<float>(tried) / static_cast<float>(frame.count);
    }

    // Pushes a frame whose actions to try are set. `baseline` has a first estimate of every
    // action's value, which stays for untried actions; nullptr: 0. If a single action is tried
    // without baseline and the frame is not `noted`, only that action's probability is kept
    // (`share`), which is enough for the decision's value.
    void open(Frame frame, const State& state, const float* strategy, const float* baseline) {
        if (frame.returns) states_.push_back(state);
        frame.noted = frame.noted || baseline || frame.tried > 1;
        frame.place = static_cast<std::uint32_t>(numbers_.size());
        if (frame.noted) {
            numbers_.insert(numbers_.end(), strategy, strategy + frame.count);
            if (baseline) {
                numbers_.insert(numbers_.end(), baseline, baseline + frame.count);
            } else {
                numbers_.resize(numbers_.size() + at(frame.count), 0.0f);
            }
        } else {
            frame.share = strategy[order_[frame.order]];
        }
        frames_.push_back(frame);
    }

    // Records the value of the action being tried; returns whether it was the last one to try. Its
    // estimate changes by (value - estimate) / (the probability of trying it), so that it is
    // unbiased. A frame that is not `noted` gets only the action's share in the decision's value.
    bool note(float value) {
        Frame& frame = frames_.back();
        if (frame.noted) {
            float& estimate = numbers_[frame.place + at(frame.count) + at(action())];
            estimate += (value - estimate) / frame.probability;
        } else {
            frame.share *= value / frame.probability;
        }
        return ++frame.next == frame.tried;
    }

    // After the last action: returns the decision's value, the estimates weighted with the
    // strategy, and turns estimates into regrets by subtracting it.
    float settle() {
        const Frame& frame = frames_.back();
        if (!frame.noted) return frame.share;
        float* estimate = numbers_.data() + frame.place + frame.count;
        const float value = mean_of(strategy(), estimate, frame.count);
        for (int a = 0; a < frame.count; ++a) estimate[a] -= value;
        return value;
    }

    // Removes the last frame with everything that belongs to it.
    void close() {
        numbers_.resize(frames_.back().place);
        order_.resize(frames_.back().order);
        if (frames_.back().returns) states_.pop_back();
        frames_.pop_back();
    }

    // Prefetches the memory that the next decision will be written to.
    void prefetch() const {
        __builtin_prefetch(frames_.data() + frames_.size(), 1);
        __builtin_prefetch(numbers_.data() + numbers_.size(), 1);
    }

private:
    static std::size_t at(int place) { return static_cast<std::size_t>(place); }

    std::vector<Frame> frames_;
    std::vector<State> states_;   // of the frames that `returns`
    std::vector<float> numbers_;  // for each noted frame: the strategy, then the estimates
    std::vector<int> order_;      // for each frame: the actions to try
};

}  // namespace fogtree::deep
