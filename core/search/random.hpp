// A small, fast, reproducible source of random numbers (splitmix64; Steele, Lea & Flood, 2014).
#pragma once

#include <cstddef>
#include <cstdint>

namespace fogtree::search {

inline std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

inline std::uint64_t combined(std::uint64_t a, std::uint64_t b) {
    return mixed(a * 0x9e3779b97f4a7c15ULL + b + 0x632be59bd9b4e019ULL);
}

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(mixed(seed + 0x9e3779b97f4a7c15ULL)) {}
    std::uint64_t next() { return mixed(state_ += 0x9e3779b97f4a7c15ULL); }
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    std::size_t below(std::size_t n) {
        return static_cast<std::size_t>((static_cast<unsigned __int128>(next()) * n) >> 64);
    }
    bool coin() { return next() >> 63 != 0; }

private:
    std::uint64_t state_;
};

}  // namespace fogtree::search
