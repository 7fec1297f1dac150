// Finished traversals of one thread, as they come; then all of them in order.
#pragma once

#include "game.hpp"
#include "samples.hpp"

namespace fogtree::deep {

class Harvest {
public:
    explicit Harvest(const Shape& shape)
        : bytes_(static_cast<std::size_t>(shape.code_bytes)),
          history_bytes_(static_cast<std::size_t>(shape.history_code_bytes)) {}

    void add(std::int64_t number, const Samples& samples) {
        crops_.push_back({number, all_.regrets.rows(), all_.strategies.rows(), all_.values.rows(),
                          samples.regrets.rows(), samples.strategies.rows(), samples.values.rows(),
                          samples.counts});
        all_.regrets.append(samples.regrets, 0, samples.regrets.rows(), bytes_);
        all_.strategies.append(samples.strategies, 0, samples.strategies.rows(), bytes_);
        all_.values.append(samples.values, 0, samples.values.rows(), history_bytes_);
    }

    // Everything in the order of the traversals' numbers, which are below `traversals`.
    static Samples in_order(const std::vector<const Harvest*>& harvests, std::int64_t traversals) {
        std::vector<std::pair<const Harvest*, const Crop*>> found(
            static_cast<std::size_t>(traversals), {nullptr, nullptr});
        for (const Harvest* harvest : harvests) {
            for (const Crop& crop : harvest->crops_) {
                found[static_cast<std::size_t>(crop.number)] = {harvest, &crop};
            }
        }
        Samples out;
        for (const auto& [harvest, crop] : found) {
            if (crop) harvest->copy(*crop, out);
        }
        return out;
    }

private:
    // One traversal's part: first rows, how many, and its counts.
    struct Crop {
        std::int64_t number;
        std::size_t regrets, strategies, values;
        std::size_t regret_rows, strategy_rows, value_rows;
        Counts counts;
    };

    void copy(const Crop& crop, Samples& out) const {
        out.regrets.append(all_.regrets, crop.regrets, crop.regrets + crop.regret_rows, bytes_);
        out.strategies.append(all_.strategies, crop.strategies,
                              crop.strategies + crop.strategy_rows, bytes_);
        out.values.append(all_.values, crop.values, crop.values + crop.value_rows, history_bytes_);
        out.counts.append(crop.counts);
    }

    std::size_t bytes_;
    std::size_t history_bytes_;
    Samples all_;
    std::vector<Crop> crops_;
};

}  // namespace fogtree::deep
