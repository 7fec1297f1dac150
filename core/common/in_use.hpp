// Refuses conflicting uses of an object: Python may call it from any thread, from callbacks and
// from signal handlers, while the interpreter's lock is released.
#pragma once

#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace fogtree {

// Thrown when an object is used while another use of it excludes that. `what` names the object.
class InUseError : public std::runtime_error {
public:
    explicit InUseError(const char* what)
        : std::runtime_error(std::string(what) +
                             " is in use, by another thread or by the call that this callback "
                             "belongs to") {}
};

// A lock that throws InUseError instead of waiting: at any time one thread may change an object, or
// any number of threads may read it.
class InUse {
public:
    // `what`: the name of the object in the error's message.
    explicit InUse(const char* what) : what_(what) {}
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

    // An exclusive use, from construction to destruction. The constructor throws InUseError if the
    // object is in use in any way, also by the same thread.
    class Alone {
    public:
        explicit Alone(InUse& of) : of_(of) {
            const std::scoped_lock lock(of.mutex_);
            if (of.owner_ != std::thread::id() || of.readers_ > 0) throw InUseError(of.what_);
            of.owner_ = std::this_thread::get_id();
        }
        Alone(const Alone&) = delete;
        Alone& operator=(const Alone&) = delete;
        ~Alone() {
            const std::scoped_lock lock(of_.mutex_);
            of_.owner_ = std::thread::id();
        }

    private:
        InUse& of_;
    };

    // A shared use that only reads. The constructor throws InUseError if another thread has the
    // exclusive use; the thread that has it may read too, for example in a callback.
    class Reading {
    public:
        explicit Reading(InUse& of) : of_(of) {
            const std::scoped_lock lock(of.mutex_);
            const std::thread::id me = std::this_thread::get_id();
            if (of.owner_ != std::thread::id() && of.owner_ != me) throw InUseError(of.what_);
            ++of.readers_;
        }
        Reading(const Reading&) = delete;
        Reading& operator=(const Reading&) = delete;
        ~Reading() {
            const std::scoped_lock lock(of_.mutex_);
            --of_.readers_;
        }

    private:
        InUse& of_;
    };

    Alone alone() { return Alone(*this); }
    Reading reading() { return Reading(*this); }

private:
    const char* what_;
    std::mutex mutex_;
    std::thread::id owner_;
    int readers_ = 0;
};

}  // namespace fogtree
