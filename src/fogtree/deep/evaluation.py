"""The evaluations of a training run: its average policy, exploitability, win rates, validation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.measure import RunningAverage, network_strategy
from fogtree.deep.policy import POLICY, Policy
from fogtree.deep.trainer import Trainer
from fogtree.deep.uncompiled_policy import policy_response_values
from fogtree.deep.validator import Validation, validate
from fogtree.deep.win_rates import WinRate, win_rates
from fogtree.errors import OptionError
from fogtree.evaluate.best_response import exploitability
from fogtree.evaluate.uncompiled import has_responses
from fogtree.strategy import Strategy

LATEST = "latest.npz"


@dataclass(frozen=True, eq=False, slots=True)
class Evaluation:
    """The average policy after an iteration; of a compiled game also as a strategy."""

    iteration: int
    policy: Policy
    strategy: Strategy | None
    exploitability: float | None


class TrainerEvaluator:
    """Evaluates a trainer's policies; with a folder, it also saves them there."""

    def __init__(self, trainer: Trainer, folder: Path | None, threads: int) -> None:
        """Prepare the evaluations that the options ask for; the exact ones need a compiled game."""
        self.trainer, self.folder, self.threads = trainer, folder, threads
        self._check_responses()
        tree = trainer.prepared.tree
        exact = tree is not None and trainer.options.evaluation.exploitability
        self.tree = tree if exact else None
        self._average = None if self.tree is None else RunningAverage(self.tree.tree)
        self._found: Evaluation | None = None

    def _check_responses(self) -> None:
        """Refuse the option ``responses`` if the game has no best responses without compiling, or
        if the policy is many networks, of which one is drawn per game."""
        options, support = self.trainer.options, self.trainer.prepared.support
        prepared = self.trainer.prepared
        if prepared.tree is not None or not options.evaluation.responses:
            return
        if support is None or not has_responses(support.game):
            raise OptionError(f"[evaluation] responses: {prepared.game} has none")
        if options.run.average == "single":
            raise OptionError("[evaluation] responses need [run] average = 'network' or 'last'")

    @property
    def sums(self) -> NDArray[np.float64] | None:
        """The weighted sums, one per slot, that the exact average strategy is made of; they are
        part of a saved run. None if there is no exact average."""
        return None if self._average is None else self._average.sums

    def add_iteration(self) -> None:
        """Adds the current strategy to the exact average, if stored networks are averaged."""
        options = self.trainer.options
        if self.tree is not None and self._average and options.run.average == "single":
            trainer = self.trainer
            strategy = network_strategy(self.tree, trainer.strategy(), mix=trainer.gives_logits)
            weight = float(self.trainer.iteration) ** options.average.weight_exponent
            self._average.add(strategy, weight)

    def evaluate(self) -> Evaluation:
        """Fits, saves and measures the average policy, once per iteration."""
        if self._found is None or self._found.iteration != self.trainer.iteration:
            policy = self._marked(self._policy())
            if self.folder is not None:
                policy.save(self.folder / POLICY)
                self.latest().save(self.folder / LATEST)
            strategy = self._strategy()
            value = self._exploitability(strategy, policy)
            self._found = Evaluation(self.trainer.iteration, policy, strategy, value)
        return self._found

    def latest(self) -> Policy:
        """The policy of the last iteration, without averaging."""
        trainer = self.trainer
        networks = (tuple(trainer.current),)
        return self._marked(Policy(*self._game(), trainer.gives_logits, networks, (1.0,)))

    def _marked(self, policy: Policy) -> Policy:
        """The policy with a note of whether its game is compiled, and of the encoding if not."""
        prepared = self.trainer.prepared
        return replace(policy, compiled=not prepared.by_protocol, encoding=prepared.encoding)

    def matches(self, policy: Policy) -> dict[str, WinRate]:
        """Win rates of a policy against the agents that the options name."""
        options, support = self.trainer.options, self.trainer.prepared.support
        assert support is not None, "checked before the run"
        with self.trainer.counters.while_doing("evaluating by matches"):
            return win_rates(
                policy,
                support,
                options.evaluation.baselines,
                games=options.evaluation.games,
                seed=options.run.seed,
                threads=self.threads,
            )

    def validate(self) -> Validation:
        """Estimate the current strategy's regrets near the root by short walks."""
        trainer, options = self.trainer, self.trainer.options
        players = range(trainer.game.players)
        values = trainer.value if options.needs_value else []
        value = [values[trainer.owner(p)] for p in players] if values else []
        with trainer.counters.while_doing("validating"):
            return validate(
                trainer.prepared.engine,
                trainer.strategy(),
                value,
                depth=options.validation.es_validation_depth,
                traversals=options.validation.es_validation_traversals,
                iteration=trainer.iteration,
                seed=options.run.seed + 1,
                mix=trainer.gives_logits,
                uniform_fallback=options.traversal.uniform_fallback,
            )

    def _game(self) -> tuple[str, int]:
        """The game's name and number of players, as a policy stores them."""
        game = self.trainer.prepared.game
        return game.short_name or str(game), game.players

    def _policy(self) -> Policy:
        """The policy that a run gives: the average network, the stored networks by weight, or
        the last networks."""
        trainer, options = self.trainer, self.trainer.options
        if options.run.average == "last":
            return self.latest()
        if options.run.average == "network":
            return Policy.average(*self._game(), trainer.fit_average())
        power = options.average.weight_exponent
        weights = tuple(float(t + 1) ** power for t in range(len(trainer.stored)))
        return Policy(*self._game(), trainer.gives_logits, tuple(trainer.stored), weights)

    def _strategy(self) -> Strategy | None:
        """The policy of :meth:`_policy` as a strategy of the compiled game; None if the game is not
        compiled or its exploitability is not asked for."""
        if self.tree is None or self._average is None:
            return None
        trainer = self.trainer
        if trainer.options.run.average == "single":
            return self._average.strategy()
        if trainer.options.run.average == "last":
            return network_strategy(self.tree, trainer.strategy(), mix=trainer.gives_logits)
        players = range(trainer.game.players)
        networks = [trainer.average[trainer.owner(player)] for player in players]
        return network_strategy(self.tree, networks, mix=True)

    def _exploitability(self, strategy: Strategy | None, policy: Policy) -> float | None:
        """The exact exploitability: on the compiled game, or by best responses without it if the
        options ask for them."""
        support = self.trainer.prepared.support
        with self.trainer.counters.while_doing("evaluating exploitability"):
            if self.tree is not None and strategy is not None:
                return exploitability(self.tree.tree, strategy).exploitability
            if support is not None and self.trainer.options.evaluation.responses:
                return policy_response_values(policy, support, threads=self.threads).exploitability
        return None
