"""Trains the network of Fog-of-War chess that comes with the package.

Usage: python scripts/fog_net_train.py OUT.fognet --train A.npz B.npz --held-out C.npz

Needs PyTorch, which the package itself does not. The positions are those of
`fog_net_positions.py`. The model is that of docs/reference/files.md; all that its file rounds is
rounded while it learns, with the gradient of what was there before, so that little is lost when
it is written. Prints the error on the held-out games, of `simple` too.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from scipy.sparse import csr_array
from torch import Tensor, nn

from fogtree.games.fog_chess.network.file import write_net
from fogtree.games.fog_chess.network.net import (
    FIRST,
    ONE,
    OUTPUT_ONE,
    PASSED_ON,
    SECOND,
    WEIGHT_ONE,
    FogNet,
)

FEATURES = 12 * 64  # one bucket for the king; the one after them stands for no piece
STACKS = 8
DESCRIPTION = (
    "Trained by scripts/fog_net_train.py on 3.2 million positions of Fog-of-War games "
    "with the static values of Stockfish 15.1's network"
)
OWN_KING, OTHER_KING = 11, 12
WORTH = np.repeat(np.array([100, 300, 325, 500, 900, 0]) / 543, 2) * np.tile([1, -1], 6)


@dataclass(frozen=True)
class Positions:
    """Positions as inputs of the network: ``features`` (n, 2, 32) has the numbers of the pieces as
    the mover and as the other side sees them, ``stack`` which of the network's STACKS of layers
    values a position, by its number of pieces. ``labels`` are the values to learn, ``simple`` those
    of the evaluator `simple`, to compare with."""

    features: np.ndarray
    stack: np.ndarray
    labels: np.ndarray
    simple: np.ndarray


def view(boards: np.ndarray, king: int) -> np.ndarray:
    """The features of boards (n, 64) as one side sees them, (n, 32): plane * 64 + square for each
    piece, then FEATURES for no piece. Boards have the side's own pieces at the bottom; ``king`` is
    the number of its king there."""
    # Boards are mirrored left to right (7 flips a square's file) so that the king is on the right.
    turn = 7 * ((boards == king).argmax(axis=1) % 8 < 4)
    rows, squares = np.nonzero(boards)
    planes = boards[rows, squares].astype(np.int64) - 1
    if king == OTHER_KING:
        planes ^= 1  # swaps own and other pieces, whose planes alternate
    counts = np.bincount(rows, minlength=len(boards))
    place = np.arange(rows.size) - np.repeat(np.cumsum(counts) - counts, counts)
    found = np.full((len(boards), 32), FEATURES, np.int16)
    found[rows, place] = planes * 64 + (squares ^ turn[rows])
    return found


def load(paths: list[str]) -> Positions:
    """The positions of all files that `fog_net_positions.py` wrote."""
    parts = []
    for path in paths:
        with np.load(path) as stored:
            boards = stored["boards"]
            over = boards.reshape(-1, 8, 8)[:, ::-1].reshape(-1, 64)
            features = np.stack([view(boards, OWN_KING), view(over, OTHER_KING)], axis=1)
            stack = ((boards > 0).sum(axis=1) - 1) * STACKS // 32
            parts.append((features, stack.astype(np.int8), stored["labels"], stored["simple"]))
    return Positions(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def rounded(numbers: Tensor, one: float) -> Tensor:
    """Numbers rounded as in the file, where the integer ``one`` stands for 1; the gradient passes
    as if nothing were rounded."""
    return numbers + ((numbers * one).round() / one - numbers).detach()


def floored(numbers: Tensor) -> Tensor:
    """As :func:`rounded`, for activations: these are rounded down, and ONE stands for 1."""
    return numbers + (torch.floor(numbers * ONE + 1e-3) / ONE - numbers).detach()


class Sums(torch.autograd.Function):
    """For each row of ``features``, the sum of the rows of ``table`` that it names, as PyTorch's
    ``embedding_bag`` computes it; the backward pass by SciPy is several times faster."""

    @staticmethod
    def forward(context: Any, features: Tensor, table: Tensor) -> Tensor:
        context.features, context.rows = features.numpy(), len(table)
        return nn.functional.embedding_bag(features, table, mode="sum")

    @staticmethod
    def backward(context: Any, gradient: Tensor) -> tuple[None, Tensor]:
        count, most = context.features.shape
        ones = np.ones(count * most, np.float32)
        ends = np.arange(0, count * most + 1, most)
        chosen = csr_array((ones, context.features.ravel(), ends), shape=(count, context.rows))
        found = torch.from_numpy(chosen.T @ gradient.numpy())
        found[-1] = 0  # no piece
        return None, found


class Model(nn.Module):
    """The network with floating-point weights; :meth:`network` makes the integers of the file."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width
        table = torch.randn(FEATURES + 1, width + STACKS) * 0.05
        table[:-1, width:] = torch.tensor(np.repeat(WORTH, 64)[:, None], dtype=torch.float32)
        table[-1] = 0
        self.table = nn.Parameter(table)  # weight and psqt side by side
        self.bias = nn.Parameter(torch.full((width,), 0.3))
        self.first_weight = nn.Parameter(torch.randn(STACKS, FIRST, width) * 0.1)
        self.first_bias = nn.Parameter(torch.zeros(STACKS, FIRST))
        self.second_weight = nn.Parameter(torch.randn(STACKS, SECOND, 2 * PASSED_ON) * 0.15)
        self.second_bias = nn.Parameter(torch.full((STACKS, SECOND), 0.1))
        self.third_weight = nn.Parameter(torch.randn(STACKS, SECOND) * 0.1)
        self.third_bias = nn.Parameter(torch.zeros(STACKS))

    def forward(self, features: Tensor, counts: list[int]) -> Tensor:
        """The values of a batch of positions, (n, 2, 32), that is ordered by stack; ``counts`` says
        how many positions each stack has."""
        weight = rounded(self.table[:, : self.width], ONE)
        table = torch.cat([weight, self.table[:, self.width :]], dim=1)
        sums = Sums.apply(features.view(-1, 32), table).view(-1, 2, self.width + STACKS)
        half = (sums[..., : self.width] + rounded(self.bias, ONE)).clamp(0, 1)
        low, high = half.chunk(2, dim=2)
        inputs = floored(low * high * (ONE / 128)).flatten(1)
        psqt = (sums[:, 0, self.width :] - sums[:, 1, self.width :]) / 2
        starts = np.cumsum([0, *counts])
        parts = [
            self.layers(stack, inputs[start : start + count]) + psqt[start : start + count, stack]
            for stack, (start, count) in enumerate(zip(starts, counts, strict=False))
        ]
        return torch.tanh(torch.cat(parts))

    def layers(self, stack: int, inputs: Tensor) -> Tensor:
        """The output of one stack's layers for its positions, before piece values are added."""
        first_weight = rounded(self.first_weight[stack], WEIGHT_ONE)
        first = inputs @ first_weight.T + self.first_bias[stack]
        passed = first[:, :PASSED_ON]
        squares = (passed * passed * (ONE / 128)).clamp(max=1)
        middle = floored(torch.cat([squares, passed.clamp(0, 1)], dim=1))
        second_weight = rounded(self.second_weight[stack], WEIGHT_ONE)
        last = floored((middle @ second_weight.T + self.second_bias[stack]).clamp(0, 1))
        third_weight = rounded(self.third_weight[stack], OUTPUT_ONE / ONE)
        return last @ third_weight + self.third_bias[stack] + first[:, PASSED_ON]

    @torch.no_grad()
    def keep_within_bytes(self) -> None:
        """Cut weights to what fits into signed bytes once they are quantised."""
        self.first_weight.clamp_(-1.98, 1.98)
        self.second_weight.clamp_(-1.98, 1.98)
        self.third_weight.clamp_(-1.68, 1.68)

    def network(self, description: str) -> FogNet:
        """The network with integers, as it is written to a file."""
        floats = {name: part.detach().numpy() for name, part in self.named_parameters()}
        table = floats.pop("table")[:FEATURES]
        floats |= {"weight": table[:, : self.width], "psqt": table[:, self.width :]}
        return FogNet.quantised(description, np.zeros(64), mirrored=True, **floats)


