/* A coin is tossed, player 0 sees it and player 1 guesses; with one fault of many. */
#include <fogtree_simulator.h>
#include <stddef.h>

typedef struct {
    int32_t coin, moves;
} state;

enum {
    NO_FAULT,
    OLD_VERSION,
    NO_STATE,
    LARGE_STATE,
    ONE_PLAYER,
    MANY_PLAYERS,
    NO_ROOT,
    NO_PLAYER,
    NO_CHOICES,
    NO_STEP,
    NO_KEY,
    NO_PAYOFF,
    STRANGE_ROOT,
    STRANGE_PLAYER,
    MANY_ACTIONS,
    ZERO_ACTIONS,
    ZERO_OUTCOMES,
    MANY_OUTCOMES,
    LARGE_PROBABILITIES,
    NEGATIVE_PROBABILITY,
    NAN_PROBABILITY,
    NAN_PAYOFF,
    ENDLESS,
    LONG,
    ONE_KEY,
    FAULTS
};

/* Each fault has a simulator of its own; its rules are the number of the fault. */
static int fault_numbers[FAULTS];
static fogtree_simulator simulators[FAULTS];

static int fault(const void* rules) {
    return *(const int*)rules;
}

static void root(const void* rules, void* at) {
    (void)rules;
    ((state*)at)->coin = -1;
}

static int32_t player(const void* rules, const void* at) {
    const state* s = at;
    int long_game = fault(rules) == ENDLESS || fault(rules) == LONG;
    if (fault(rules) == STRANGE_ROOT) return 2;
    if (s->coin < 0) return FOGTREE_CHANCE;
    if (fault(rules) == STRANGE_PLAYER) return -3;
    if (fault(rules) == ENDLESS) return 0;
    if (s->moves == (long_game ? 9000 : 2)) return FOGTREE_TERMINAL;
    return s->moves == 0 || long_game ? 0 : 1;
}

static int32_t choices(const void* rules, const void* at) {
    if (((const state*)at)->coin < 0) {
        if (fault(rules) == ZERO_OUTCOMES) return 0;
        return fault(rules) == MANY_OUTCOMES ? FOGTREE_MOST_OUTCOMES + 1 : 2;
    }
    if (fault(rules) == MANY_ACTIONS) return FOGTREE_MOST_ACTIONS + 1;
    if (fault(rules) == ONE_KEY) return ((const state*)at)->coin + 2;
    return fault(rules) == ZERO_ACTIONS ? 0 : 2;
}

static double probability(const void* rules, const void* at, int32_t outcome) {
    (void)at;
    if (fault(rules) == LARGE_PROBABILITIES) return 0.75;
    if (fault(rules) == NEGATIVE_PROBABILITY) return outcome == 0 ? -0.5 : 1.5;
    if (fault(rules) == NAN_PROBABILITY) return 0.0 / (double)(at == NULL);
    return outcome == 0 ? 0.25 : 0.75;
}

static void step(const void* rules, void* at, int32_t choice) {
    state* s = at;
    (void)rules;
    if (s->coin < 0) {
        s->coin = choice;
    } else {
        s->moves++;
    }
}

static uint64_t key(const void* rules, const void* at) {
    const state* s = at;
    if (fault(rules) == ONE_KEY) return 1;
    return s->moves == 0 ? (uint64_t)s->coin : 2;
}

static double payoff(const void* rules, const void* at, int32_t player) {
    if (fault(rules) == NAN_PAYOFF) return 0.0 / (double)(at == NULL);
    return player == 0 ? 1 : -1;
}

/* The simulator with this fault; NULL if there is no such number. */
const fogtree_simulator* faulty(int number) {
    fogtree_simulator* made = &simulators[number < 0 || number >= FAULTS ? 0 : number];
    if (number < 0 || number >= FAULTS) return NULL;
    fault_numbers[number] = number;
    made->version = number == OLD_VERSION ? 77 : FOGTREE_SIMULATOR_VERSION;
    made->state_bytes = number == NO_STATE ? 0 : number == LARGE_STATE ? 1025 : sizeof(state);
    made->players = number == ONE_PLAYER ? 1 : number == MANY_PLAYERS ? 61 : 2;
    made->rules = &fault_numbers[number];
    made->root = number == NO_ROOT ? NULL : root;
    made->player = number == NO_PLAYER ? NULL : player;
    made->choices = number == NO_CHOICES ? NULL : choices;
    made->probability = probability;
    made->step = number == NO_STEP ? NULL : step;
    made->key = number == NO_KEY ? NULL : key;
    made->payoff = number == NO_PAYOFF ? NULL : payoff;
    return made;
}
