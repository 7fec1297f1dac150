// Payoffs that do not depend on a decision move above it.
//
// If all actions of an information set pay the same against something, the decision is irrelevant
// there: for its own player the same number is added to every action's utility, which changes no
// regret, and for the other player the actions' reaches only ever count together, as the reach of
// the sequence above. So the payoff can stand at the sequence above, once, and be lifted again from
// there. Once a game of goofspiel is decided, for example, nothing below matters.
#pragma once

#include "tree/sequence_form.hpp"

namespace fogtree {

// Lifts the payoffs of a game of two players. Regrets, best responses and values stay the same; the
// utilities of all actions of an information set may change by the same number.
void lift_payoffs(SequenceForm& form);

}  // namespace fogtree
