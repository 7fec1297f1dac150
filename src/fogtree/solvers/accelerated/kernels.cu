// Regret minimization on an NVIDIA GPU: all iterations of a call in one kernel, whose blocks run side
// by side and meet at barriers.
//
// An iteration of one player is a product of payoffs with the other's reach, a sweep up the own
// decisions, level by level, that updates regrets and strategies, and a sweep down that turns
// strategies into reach and averages it. The rules are those of the native engine
// (core/tree/rules.cpp); only the order of additions and multiplications differs.
//
// REAL, THREADS (of a block) and BLOCKS (of a multiprocessor) are defined by whoever compiles this
// text, at run time.

typedef REAL Real;

// Lanes (information sets) of a chunk. A chunk is four numbers: first position, positions between
// two actions, actions, first lane.
const int kChunk = 16;

// Levels whose reach one step of the sweep down computes, each by a walk up to the levels before.
const int kWalk = 16;

// One player's arrays, as core/tree/device_layout.hpp describes them. All members have 8 bytes.
struct Side {
    const int4* chunks;
    const int* level_begin;
    const int* lane_parent;
    const int* above;  // per position: the position of its parent sequence
    const Real* copies;
    const int2* rows;
    const int2* terms;
    const Real* payoffs;
    const int* child_begin;
    const int* children;
    const Real* members;
    Real* regret;
    Real* strategy;
    Real* reach;
    double* average;
    Real* utility;
    Real* value;     // per lane
    Real* measured;  // the reach that is evaluated
    long long levels;
    long long size;
};

// The threads of all blocks, numbered so that neighbouring warps are in different blocks, and the
// barrier at which they meet.
struct Grid {
    unsigned* arrivals;
    long long thread, threads;

    __device__ explicit Grid(unsigned* counter)
        : arrivals(counter),
          thread(((long long)(threadIdx.x / 32) * gridDim.x + blockIdx.x) * 32 + threadIdx.x % 32),
          threads((long long)gridDim.x * blockDim.x) {}

    // Waits until all blocks have called it: the count of arrivals must reach the next multiple of
    // the number of blocks.
    __device__ void wait() const {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            const unsigned ticket = atomicAdd(arrivals, 1u);
            const unsigned goal = (ticket / gridDim.x + 1) * gridDim.x;
            while (*(volatile unsigned*)arrivals < goal) {}
            __threadfence();
        }
        __syncthreads();
    }
};

// The numbers of one iteration.
struct Step {
    Real positive, negative;  // discounts of regrets
    Real prediction;          // the part of the last regret that is expected to come again
    double share;             // of the iteration in the average
};

// Copies both players' tables of addresses to the memory that the block shares.
__device__ inline void load_sides(Side* sides, const Side* given) {
    for (unsigned p = threadIdx.x; p < 2; p += blockDim.x) sides[p] = given[p];
    __syncthreads();
}

// The absolute value.
__device__ inline Real magnitude(Real x) {
    return x < 0 ? -x : x;
}

// Calls visit(chunk, lane within it) for the lanes of the levels [from, to).
template <class Visit>
__device__ inline void each_lane(const Side& s, const Grid& grid, int from, int to, Visit visit) {
    const long long end = (long long)s.level_begin[to] * kChunk;
    for (long long k = (long long)s.level_begin[from] * kChunk + grid.thread; k < end;
         k += grid.threads) {
        visit(s.chunks[k / kChunk], (int)(k % kChunk));
    }
}

// Sets the utilities of the positions from `begin` on: the payoffs times the other player's reach.
// A row's second number is 32 times its number of terms, plus its place in the vectors of payoffs.
__device__ inline void product(const Side& s, const Grid& grid, const Real* reach, int begin) {
    for (long long at = begin + grid.thread; at < s.size; at += grid.threads) {
        const int2 row = s.rows[at];
        const int2* terms = s.terms + row.x;
        const Real* payoffs = s.payoffs + (row.y & 31);
        const int count = row.y >> 5;
        Real sum = 0;
#pragma unroll 8
        for (int k = 0; k < count; ++k) {
            const int2 term = terms[k];
            sum += payoffs[term.y] * reach[term.x];
        }
        s.utility[at] = sum;
    }
}

// The first position of a level; behind the last one, the end of all positions.
__device__ inline long long level_position(const Side& s, int level) {
    return level < s.levels ? s.chunks[s.level_begin[level]].x : s.size;
}

// Adds the values of the information sets below to the utilities of a level.
__device__ inline void collect(const Side& s, const Grid& grid, int level) {
    const long long end = level_position(s, level + 1);
    for (long long at = level_position(s, level) + grid.thread; at < end; at += grid.threads) {
        const int first = s.child_begin[at], count = s.child_begin[at + 1] - first;
        if (count == 0) continue;
        Real sum = s.utility[at];
#pragma unroll 8
        for (int k = 0; k < count; ++k) sum += s.value[s.children[first + k]];
        s.utility[at] = sum;
    }
}

