// The samples of finished traversals: collected by each thread in the order they finish, then read
// in the order of the traversals' numbers, so that the result does not depend on the threads.
#pragma once

#include <array>
#include <stdexcept>

#include "common/thread_team.hpp"
#include "deep/tables.hpp"

namespace fogtree::deep {

// The kinds of samples: a member of Samples each.
enum class Kind : std::uint8_t { regrets, strategies, values };
inline constexpr std::size_t kSampleKinds = 3;

using Rows = std::array<std::size_t, kSampleKinds>;  // a number of rows for each kind

// The samples of the traversals that one thread has finished.
class SampleBatch {
public:
    // Where the rows of one traversal are.
    struct Walk {
        std::int64_t number;  // of the traversal in its task
        Rows from;            // first row in `all`
        Rows rows;            // rows kept
        Rows met;             // rows that the walk produced, with those not kept
        Counts counts;
    };

    // Adds the samples of the traversal with this number.
    void add(std::int64_t number, const Samples& samples) {
        const Rows met{samples.regrets.met, samples.strategies.met, samples.values.rows()};
        walks_.push_back({number, rows_of(all_), rows_of(samples), met, samples.counts});
        all_.regrets.append(samples.regrets);
        all_.strategies.append(samples.strategies);
        all_.values.append(samples.values);
    }

    // The traversals, in the order in which they finished, and the rows of all of them.
    const std::vector<Walk>& walks() const { return walks_; }
    const Samples& all() const { return all_; }

private:
    // How many rows of each kind the samples have.
    static Rows rows_of(const Samples& samples) {
        return {samples.regrets.rows(), samples.strategies.rows(), samples.values.rows()};
    }

    Samples all_;
    std::vector<Walk> walks_;
};

// The samples of all threads, as if they were one list of rows for each kind.
class CollectedSamples {
public:
    // Takes the threads' batches, which together have the traversals 0 to `traversals` - 1. Rows
    // are numbered in the order of the traversals, whichever thread made them, so that samples do
    // not depend on the threads; first_[kind][t] is the first row of traversal t.
    CollectedSamples(const Shape& shape, std::vector<SampleBatch> batches, std::int64_t traversals)
        : code_bytes_(static_cast<std::size_t>(shape.code_bytes)),
          history_code_bytes_(static_cast<std::size_t>(shape.history_code_bytes)),
          width_(static_cast<std::size_t>(shape.most_actions)),
          batches_(std::move(batches)),
          places_(static_cast<std::size_t>(traversals)) {
        for (std::uint32_t h = 0; h < batches_.size(); ++h) {
            const auto& walks = batches_[h].walks();
            for (std::uint32_t c = 0; c < walks.size(); ++c) {
                places_[static_cast<std::size_t>(walks[c].number)] = {h, c};
            }
        }
        for (auto& first : first_) first.resize(places_.size() + 1);
        for (std::size_t t = 0; t < places_.size(); ++t) {
            const SampleBatch::Walk& walk = walk_at(places_[t]);
            for (std::size_t k = 0; k < kSampleKinds; ++k) {
                first_[k][t + 1] = first_[k][t] + walk.rows[k];
                met_[k] += walk.met[k];
            }
            counts_.append(walk.counts);
        }
    }

    const Counts& counts() const { return counts_; }
    std::int64_t traversals() const { return static_cast<std::int64_t>(places_.size()); }
    std::size_t code_bytes() const { return code_bytes_; }
    std::size_t history_code_bytes() const { return history_code_bytes_; }
    std::size_t width() const { return width_; }
    std::size_t rows(Kind kind) const { return first_[at(kind)].back(); }
    std::size_t met(Kind kind) const { return met_[at(kind)]; }  // rows, and those not kept

