// Traversals whose networks run elsewhere, for example on an accelerator.
//
// Walks are divided into groups. While one group waits for the outputs of its networks, the others
// run, so that processor and accelerator are busy at the same time. The walks of a group are
// divided among all threads; each thread writes its questions into its own section of the group's
// batch and reads the answers in place. Batches have a fixed size: a walk whose question does not
// fit asks in the next batch. When a thread has few walks left and no traversals are left to begin,
// it may run the networks itself, so that the longest walks do not need a batch for each of their
// decisions.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>

#include "common/thread_team.hpp"
#include "deep/engine.hpp"
#include "deep/native_answers.hpp"
#include "deep/sample_batch.hpp"
#include "deep/suspended_walk.hpp"

namespace fogtree::deep {

// The room of a batch per walk. Questions that need more find it where others need less, or wait.
inline constexpr std::size_t kWantedPerRow = 8;     // outputs
inline constexpr std::size_t kHistoriesPerRow = 3;  // histories

// The walks of one task, divided into groups and threads.
template <DeepGame Game>
class WalkSession : public Session {
public:
    // Starts the threads and all groups. Each group has `walks` walks, rounded up to a multiple of
    // the number of threads.
    WalkSession(const Game& game, const Options& options, ValueForm form, const Task& task,
                int groups, int walks, const Finish& finish)
        : game_(game),
          options_(options),
          form_(form),
          task_(task),
          finish_(finish),
          groups_(static_cast<std::size_t>(groups)),
          batches_(static_cast<std::size_t>(task.threads)),
          scratches_(static_cast<std::size_t>(task.threads), WalkScratch(game.shape())),
          queues_(static_cast<std::size_t>(task.threads)),
          workers_(queues_.size()) {
        const std::size_t threads = queues_.size();
        sizes_ = sizes_for((static_cast<std::size_t>(walks) + threads - 1) / threads);
        for (Group& group : groups_) {
            make_batch(group.questions);
            group.sections.resize(threads);
        }
        for (std::size_t w = 0; w < threads; ++w) {
            if (workers_.start([this, w] { work(w); })) continue;
            close();
            throw ThreadsUnavailable(threads);
        }
        for (std::size_t g = 0; g < groups_.size(); ++g) submit(g, {});
    }

    ~WalkSession() override { close(); }

    const BatchSizes& sizes() const override { return sizes_; }

    // Waits until all threads have written the questions of group `g`, and returns them.
    const Questions& collect(std::size_t g) override {
        Group& group = groups_.at(g);
        {
            std::unique_lock lock(group.mutex);
            group.asked.wait(lock, [&] { return group.pending == 0; });
            if (group.error) std::rethrow_exception(group.error);
        }
        Questions& found = group.questions;
        found.asked = 0;
        found.fullest = {};
        for (const Section& section : group.sections) {
            found.asked += section.asked_rows;
            const BatchSizes& used = section.used;
            BatchSizes& most = found.fullest;
            most = {std::max(most.rows, used.rows), std::max(most.wanted, used.wanted),
                    std::max(most.value_rows, used.value_rows),
                    std::max(most.value_wanted, used.value_wanted)};
        }
        return found;
    }

    // Hands the answers to the questions of group `g` to the threads, which go on with its walks.
    // Each thread has an equal part of the arrays.
    void resume(std::size_t g, const Answers& answers) override {
        if (finished_) throw std::invalid_argument("the session has finished");
        const BatchSizes& used = collect(g).fullest;
        const std::size_t threads = queues_.size();
        if (answers.strategy_count % threads != 0 || answers.value_count % threads != 0 ||
            answers.strategy_count < used.wanted * threads ||
            answers.value_count < used.value_wanted * threads) {
            throw std::invalid_argument("answers that do not fit the questions");
        }
        submit(g, answers);
    }

    // Ends the session and returns the samples of all walks; throws if some have not ended.
    CollectedSamples finish() override {
        if (finished_) throw std::invalid_argument("the session has finished");
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            if (collect(g).asked > 0) {
                throw std::invalid_argument("there are unanswered questions");
            }
        }
        finished_ = true;
        return CollectedSamples(game_.shape(), std::move(batches_), task_.traversals);
    }

private:
    // Ends the threads, whatever they have left to do.
    void close() {
        for (Queue& queue : queues_) {
            const std::lock_guard lock(queue.mutex);
            queue.closing = true;
            queue.changed.notify_one();
        }
        workers_.join();
    }

