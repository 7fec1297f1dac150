"""Cambia (also Cabo, Cambio): a card game of memory, with a reference and a native engine."""

from fogtree.games.cambia.game import Cambia, CambiaState, is_full_cambia
from fogtree.games.cambia.view import CambiaView

__all__ = ["Cambia", "CambiaState", "CambiaView", "is_full_cambia"]
