"""The terms of an analysis explained in a sentence each, for the pages that show its numbers."""

from __future__ import annotations

FACTS = {
    "evaluator": "what estimates the positions at the ends of the search tree; net is a neural "
    "network",
    "own moves": "the moves that this side has made so far",
    "plays": "the action that the search chose; where several have a probability, one is drawn at "
    "random by them",
    "value": "what this side expects to get, in payoffs; in chess -1 is lost, 0 even, +1 won",
    "p_max": "how likely the other side goes for a gain from this plan, in the information set "
    "where that is likeliest; at 0 the plan is safe",
    "Nash gap": "what both sides together could still gain in this tree; 0 where it is solved",
    "belief": "the positions that fit everything this side has seen",
    "tree": "how far the search looked ahead; a node is a history, a ply one move of one side",
    "carried over": "what was kept of the tree of this side's last search",
    "work": "an iteration is one pass of the solver, an expansion adds the moves after a position",
}
"""Meanings of the facts of an analysis, by their names."""

CANDIDATES = (
    "played: how often the search plays the action. strategy: the same in the solver's last mix, "
    "before a plan that is not safe is cut down to its likeliest action. value: what the search "
    "expects after the action, in payoffs. visits: how often the search walked through it; an "
    "action with few visits was hardly looked at, so that its value is a first estimate, and "
    "several such actions may share one."
)
MIX = "The probabilities of the solver's last mix while the search ran."
CONVERGENCE = (
    "margin: at an information set of the other side, this side's value if it is played on minus "
    "its alternate value, if the other side stays out; where that is negative the other side gains "
    "by going in, and the plan is not safe. our and their gain: what a best response would win in "
    "the tree so far; together they are the Nash gap."
)
POSITIONS = (
    "share: how likely the position is for this side. value: what this side expects there. set: "
    "the number of the information set that the other side would be in. line: the likeliest moves. "
    "Positions that look the same, such as boards that differ only in the right to castle or in "
    "how they came about, are one row: their shares are added, value is their mean, and position, "
    "set and line are those of the likeliest."
)
OPPONENT_SETS = (
    "Everything the other side may know now, as far as this side can tell. possible: positions of "
    "the set that this side cannot rule out. prior: how likely the set was taken to be. reach: how "
    "likely both sides' last strategies lead there. alternate: what this side gets if the other "
    "side stays out of the new plan. margin: value minus alternate. enters: how often the other "
    "side goes in, by the Resolve gadget. maxmargin: how often the Maxmargin gadget, which raises "
    "the smallest margin, picks the set."
)
OPPONENT_BELIEF = (
    "weight: how likely the position is for the other side in this set. possible: whether this "
    "side cannot rule it out either."
)
KNOWLEDGE = (
    "Nodes of the last tree that are kept if knowledge is followed this far: order 1 is what this "
    "side knows, order 2 what it knows of the other side's knowledge, and so on."
)
LEVELS = "expanded: nodes whose moves are in the tree. ends: nodes where the game is over."