    using Walk = SuspendedWalk<Game, CounterRandom>;

    // The question of one walk in a batch.
    struct Asked {
        std::uint32_t walk;   // index in the section
        std::uint32_t first;  // index of its first output in the section's answers
        bool value;           // it is for the value network
    };
    // One thread's walks of a group.
    struct Section {
        std::vector<Walk> walks;
        std::vector<std::int64_t> numbers;           // which traversal each walk is at
        std::vector<Asked> asked, asking;            // questions of the last batch and of this one
        std::vector<std::uint32_t> waiting, waited;  // walks that did not fit: this batch, the last
        BatchSizes used;                             // rows of this batch in use
        std::size_t asked_rows = 0;
        std::int64_t rounds = 0;
        bool begun = false;  // the walks have been made
    };
    // A group of walks, which asks all its questions in one batch.
    struct Group {
        std::vector<Section> sections;
        Questions questions;
        Answers answers;
        std::mutex mutex;
        std::condition_variable asked;
        int pending = 0;  // threads that have not yet resumed their walks
        std::exception_ptr error;
    };
    // The groups whose walks one thread has to resume, in this order.
    struct Queue {
        std::mutex mutex;
        std::condition_variable changed;
        std::deque<std::size_t> groups;
        bool closing = false;
    };

    // The size of a thread's section of a batch for this many walks; row numbers have 16 bits.
    BatchSizes sizes_for(std::size_t walks) const {
        if (walks > 65536) throw std::invalid_argument("at most 65,536 walks a thread and group");
        const auto most = static_cast<std::size_t>(game_.shape().most_actions);
        const std::size_t wanted = std::max(most, walks * std::min(most, kWantedPerRow));
        if (form_ == ValueForm::none) return {walks, wanted, 0, 0};
        if (form_ == ValueForm::actions) return {walks, wanted, walks, wanted};
        const std::size_t rows = std::max(most, walks * std::min(most, kHistoriesPerRow));
        return {walks, wanted, rows, rows};
    }

    // Makes the arrays of a batch in their full size.
    void make_batch(Questions& batch) const {
        const std::size_t threads = queues_.size();
        const Shape& shape = game_.shape();
        batch.codes.resize(threads * sizes_.rows * static_cast<std::size_t>(shape.code_bytes));
        batch.players.resize(threads * sizes_.rows);
        batch.wanted.resize(threads * sizes_.wanted * 2);
        batch.history_codes.resize(threads * sizes_.value_rows * history_bytes());
        if (form_ == ValueForm::actions) {
            batch.value_wanted.resize(threads * sizes_.value_wanted * 2);
        }
    }

    // Makes the walks of thread w's section; each gets its random stream when it starts.
    void fill(Section& section, std::size_t w) {
        section.walks.reserve(sizes_.rows);
        for (std::size_t i = 0; i < sizes_.rows; ++i) {
            section.walks.emplace_back(game_, options_, form_, stream(task_, 1, 0), scratches_[w]);
        }
        section.numbers.resize(sizes_.rows);
    }

    // Puts group `g` with its answers in the queue of every thread.
    void submit(std::size_t g, const Answers& answers) {
        {
            const std::lock_guard lock(groups_[g].mutex);
            groups_[g].answers = answers;
            groups_[g].pending = task_.threads;
        }
        for (Queue& queue : queues_) {
            {
                const std::lock_guard lock(queue.mutex);
                queue.groups.push_back(g);
            }
            queue.changed.notify_one();
        }
    }

    // What thread w does: it resumes its walks of the groups in its queue, until the session is
    // closed. An error is stored in the group, where `collect` throws it.
    void work(std::size_t w) {
        while (const std::optional<std::size_t> g = next_group(queues_[w])) {
            Group& group = groups_[*g];
            std::exception_ptr error;
            try {
                play(group, w);
            } catch (...) {
                error = std::current_exception();
            }
            const std::lock_guard lock(group.mutex);
            if (error) group.error = error;
            if (--group.pending == 0) group.asked.notify_all();
        }
        for (Group& group : groups_) group.sections[w] = {};
    }

