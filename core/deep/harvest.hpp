// Finished traversals of one thread, as they come; then all of them in order, as plain tables.
#pragma once

#include <algorithm>
#include <memory>
#include <thread>

#include "game.hpp"
#include "samples.hpp"

namespace fogtree::deep {

// An array that is written before it is read.
template <class T>
struct Block {
    std::unique_ptr<T[]> data;
    std::size_t size = 0;

    void resize(std::size_t count) {
        data = std::make_unique_for_overwrite<T[]>(count);
        size = count;
    }
};

// Decisions with their lists of actions filled up to one length, by -1 and zeros.
struct DecisionTable {
    Block<std::uint8_t> codes;
    Block<Action> actions;
    Block<float> numbers;
    Block<float> weights;
    Block<std::int8_t> players;

    void resize(std::size_t rows, std::size_t bytes, std::size_t width) {
        codes.resize(rows * bytes);
        actions.resize(rows * width);
        numbers.resize(rows * width);
        weights.resize(rows);
        players.resize(rows);
    }

    void write(std::size_t to, const DecisionRows& from, std::size_t begin, std::size_t rows,
               std::size_t bytes, std::size_t width) {
        std::copy_n(from.codes.data() + begin * bytes, rows * bytes, codes.data.get() + to * bytes);
        std::copy_n(from.weights.data() + begin, rows, weights.data.get() + to);
        std::copy_n(from.players.data() + begin, rows, players.data.get() + to);
        for (std::size_t r = 0; r < rows; ++r) {
            const std::size_t first = from.first[begin + r];
            const std::size_t count = from.first[begin + r + 1] - first;
            Action* action = actions.data.get() + (to + r) * width;
            std::fill_n(std::copy_n(from.actions.data() + first, count, action), width - count,
                        Action(-1));
            float* number = numbers.data.get() + (to + r) * width;
            std::fill_n(std::copy_n(from.numbers.data() + first, count, number), width - count,
                        0.0f);
        }
    }
};

struct ValueTable {
    Block<std::uint8_t> codes;
    Block<Action> actions;
    Block<std::uint8_t> explored;
    Block<float> returns;

    void resize(std::size_t rows, std::size_t bytes) {
        codes.resize(rows * bytes);
        actions.resize(rows);
        explored.resize(rows);
        returns.resize(rows);
    }

    void write(std::size_t to, const ValueRows& from, std::size_t begin, std::size_t rows,
               std::size_t bytes) {
        std::copy_n(from.codes.data() + begin * bytes, rows * bytes, codes.data.get() + to * bytes);
        std::copy_n(from.actions.data() + begin, rows, actions.data.get() + to);
        std::copy_n(from.explored.data() + begin, rows, explored.data.get() + to);
        std::copy_n(from.returns.data() + begin, rows, returns.data.get() + to);
    }
};

struct SampleTables {
    DecisionTable regrets;
    DecisionTable strategies;
    ValueTable values;
    Counts counts;
};

class Harvest {
public:
    explicit Harvest(const Shape& shape)
        : bytes_(static_cast<std::size_t>(shape.code_bytes)),
          history_bytes_(static_cast<std::size_t>(shape.history_code_bytes)),
          width_(static_cast<std::size_t>(shape.most_actions)) {}

    void add(std::int64_t number, const Samples& samples) {
        crops_.push_back({number, rows_of(all_), rows_of(samples), samples.counts});
        all_.regrets.append(samples.regrets);
        all_.strategies.append(samples.strategies);
        all_.values.append(samples.values);
    }

    // Everything in the order of the traversals' numbers, which are those below `traversals`.
    static SampleTables in_order(const std::vector<const Harvest*>& harvests,
                                 std::int64_t traversals, int threads) {
        std::vector<Place> places(static_cast<std::size_t>(traversals));
        for (const Harvest* harvest : harvests) {
            for (const Crop& crop : harvest->crops_) {
                places[static_cast<std::size_t>(crop.number)] = {harvest, &crop, {}};
            }
        }
        SampleTables out;
        Rows end;
        for (Place& place : places) {
            place.to = end;
            end.regrets += place.crop->rows.regrets;
            end.strategies += place.crop->rows.strategies;
            end.values += place.crop->rows.values;
            out.counts.append(place.crop->counts);
        }
        const Harvest& any = *harvests.front();
        out.regrets.resize(end.regrets, any.bytes_, any.width_);
        out.strategies.resize(end.strategies, any.bytes_, any.width_);
        out.values.resize(end.values, any.history_bytes_);
        const auto parts = static_cast<std::size_t>(threads);
        const auto write = [&](std::size_t part) {
            const std::size_t last = places.size() * (part + 1) / parts;
            for (std::size_t i = places.size() * part / parts; i < last; ++i) {
                places[i].harvest->write(places[i], out);
            }
        };
        std::vector<std::thread> others;
        for (std::size_t part = 1; part < parts; ++part) others.emplace_back(write, part);
        write(0);
        for (std::thread& other : others) other.join();
        return out;
    }

private:
    struct Rows {
        std::size_t regrets = 0, strategies = 0, values = 0;
    };
    // One traversal's part.
    struct Crop {
        std::int64_t number;
        Rows from;
        Rows rows;
        Counts counts;
    };
    struct Place {
        const Harvest* harvest = nullptr;
        const Crop* crop = nullptr;
        Rows to;
    };

    static Rows rows_of(const Samples& samples) {
        return {samples.regrets.rows(), samples.strategies.rows(), samples.values.rows()};
    }

    void write(const Place& place, SampleTables& out) const {
        const Crop& crop = *place.crop;
        out.regrets.write(place.to.regrets, all_.regrets, crop.from.regrets, crop.rows.regrets,
                          bytes_, width_);
        out.strategies.write(place.to.strategies, all_.strategies, crop.from.strategies,
                             crop.rows.strategies, bytes_, width_);
        out.values.write(place.to.values, all_.values, crop.from.values, crop.rows.values,
                         history_bytes_);
    }

    std::size_t bytes_;
    std::size_t history_bytes_;
    std::size_t width_;
    Samples all_;
    std::vector<Crop> crops_;
};

}  // namespace fogtree::deep
