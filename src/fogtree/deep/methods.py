"""Training methods by name."""

from __future__ import annotations

from collections.abc import Mapping

from fogtree.deep.config import TrainingMethod, TrainingOptions
from fogtree.deep.cumulative_regrets import CumulativeRegretTrainer
from fogtree.deep.mirror_descent import MirrorDescentTrainer
from fogtree.deep.pipelined import PipelinedTrainer
from fogtree.deep.trainer import Trainer
from fogtree.deep.training import DeepTrainer

METHODS: Mapping[TrainingMethod, type[Trainer]] = {
    "deep_cfr": DeepTrainer,
    "dcfr_plus": CumulativeRegretTrainer,
    "mmd": MirrorDescentTrainer,
}


def trainer_class(options: TrainingOptions) -> type[Trainer]:
    """The class of the trainer that options ask for."""
    return PipelinedTrainer if options.run.pipelined else METHODS[options.run.method]
