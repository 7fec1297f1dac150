// Merges information sets whose strategies stay equal in every iteration.
//
// Colour refinement on the sequence form: two information sets of a player get one colour if their
// actions see, colour by colour, the same payoffs against the same colours of the opponent, the
// same colours below and the same colour above. Under the coarsest such partition every
// deterministic regret minimizer that starts uniform plays identically in all members of a class,
// so running it on one representative gives the iterates of the whole game. Equilibria and their
// value carry over too.
//
// Grohe, Kersting, Mladenov & Selman, "Dimension reduction via colour refinement" (2014);
// Gilpin & Sandholm, "Lossless abstraction of imperfect information games" (2007).
// Deviations: payoffs count as equal if they agree when the last 4 bits of their fractions are
// rounded away; the result is verified afterwards and given up, never trusted, if any class is not
// uniform.
#pragma once

#include "tree/sequence_form.hpp"

namespace fogtree {

// The sequence form of a game of two players with equal information sets merged; `form` itself if
// there are none.
SequenceForm merge_equal(SequenceForm form);

}  // namespace fogtree