def batch(data: Positions, chosen: np.ndarray) -> tuple[Tensor, list[int], Tensor]:
    """The ``chosen`` positions ordered by stack: their features, how many each stack has, and their
    labels."""
    chosen = chosen[np.argsort(data.stack[chosen], kind="stable")]
    counts = np.bincount(data.stack[chosen], minlength=STACKS).tolist()
    features = torch.from_numpy(data.features[chosen].astype(np.int32))
    return features, counts, torch.from_numpy(data.labels[chosen])


@torch.no_grad()
def errors(model: Model, data: Positions) -> tuple[float, float]:
    """The mean absolute error of a model on positions, and the share of the variance that it
    explains (R²)."""
    said, labels = [], []
    for chosen in np.array_split(np.arange(len(data.labels)), len(data.labels) // 8192 + 1):
        features, counts, wanted = batch(data, chosen)
        said.append(model(features, counts).numpy())
        labels.append(wanted.numpy())
    return measured(np.concatenate(said), np.concatenate(labels))


def measured(said: np.ndarray, labels: np.ndarray) -> tuple[float, float]:
    """The mean absolute error of the values ``said``, and R²."""
    wrong = said - labels
    return float(np.abs(wrong).mean()), float(1 - (wrong**2).mean() / labels.var())


def train(model: Model, data: Positions, held_out: Positions, asked: argparse.Namespace) -> None:
    """Fit the model by Adam with a falling learning rate; after each epoch print its errors on the
    held-out positions and write its file."""
    draw = np.random.default_rng(asked.seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=asked.rate)
    steps_of_epoch = len(data.labels) // asked.batch
    steps, began = steps_of_epoch * asked.epochs, time.monotonic()
    for epoch in range(asked.epochs):
        order = draw.permutation(len(data.labels))[: steps_of_epoch * asked.batch]
        total = 0.0
        for number, chosen in enumerate(np.split(order, steps_of_epoch)):
            done = (epoch * steps_of_epoch + number) / steps
            for group in optimiser.param_groups:
                group["lr"] = asked.rate * (0.01 + 0.99 * (1 + math.cos(math.pi * done)) / 2)
            features, counts, labels = batch(data, chosen)
            loss = ((model(features, counts) - labels) ** 2).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            model.keep_within_bytes()
            total += loss.item()
        error, explained = errors(model, held_out)
        print(
            f"epoch {epoch + 1}: loss {total / steps_of_epoch:.5f}, held out: mean absolute error "
            f"{error:.4f}, R² {explained:.4f}; {time.monotonic() - began:.0f} s",
            flush=True,
        )
        write_net(model.network(asked.description), Path(asked.file))


def main() -> None:
    parser = argparse.ArgumentParser(description="Trains a network of Fog-of-War chess.")
    parser.add_argument("file")
    parser.add_argument("--train", nargs="+", required=True)
    parser.add_argument("--held-out", nargs="+", required=True)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--description", default=DESCRIPTION)
    asked = parser.parse_args()
    torch.manual_seed(asked.seed)
    torch.set_num_threads(asked.threads)
    data, held_out = load(asked.train), load(asked.held_out)
    error, explained = measured(held_out.simple, held_out.labels)
    print(f"{len(data.labels):,} positions; `simple`: {error:.4f}, R² {explained:.4f}", flush=True)
    train(Model(asked.width), data, held_out, asked)


if __name__ == "__main__":
    main()