// Updates regrets and strategy of one information set with at most `most` actions, whose numbers
// are kept in registers, and sets its value. Regrets below `noise` are rounding and count as 0.
template <int most>
__device__ inline void update(const Side& s, const int4& chunk, int lane, const Step& step) {
    const int actions = most <= 4 ? most : chunk.z;
    const int first = chunk.x + lane, stride = chunk.y, number = chunk.w + lane;
    Real kept[most];
    Real value = 0, largest = 0, whole = 0;
#pragma unroll
    for (int a = 0; a < most; ++a) kept[a] = a < actions ? s.utility[first + a * stride] : Real(0);
#pragma unroll
    for (int a = 0; a < most; ++a) {
        if (a < actions) value += s.strategy[first + a * stride] * kept[a];
        largest = magnitude(kept[a]) > largest ? magnitude(kept[a]) : largest;
    }
    const Real noise = largest * (sizeof(Real) == 4 ? Real(0x1p-21) : Real(0x1p-44));
#pragma unroll
    for (int a = 0; a < most; ++a) {
        if (a >= actions) continue;
        Real now = kept[a] - value;
        now = magnitude(now) > noise ? now : Real(0);
        Real total = s.regret[first + a * stride] + now;
        total *= total > 0 ? step.positive : step.negative;
        s.regret[first + a * stride] = total;
        const Real weight = total + now * step.prediction;
        kept[a] = weight > 0 ? weight : Real(0);
        whole += kept[a];
    }
    const Real uniform = Real(1) / Real(actions);
#pragma unroll
    for (int a = 0; a < most; ++a) {
        if (a < actions) s.strategy[first + a * stride] = whole > 0 ? kept[a] / whole : uniform;
    }
    s.value[number] = value * s.copies[number];
}

// As `update`, for any number of actions; what that keeps in registers is written to `utility`.
__device__ inline void update_wide(const Side& s, const int4& chunk, int lane, const Step& step) {
    const int first = chunk.x + lane, end = first + chunk.z * chunk.y, number = chunk.w + lane;
    Real value = 0, largest = 0, whole = 0;
    for (int at = first; at < end; at += chunk.y) {
        const Real found = s.utility[at];
        value += s.strategy[at] * found;
        largest = magnitude(found) > largest ? magnitude(found) : largest;
    }
    const Real noise = largest * (sizeof(Real) == 4 ? Real(0x1p-21) : Real(0x1p-44));
    for (int at = first; at < end; at += chunk.y) {
        Real now = s.utility[at] - value;
        now = magnitude(now) > noise ? now : Real(0);
        Real total = s.regret[at] + now;
        total *= total > 0 ? step.positive : step.negative;
        s.regret[at] = total;
        Real weight = total + now * step.prediction;
        weight = weight > 0 ? weight : Real(0);
        s.utility[at] = weight;
        whole += weight;
    }
    const Real uniform = Real(1) / Real(chunk.z);
    for (int at = first; at < end; at += chunk.y) {
        s.strategy[at] = whole > 0 ? s.utility[at] / whole : uniform;
    }
    s.value[number] = value * s.copies[number];
}

// Updates all information sets of a level.
__device__ inline void update_level(const Side& s, const Grid& grid, int level, const Step& step) {
    each_lane(s, grid, level, level + 1, [&](const int4& chunk, int lane) {
        if (chunk.z == 2) return update<2>(s, chunk, lane, step);
        if (chunk.z == 3) return update<3>(s, chunk, lane, step);
        if (chunk.z == 4) return update<4>(s, chunk, lane, step);
        if (chunk.z <= 8) return update<8>(s, chunk, lane, step);
        if (chunk.z <= 16) return update<16>(s, chunk, lane, step);
        return update_wide(s, chunk, lane, step);
    });
}

// The player's own reach of a sequence, by walking up from its position `parent` to one before
// `limit`, where reach is known.
__device__ inline Real reach_above(const Side& s, int parent, int limit) {
    Real product = 1;
    while (parent >= limit) {
        product *= s.strategy[parent];
        parent = s.above[parent];
    }
    return product * s.reach[parent];
}

// Moves the average of the levels [from, to) towards their old reach by `share`, and computes their
// new reach from the strategies.
__device__ inline void push_levels(const Side& s, const Grid& grid, int from, int to,
                                   double share) {
    const int limit = s.chunks[s.level_begin[from]].x;
    each_lane(s, grid, from, to, [&](const int4& chunk, int lane) {
        const Real above = reach_above(s, s.lane_parent[chunk.w + lane], limit);
#pragma unroll 4
        for (int a = 0; a < chunk.z; ++a) {
            const int at = chunk.x + lane + a * chunk.y;
            const double average = s.average[at];
            s.average[at] = average + share * ((double)s.reach[at] - average);
            s.reach[at] = above * s.strategy[at];
        }
    });
}

