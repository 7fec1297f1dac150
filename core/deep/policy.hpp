// From a network's outputs to a strategy over the legal actions.
#pragma once

#include <algorithm>
#include <cmath>

namespace fogtree::deep {

// Regret matching: probabilities in proportion to the positive advantages. If no advantage is
// positive, the best action gets probability 1 or, with `uniform_fallback`, all actions get the
// same.
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

// Writes the probabilities whose logarithms, up to an added constant, are the `logits`.
inline void softmax(const float* logits, int count, float* out) {
    const float most = *std::max_element(logits, logits + count);
    float total = 0;
    for (int a = 0; a < count; ++a) total += out[a] = std::exp(logits[a] - most);
    for (int a = 0; a < count; ++a) out[a] /= total;
}

// Writes the strategy over `count` legal actions to `out`. `numbers` are the network's outputs for
// them, logarithms of probabilities if `logits`, else advantages; nullptr: the uniform strategy.
inline void strategy_of(const float* numbers, int count, bool logits, bool uniform_fallback,
                        float* out) {
    if (!numbers) {
        std::fill_n(out, count, 1.0f / static_cast<float>(count));
    } else if (logits) {
        softmax(numbers, count, out);
    } else {
        match_regrets(numbers, count, uniform_fallback, out);
    }
}

}  // namespace fogtree::deep
