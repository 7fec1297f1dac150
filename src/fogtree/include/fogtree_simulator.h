/* A simulator of a game for fogtree's samplers, in plain C: how your own package provides one.
 *
 * Fill in a fogtree_simulator and hand it to fogtree.native_simulator() in Python, as a capsule
 * named FOGTREE_SIMULATOR_CAPSULE or through ctypes. It must stay as it is for as long as the
 * capsule lives, or, without a capsule, until the program ends.
 *
 * Functions are called from several threads at once and without Python's lock. They change nothing
 * but the state that they are given, and the same arguments always give the same result.
 */
#ifndef FOGTREE_SIMULATOR_H
#define FOGTREE_SIMULATOR_H

#include <stdint.h>

#define FOGTREE_SIMULATOR_VERSION 1
#define FOGTREE_SIMULATOR_CAPSULE "fogtree.simulator"

#define FOGTREE_CHANCE (-1)   /* player() where chance moves */
#define FOGTREE_TERMINAL (-2) /* player() where the game is over */

#define FOGTREE_MOST_STATE_BYTES 1024
#define FOGTREE_MOST_PLAYERS 60
#define FOGTREE_MOST_ACTIONS 1024      /* of a player at one state */
#define FOGTREE_MOST_OUTCOMES 10000000 /* of chance at one state */
#define FOGTREE_MOST_MOVES 10000       /* from the first state to the end */

#ifdef __cplusplus
extern "C" {
#endif

/* The rules of a game. A state is a block of memory of state_bytes bytes, aligned to 16: it is
 * copied byte by byte, so it must not point to memory of its own. */
typedef struct fogtree_simulator {
    uint32_t version;     /* FOGTREE_SIMULATOR_VERSION */
    uint32_t state_bytes; /* 1 to FOGTREE_MOST_STATE_BYTES */
    int32_t players;      /* 2 to FOGTREE_MOST_PLAYERS */
    const void* rules;    /* handed to every function; may be NULL */

    /* Writes the first state; the memory is zero before. */
    void (*root)(const void* rules, void* state);
    /* Who moves: a player's number from 0, FOGTREE_CHANCE or FOGTREE_TERMINAL. */
    int32_t (*player)(const void* rules, const void* state);
    /* The number of legal actions, or of outcomes of chance; at least 1. Not called at the end. */
    int32_t (*choices)(const void* rules, const void* state);
    /* The probability of an outcome of chance; those of one state sum to 1. NULL: outcomes are
     * equally likely everywhere. */
    double (*probability)(const void* rules, const void* state, int32_t outcome);
    /* Changes a state to the one after an action or outcome, a number from 0 to choices() - 1. */
    void (*step)(const void* rules, void* state, int32_t choice);
    /* The key of the mover's information set: equal where the mover has seen and done the same
     * since the beginning of the game, different everywhere else, for other players too. */
    uint64_t (*key)(const void* rules, const void* state);
    /* A player's payoff at the end; a finite number. */
    double (*payoff)(const void* rules, const void* state, int32_t player);
} fogtree_simulator;

/* The hash of a list with `number` appended, given the hash of the list without it (0: empty). A
 * way to make keys of long histories; _core.extend_hash in Python gives the same. */
static inline uint64_t fogtree_extend_hash(uint64_t hash, int64_t number) {
    hash += UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)number;
    hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
    return hash ^ (hash >> 31);
}

#ifdef __cplusplus
}
#endif

#endif