// Updates the players [first, end) once, each against the other's reach: products, a sweep up and a
// sweep down.
__device__ inline void move(const Side* sides, const Grid& grid, int first, int end,
                            const Step& step) {
    int levels = 0;
#pragma unroll 1
    for (int p = first; p < end; ++p) {
        product(sides[p], grid, sides[1 - p].reach, kChunk);
        levels = sides[p].levels > levels ? (int)sides[p].levels : levels;
    }
#pragma unroll 1
    for (int level = levels - 1; level >= 0; --level) {
        grid.wait();
        if (level < levels - 1) {
#pragma unroll 1
            for (int p = first; p < end; ++p) {
                if (level < sides[p].levels) collect(sides[p], grid, level);
            }
            grid.wait();
        }
#pragma unroll 1
        for (int p = first; p < end; ++p) {
            if (level < sides[p].levels) update_level(sides[p], grid, level, step);
        }
    }
#pragma unroll 1
    for (int from = 0; from < levels; from += kWalk) {
        grid.wait();
#pragma unroll 1
        for (int p = first; p < end; ++p) {
            const int own = (int)sides[p].levels, to = from + kWalk;
            if (from < own) push_levels(sides[p], grid, from, to < own ? to : own, step.share);
        }
    }
    grid.wait();
}

// Runs iterations. `weights` has for each of them: the discounts of positive and of negative
// regrets, and its share in the average.
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
    iterate(const Side* given, unsigned* arrivals, const double* weights, int iterations,
            int alternating, double prediction) {
    __shared__ Side sides[2];
    load_sides(sides, given);
    const Grid grid(arrivals);
    for (int k = 0; k < iterations; ++k) {
        const double* w = weights + 3 * k;
        const Step step = {(Real)w[0], (Real)w[1], (Real)prediction, w[2]};
        const int movers = alternating ? 1 : 2;
#pragma unroll 1
        for (int first = 0; first < 2; first += movers) {
            move(sides, grid, first, first + movers, step);
        }
    }
}

// Computes both players' reach from the current strategies; averages stay as they are.
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
    spread(const Side* given, unsigned* arrivals) {
    __shared__ Side sides[2];
    load_sides(sides, given);
    const Grid grid(arrivals);
    for (int p = 0; p < 2; ++p) {
        const int levels = (int)sides[p].levels;
        for (int from = 0; from < levels; from += kWalk) {
            push_levels(sides[p], grid, from, from + kWalk < levels ? from + kWalk : levels, 0.0);
            grid.wait();
        }
    }
}

// Sets the value of each information set of a level to that of its best action.
__device__ inline void maximise_level(const Side& s, const Grid& grid, int level) {
    each_lane(s, grid, level, level + 1, [&](const int4& chunk, int lane) {
        const int first = chunk.x + lane;
        Real best = s.utility[first];
        for (int a = 1; a < chunk.z; ++a) {
            const Real found = s.utility[first + a * chunk.y];
            best = found > best ? found : best;
        }
        s.value[chunk.w + lane] = best * s.copies[chunk.w + lane];
    });
}

// Computes both players' values, and the values of best responses, under the average strategies or
// the last ones. `sums` gets for each player the value, then the best response's, as one part per
// thread.
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
    evaluate(const Side* given, unsigned* arrivals, int last, double* sums) {
    __shared__ Side sides[2];
    load_sides(sides, given);
    const Grid grid(arrivals);
    for (int p = 0; p < 2; ++p) {
        const Side& s = sides[p];
        for (long long at = grid.thread; at < s.size; at += grid.threads) {
            s.measured[at] = last ? s.reach[at] : (Real)s.average[at];
        }
    }
    grid.wait();
    for (int p = 0; p < 2; ++p) {
        const Side& s = sides[p];
        product(s, grid, sides[1 - p].measured, 0);
        double value = 0, best = 0;
        for (long long at = grid.thread; at < s.size; at += grid.threads) {
            value += (double)(s.members[at] * s.measured[at] * s.utility[at]);
        }
        for (int level = (int)s.levels - 1; level >= 0; --level) {
            grid.wait();
            collect(s, grid, level);
            grid.wait();
            maximise_level(s, grid, level);
        }
        grid.wait();
        if (grid.thread == 0) best = (double)s.utility[0];
        const int end = s.child_begin[1];
        for (long long k = s.child_begin[0] + grid.thread; k < end; k += grid.threads) {
            best += (double)s.value[s.children[k]];
        }
        sums[(2 * p) * grid.threads + grid.thread] = value;
        sums[(2 * p + 1) * grid.threads + grid.thread] = best;
    }
}
