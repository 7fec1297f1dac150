// Traversals in two halves: the processor plays, somebody else runs the networks.
//
// Lanes are in groups. While one group waits for its answers the others play on, so that the
// processor and an accelerator are busy together. Each group's lanes are shared out to all threads.
#pragma once

#include <atomic>
#include <bit>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "engine.hpp"
#include "harvest.hpp"
#include "lane.hpp"

namespace fogtree::deep {

template <DeepGame Game>
class LaneSession : public Session {
public:
    LaneSession(const Game& game, const Options& options, ValueForm form, const Task& task,
                int groups, int lanes)
        : game_(game),
          options_(options),
          form_(form),
          task_(task),
          networks_(static_cast<std::size_t>(game.shape().players) + 1),
          groups_(static_cast<std::size_t>(groups)) {
        const auto threads = static_cast<std::size_t>(task.threads);
        harvests_.assign(threads, Harvest(game.shape()));
        queues_.resize(threads);
        for (Group& group : groups_) {
            group.sections.resize(threads);
            for (std::size_t w = 0; w < threads; ++w) fill(group.sections[w], lanes, w);
        }
        for (std::size_t w = 0; w < threads; ++w) workers_.emplace_back([this, w] { work(w); });
        for (std::size_t g = 0; g < groups_.size(); ++g) submit(g, {});
    }

    ~LaneSession() override {
        {
            const std::lock_guard lock(mutex_);
            closing_ = true;
        }
        changed_.notify_all();
        for (std::thread& worker : workers_) worker.join();
    }

    const Questions& collect(std::size_t g) override {
        Group& group = groups_.at(g);
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return group.pending == 0; });
            if (error_) std::rethrow_exception(error_);
        }
        if (group.fresh) gather(group);
        group.fresh = false;
        return group.questions;
    }

    void resume(std::size_t g, const Answers& answers) override {
        const Questions& asked = collect(g);
        const Shape& shape = game_.shape();
        if (answers.strategy_rows < asked.strategy_rows || answers.value_rows < asked.value_rows ||
            (asked.strategy_rows > 0 && answers.strategy_width != shape.actions) ||
            (asked.value_rows > 0 &&
             answers.value_width != (form_ == ValueForm::histories ? 1 : shape.actions))) {
            throw std::invalid_argument("answers that do not fit the questions");
        }
        submit(g, answers);
    }

    SampleTables finish() override {
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            const Questions& asked = collect(g);
            if (asked.strategy_rows + asked.value_rows > 0) {
                throw std::invalid_argument("there are unanswered questions");
            }
        }
        std::vector<const Harvest*> harvests;
        for (const Harvest& harvest : harvests_) harvests.push_back(&harvest);
        return Harvest::in_order(harvests, task_.traversals, task_.threads);
    }