    // Waits for the next group in a thread's queue and takes it; nullopt once the session closes.
    static std::optional<std::size_t> next_group(Queue& queue) {
        std::unique_lock lock(queue.mutex);
        queue.changed.wait(lock, [&] { return queue.closing || !queue.groups.empty(); });
        if (queue.closing) return std::nullopt;
        const std::size_t g = queue.groups.front();
        queue.groups.pop_front();
        return g;
    }

    // Throws if thread w's samples take more than its share of the memory.
    void look_at_memory(std::size_t w) const {
        std::size_t bytes = batches_[w].all().bytes();
        for (const Group& group : groups_) bytes += sample_bytes(group.sections[w].walks);
        check_memory(task_, bytes);
    }

    // Gives every walk of thread w's section its answer and runs it to its next question, which
    // goes into the new batch; finished walks are followed by new ones. The first call for a group
    // makes and starts its walks.
    void play(Group& group, std::size_t w) {
        Section& section = group.sections[w];
        std::swap(section.asked, section.asking);
        std::swap(section.waiting, section.waited);
        section.asking.clear();
        section.waiting.clear();
        section.used = {};
        section.asked_rows = 0;
        if (!section.begun) {
            section.begun = true;
            fill(section, w);
            for (std::uint32_t i = 0; i < section.walks.size(); ++i) begin(group, w, i);
            return;
        }
        if (section.rounds++ % kRoundsPerLook == 0) look_at_memory(w);
        for (const std::uint32_t i : section.waited) ask(group, w, i);
        for (std::size_t k = 0; k < section.asked.size(); ++k) {
            prefetch(section, k);
            const Asked& question = section.asked[k];
            const Answers& all = group.answers;
            const std::size_t threads = queues_.size();
            const float* numbers = question.value
                                       ? all.values + w * (all.value_count / threads)
                                       : all.strategies + w * (all.strategy_count / threads);
            Walk& walk = section.walks[question.walk];
            if (walk.answer(numbers + question.first)) {
                ask(group, w, question.walk);
            } else {
                batches_[w].add(section.numbers[question.walk], walk.samples);
                begin(group, w, question.walk);
            }
        }
        const std::size_t left = section.asking.size() + section.waiting.size();
        if (left <= finish_.walks && next_ >= task_.traversals) finish_alone(section, w);
    }

    // Runs the section's remaining walks to their ends with native networks.
    void finish_alone(Section& section, std::size_t w) {
        std::vector<Walk*> active;
        for (const Asked& question : section.asking) {
            active.push_back(&section.walks[question.walk]);
        }
        for (const std::uint32_t i : section.waiting) active.push_back(&section.walks[i]);
        section.asking.clear();
        section.waiting.clear();
        section.used = {};
        section.asked_rows = 0;
        NativeAnswers<Game, Walk> answers(game_, finish_.networks);
        for (std::int64_t round = 0; !active.empty(); ++round) {
            if (round % kRoundsPerLook == 0) look_at_memory(w);
            for (Walk* walk : active) answers.ask(*walk);
            active.clear();
            answers.answer([&](Walk& walk, const float* numbers) {
                if (walk.answer(numbers)) {
                    active.push_back(&walk);
                } else {
                    const auto place = static_cast<std::size_t>(&walk - section.walks.data());
                    batches_[w].add(section.numbers[place], walk.samples);
                }
            });
        }
    }

    // Loads walks that will soon be resumed into the cache while the walk of question k runs; they
    // are far apart in memory. First the walk itself, then the memory that it points to.
    static void prefetch(const Section& section, std::size_t k) {
        if (k + 4 < section.asked.size()) {
            const auto* walk =
                reinterpret_cast<const char*>(&section.walks[section.asked[k + 4].walk]);
            for (std::size_t at = 0; at < sizeof(Walk); at += 64) __builtin_prefetch(walk + at);
        }
        if (k + 2 < section.asked.size()) section.walks[section.asked[k + 2].walk].prefetch();
    }