    // The `count` samples of regrets or strategies with these row numbers (nullptr: the first
    // `count`) as columns; `threads` copy them.
    DecisionTable decisions(Kind kind, const std::int64_t* numbers, std::size_t count,
                            int threads) const {
        const auto part = decisions_of(kind);
        return table<DecisionTable>(kind, part, code_bytes_, numbers, count, threads);
    }
    // The `count` value samples with these row numbers (nullptr: the first `count`) as columns;
    // `threads` copy them.
    ValueTable values(const std::int64_t* numbers, std::size_t count, int threads) const {
        return table<ValueTable>(Kind::values, &Samples::values, history_code_bytes_, numbers,
                                 count, threads);
    }
    // For every kept row its number, from 0, among all rows of its kind that the walks produced.
    Block<std::int64_t> order(Kind kind) const {
        Block<std::int64_t> out;
        out.resize(rows(kind));
        std::int64_t before = 0;
        std::size_t to = 0;
        for (const Place& place : places_) {
            const SampleBatch::Walk& walk = walk_at(place);
            const Samples& all = batches_[place.batch].all();
            const auto& order = (all.*decisions_of(kind)).order;
            for (std::size_t r = 0; r < walk.rows[at(kind)]; ++r) {
                out.data[to++] = before + order[walk.from[at(kind)] + r] - 1;
            }
            before += static_cast<std::int64_t>(walk.met[at(kind)]);
        }
        return out;
    }
    // For every sample of regrets or strategies, the player whose decision it was.
    Block<std::int8_t> players(Kind kind) const {
        const auto part = decisions_of(kind);
        return column<std::int8_t>(kind, [part](const Samples& samples, std::size_t row) {
            return (samples.*part).players[row];
        });
    }
    // For every value sample, whether its action was an exploring one.
    Block<std::uint8_t> explored() const {
        return column<std::uint8_t>(Kind::values, [](const Samples& samples, std::size_t row) {
            return samples.values.explored[row];
        });
    }

private:
    // Where a walk's samples are.
    struct Place {
        std::uint32_t batch = 0;
        std::uint32_t walk = 0;
    };

    static std::size_t at(Kind kind) { return static_cast<std::size_t>(kind); }
    // The member of Samples that has the decisions of this kind.
    static DecisionRows Samples::* decisions_of(Kind kind) {
        if (kind == Kind::values) throw std::invalid_argument("value samples have no decisions");
        return kind == Kind::regrets ? &Samples::regrets : &Samples::strategies;
    }
    const SampleBatch::Walk& walk_at(const Place& place) const {
        return batches_[place.batch].walks()[place.walk];
    }

    // The `count` rows with these numbers (nullptr: the first `count`) as one table; `threads` copy
    // parts of it. `part` is the member of Samples that has the rows, `bytes` the length of a code.
    template <class Table, class Part>
    Table table(Kind kind, Part part, std::size_t bytes, const std::int64_t* numbers,
                std::size_t count, int threads) const {
        check_threads(threads);
        Table out;
        out.resize(count, bytes, width_);
        const auto& first = first_[at(kind)];
        const auto write = [&](std::size_t begin, std::size_t end) {
            std::size_t t = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const std::size_t row = numbers ? static_cast<std::size_t>(numbers[i]) : i;
                if (row < first[t] || row >= first[t + 1]) {
                    const auto above = std::upper_bound(first.begin(), first.end(), row);
                    t = static_cast<std::size_t>(above - first.begin()) - 1;
                }
                const SampleBatch::Walk& walk = walk_at(places_[t]);
                const Samples& all = batches_[places_[t].batch].all();
                out.write(i, all.*part, walk.from[at(kind)] + row - first[t], bytes, width_);
            }
        };
        for (std::size_t i = 0; numbers && i < count; ++i) {
            if (numbers[i] < 0 || static_cast<std::size_t>(numbers[i]) >= rows(kind)) {
                throw std::out_of_range("no such row");
            }
        }
        write_in_parallel(count, threads, write);
        return out;
    }

    // One number per row of a kind, which `read(samples, row)` takes from a thread's samples.
    template <class T, class Read>
    Block<T> column(Kind kind, Read&& read) const {
        Block<T> out;
        out.resize(rows(kind));
        std::size_t to = 0;
        for (const Place& place : places_) {
            const SampleBatch::Walk& walk = walk_at(place);
            const Samples& all = batches_[place.batch].all();
            for (std::size_t r = 0; r < walk.rows[at(kind)]; ++r) {
                out.data[to++] = read(all, walk.from[at(kind)] + r);
            }
        }
        return out;
    }

    // Calls `write(begin, end)` for ranges that together cover the rows [0, count), each on a
    // thread of its own; few rows are one range.
    template <class Write>
    static void write_in_parallel(std::size_t count, int threads, const Write& write) {
        constexpr std::size_t kRowsPerThread = 4096;  // fewer are not worth a thread
        const auto parts = static_cast<int>(
            std::clamp<std::size_t>(count / kRowsPerThread, 1, static_cast<std::size_t>(threads)));
        run_on_threads(parts, [&](int part) {
            const Share share = share_of(count, parts, part);
            write(share.begin, share.end);
        });
    }

    std::size_t code_bytes_;
    std::size_t history_code_bytes_;
    std::size_t width_;
    std::vector<SampleBatch> batches_;
    std::vector<Place> places_;  // by traversal
    std::array<std::vector<std::size_t>, kSampleKinds>
        first_;  // row of each traversal, and the end
    Rows met_{};
    Counts counts_;
};

}  // namespace fogtree::deep