private:
    using Walker = Lane<Game, Random>;

    // Questions to one network of one thread's lanes.
    struct Batch {
        std::vector<std::uint8_t> codes;
        std::vector<std::uint32_t> askers;
        std::size_t rows = 0;
        std::size_t first = 0;  // its first row among those of all threads

        void clear() {
            codes.clear();
            askers.clear();
            rows = 0;
        }
    };
    // One thread's lanes of a group.
    struct Section {
        std::vector<Walker> lanes;
        std::vector<std::int64_t> numbers;
        std::vector<Batch> asked, asking;  // by network; the last is the value network
        std::vector<float> numbers_wanted;
        bool begun = false;
    };
    struct Group {
        std::vector<Section> sections;
        Questions questions;
        Answers answers;
        int pending = 0;
        bool fresh = true;
    };

    void fill(Section& section, int lanes, std::size_t worker) {
        const auto threads = static_cast<std::size_t>(task_.threads);
        const auto all = static_cast<std::size_t>(lanes);
        const std::size_t count = all * (worker + 1) / threads - all * worker / threads;
        section.lanes.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            section.lanes.emplace_back(game_, options_, form_, stream(task_, 1, 0));
        }
        section.numbers.resize(count);
        section.asked.resize(networks_);
        section.asking.resize(networks_);
    }

    void submit(std::size_t g, const Answers& answers) {
        {
            const std::lock_guard lock(mutex_);
            groups_[g].answers = answers;
            groups_[g].pending = task_.threads;
            groups_[g].fresh = true;
            for (auto& queue : queues_) queue.push_back(g);
        }
        changed_.notify_all();
    }

    void work(std::size_t w) {
        for (;;) {
            std::size_t g;
            {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [&] { return closing_ || !queues_[w].empty(); });
                if (closing_) return;
                g = queues_[w].front();
                queues_[w].pop_front();
            }
            try {
                play(groups_[g], groups_[g].sections[w], harvests_[w]);
            } catch (...) {
                const std::lock_guard lock(mutex_);
                error_ = std::current_exception();
            }
            bool last;
            {
                const std::lock_guard lock(mutex_);
                last = --groups_[g].pending == 0;
            }
            if (last) changed_.notify_all();
        }
    }

    // Every lane of the section goes on to its next question.
    void play(const Group& group, Section& section, Harvest& harvest) {
        std::swap(section.asked, section.asking);
        for (Batch& batch : section.asking) batch.clear();
        if (!section.begun) {
            section.begun = true;
            for (std::uint32_t i = 0; i < section.lanes.size(); ++i) begin(section, i, harvest);
            return;
        }
        for (std::size_t n = 0; n < networks_; ++n) {
            std::size_t row = section.asked[n].first;
            for (const std::uint32_t i : section.asked[n].askers) {
                Walker& lane = section.lanes[i];
                const auto rows = static_cast<std::size_t>(lane.rows());
                if (lane.answer(read(group.answers, lane, row, section.numbers_wanted))) {
                    ask(section, i);
                } else {
                    harvest.add(section.numbers[i], lane.samples);
                    begin(section, i, harvest);
                }
                row += rows;
            }
        }
    }

    void begin(Section& section, std::uint32_t i, Harvest& harvest) {
        for (;;) {
            const std::int64_t number = next_.fetch_add(1, std::memory_order_relaxed);
            if (number >= task_.traversals) return;
            section.numbers[i] = number;
            const Random source = stream(task_, game_.shape().players, number);
            if (section.lanes[i].start(task_.traverser, source)) return ask(section, i);
            harvest.add(number, section.lanes[i].samples);
        }
    }

    void ask(Section& section, std::uint32_t i) {
        const Walker& lane = section.lanes[i];
        const bool value = lane.asks_value();
        const auto bytes = static_cast<std::size_t>(value ? game_.shape().history_code_bytes
                                                          : game_.shape().code_bytes);
        Batch& batch =
            section.asking[value ? networks_ - 1 : static_cast<std::size_t>(lane.player())];
        batch.codes.insert(batch.codes.end(), lane.code(0),
                           lane.code(0) + bytes * static_cast<std::size_t>(lane.rows()));
        batch.askers.push_back(i);
        batch.rows += static_cast<std::size_t>(lane.rows());
    }

    // Of a finite number. The exponent's bias differs by 112.
    static float from_half(std::uint16_t half) {
        const std::uint32_t bits = static_cast<std::uint32_t>(half & 0x7fff) << 13;
        const float size = std::bit_cast<float>(bits) * 0x1p112f;
        return half & 0x8000 ? -size : size;
    }

    // The outputs a lane wants, out of all.
    const float* read(const Answers& answers, const Walker& lane, std::size_t row,
                      std::vector<float>& wanted) const {
        const bool value = lane.asks_value();
        const void* table = value ? answers.values : answers.strategies;
        const auto width =
            static_cast<std::size_t>(value ? answers.value_width : answers.strategy_width);
        wanted.clear();
        for (int r = 0; r < lane.rows(); ++r) {
            const std::size_t from = (row + static_cast<std::size_t>(r)) * width;
            for (int k = 0; k < lane.count(); ++k) {
                const std::size_t place = from + static_cast<std::size_t>(lane.wanted()[k]);
                wanted.push_back(answers.halves
                                     ? from_half(static_cast<const std::uint16_t*>(table)[place])
                                     : static_cast<const float*>(table)[place]);
            }
        }
        return wanted.data();
    }

    // All threads' questions one after the other, by network.
    void gather(Group& group) {
        Questions& out = group.questions;
        out.codes.clear();
        out.history_codes.clear();
        out.player_rows.clear();
        std::size_t rows = 0;
        for (std::size_t n = 0; n < networks_; ++n) {
            const bool value = n + 1 == networks_;
            if (value) rows = 0;
            const std::size_t before = rows;
            for (Section& section : group.sections) {
                Batch& batch = section.asking[n];
                batch.first = rows;
                rows += batch.rows;
                auto& codes = value ? out.history_codes : out.codes;
                codes.insert(codes.end(), batch.codes.begin(), batch.codes.end());
            }
            if (!value) out.player_rows.push_back(rows - before);
            (value ? out.value_rows : out.strategy_rows) = rows;
        }
    }

    const Game& game_;
    const Options options_;
    const ValueForm form_;
    const Task task_;
    std::size_t networks_;
    std::atomic<std::int64_t> next_{0};
    std::vector<Group> groups_;
    std::vector<Harvest> harvests_;  // one per thread
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::deque<std::size_t>> queues_;  // one per thread: groups to play
    bool closing_ = false;
    std::exception_ptr error_;
    std::vector<std::thread> workers_;
};

}  // namespace fogtree::deep
