// Which decisions of a walk are written down. Of the many that are met few find a place in a
// reservoir; one that has less than a certain chance of it is dropped where it is met with the
// rest of that chance, by random numbers that the walk itself does not use.
#pragma once

#include "../sampling/random.hpp"

namespace fogtree::deep {

// What share of the decisions met is written down.
struct Shares {
    double regrets = 1;
    double strategies = 1;
};

class Sieve {
public:
    Sieve() : dice_(0, 0, 0) {}
    Sieve(const Shares& shares, Random dice) : shares_(shares), dice_(dice) {}

    bool keeps_regret() { return keeps(shares_.regrets); }
    bool keeps_strategy() { return keeps(shares_.strategies); }

private:
    bool keeps(double share) { return share >= 1 || (share > 0 && dice_.coin(share)); }

    Shares shares_;
    Random dice_;
};

}  // namespace fogtree::deep