    // Starts the next traversal in walk i of thread w's section, and so on until one asks a
    // question or none is left.
    void begin(Group& group, std::size_t w, std::uint32_t i) {
        Section& section = group.sections[w];
        for (;;) {
            const std::int64_t number = next_.fetch_add(1, std::memory_order_relaxed);
            if (number >= task_.traversals) return;
            section.numbers[i] = number;
            const int players = game_.shape().players;
            if (section.walks[i].start(task_.traverser, stream(task_, players, number),
                                       filter_for(task_, players, number))) {
                return ask(group, w, i);
            }
            batches_[w].add(number, section.walks[i].samples);
        }
    }

    // Writes the question of walk i into thread w's section of the batch; if there is no room, the
    // walk waits for the next batch.
    void ask(Group& group, std::size_t w, std::uint32_t i) {
        Section& section = group.sections[w];
        const Walk& walk = section.walks[i];
        const auto rows = static_cast<std::size_t>(walk.rows());
        const std::size_t wanted = rows * static_cast<std::size_t>(walk.count());
        BatchSizes& used = section.used;
        const bool value = walk.asks_value();
        const bool fits =
            value ? used.value_rows + rows <= sizes_.value_rows &&
                        used.value_wanted + wanted <= sizes_.value_wanted
                  : used.rows + rows <= sizes_.rows && used.wanted + wanted <= sizes_.wanted;
        if (!fits) {
            section.waiting.push_back(i);
            return;
        }
        const std::size_t first = value ? used.value_wanted : used.wanted;
        section.asking.push_back({i, static_cast<std::uint32_t>(first), value});
        section.asked_rows += rows;
        if (value) {
            write_value(group.questions, w, walk, used);
        } else {
            write_strategy(group.questions, w, walk, used);
        }
    }

    // Adds a question to a player's network to the section of thread w: the code, the player, and
    // the pairs of row and output that are wanted. `used` counts the rows in use.
    void write_strategy(Questions& out, std::size_t w, const Walk& walk, BatchSizes& used) {
        const auto bytes = static_cast<std::size_t>(game_.shape().code_bytes);
        const std::size_t row = w * sizes_.rows + used.rows;
        std::copy_n(walk.code(0), bytes, out.codes.data() + row * bytes);
        out.players[row] = static_cast<std::uint8_t>(walk.player());
        write_wanted(out.wanted.data() + 2 * (w * sizes_.wanted + used.wanted), used.rows, walk);
        used.wanted += static_cast<std::size_t>(walk.count());
        ++used.rows;
    }

    // Adds a question to the value network to the section of thread w: the codes of its histories
    // and, if the network has an output per action, the pairs of row and output that are wanted.
    void write_value(Questions& out, std::size_t w, const Walk& walk, BatchSizes& used) {
        const auto rows = static_cast<std::size_t>(walk.rows());
        const std::size_t row = w * sizes_.value_rows + used.value_rows;
        std::copy_n(walk.code(0), rows * history_bytes(),
                    out.history_codes.data() + row * history_bytes());
        if (form_ == ValueForm::actions) {
            write_wanted(
                out.value_wanted.data() + 2 * (w * sizes_.value_wanted + used.value_wanted),
                used.value_rows, walk);
        }
        used.value_wanted += rows * static_cast<std::size_t>(walk.count());
        used.value_rows += rows;
    }

    // Writes the pairs of row and output that a walk wants; `row` is that of its code.
    static void write_wanted(std::uint16_t* out, std::size_t row, const Walk& walk) {
        for (int k = 0; k < walk.count(); ++k) {
            *out++ = static_cast<std::uint16_t>(row);
            *out++ = static_cast<std::uint16_t>(walk.wanted()[k]);
        }
    }

    std::size_t history_bytes() const {
        return static_cast<std::size_t>(game_.shape().history_code_bytes);
    }

    const Game& game_;
    const Options options_;
    const ValueForm form_;
    const Task task_;
    const Finish finish_;
    BatchSizes sizes_;
    std::atomic<std::int64_t> next_{0};  // the next traversal to start
    std::vector<Group> groups_;
    std::vector<SampleBatch> batches_;    // one per thread
    std::vector<WalkScratch> scratches_;  // one per thread
    std::vector<Queue> queues_;           // one per thread
    bool finished_ = false;
    JoinedThreads workers_;
};

}  // namespace fogtree::deep
