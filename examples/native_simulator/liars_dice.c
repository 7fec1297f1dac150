/* Liar's dice as a native simulator: bid ever higher on all dice of two players, of which each sees
 * the own, or call the last bid a lie. The order of actions is that of fogtree's own game.
 *
 *   cc -O2 -shared -fPIC -I"$(python -c 'import fogtree; print(fogtree.include_dir())')" \
 *       liars_dice.c -o liars_dice.so
 */
#include <fogtree_simulator.h>
#include <stdlib.h>

enum { MOST_SIDES = 9, MOST_ROLLS = 1287 };

/* A roll is how many dice show each face; orders: of the dice, which give it. */
typedef struct {
    int8_t faces[MOST_SIDES];
    double orders;
} roll;

typedef struct {
    int32_t dice, sides, bids, rolls;
    double total; /* of all orders */
    roll roll[MOST_ROLLS];
    fogtree_simulator simulator;
} rules;

typedef struct {
    uint64_t history; /* hash of the bids */
    int16_t roll[2];  /* each player's, by its number */
    int16_t last;     /* the last bid, -1 before the first: b / sides + 1 dice of face b % sides */
    int8_t rolled, made, player;
} state;

static void root(const void* given, void* at) {
    state* s = at;
    (void)given;
    s->last = -1;
    s->player = FOGTREE_CHANCE;
}

static int32_t player(const void* given, const void* at) {
    (void)given;
    return ((const state*)at)->player;
}

static int32_t choices(const void* given, const void* at) {
    const rules* r = given;
    const state* s = at;
    if (s->player == FOGTREE_CHANCE) return r->rolls;
    return s->last < 0 ? r->bids : r->bids - s->last; /* higher bids; after the first, the call */
}

static double probability(const void* given, const void* at, int32_t outcome) {
    const rules* r = given;
    (void)at;
    return r->roll[outcome].orders / r->total;
}

static void step(const void* given, void* at, int32_t choice) {
    const rules* r = given;
    state* s = at;
    int bid = s->last + 1 + choice;
    if (s->player == FOGTREE_CHANCE) {
        s->roll[s->rolled++] = (int16_t)choice;
        if (s->rolled == 2) s->player = 0;
    } else if (bid == r->bids) {
        s->player = FOGTREE_TERMINAL; /* called */
    } else {
        s->last = (int16_t)bid;
        s->history = fogtree_extend_hash(s->history, bid);
        s->made++;
        s->player = (int8_t)(1 - s->player);
    }
}

static uint64_t key(const void* given, const void* at) {
    const state* s = at;
    (void)given;
    return fogtree_extend_hash(s->history, -1 - 2 * s->roll[s->player] - s->player);
}

static double payoff(const void* given, const void* at, int32_t player) {
    const rules* r = given;
    const state* s = at;
    int face = s->last % r->sides, wild = r->sides - 1, shown = 0, caller = s->made % 2;
    for (int p = 0; p < 2; ++p) {
        const roll* own = &r->roll[s->roll[p]];
        shown += own->faces[face] + (face == wild ? 0 : own->faces[wild]);
    }
    return (shown <= s->last / r->sides) == (player == caller) ? 1 : -1;
}

/* Adds all rolls of `left` more dice with faces from `lowest` on. */
static void list_rolls(rules* r, roll* so_far, int left, int lowest, double orders) {
    if (left == 0) {
        so_far->orders = orders;
        r->total += orders;
        r->roll[r->rolls++] = *so_far;
        return;
    }
    for (int face = lowest; face < r->sides; ++face) {
        int count = ++so_far->faces[face];
        list_rolls(r, so_far, left - 1, face, orders * (r->dice - left + 1) / count);
        --so_far->faces[face];
    }
}

/* The game with so many dice for each player; NULL if they are too many. It is never freed. */
const fogtree_simulator* liars_dice(int dice, int sides) {
    rules* r =
        dice < 1 || dice > 5 || sides < 2 || sides > MOST_SIDES ? NULL : calloc(1, sizeof *r);
    roll none = {{0}, 0};
    if (r == NULL) return NULL;
    r->dice = dice;
    r->sides = sides;
    r->bids = 2 * dice * sides;
    list_rolls(r, &none, dice, 0, 1);
    r->simulator = (fogtree_simulator){
        .version = FOGTREE_SIMULATOR_VERSION,
        .state_bytes = sizeof(state),
        .players = 2,
        .rules = r,
        .root = root,
        .player = player,
        .choices = choices,
        .probability = probability,
        .step = step,
        .key = key,
        .payoff = payoff,
    };
    return &r->simulator;
}
