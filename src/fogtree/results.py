"""What results have in common: they draw themselves in notebooks, and rows become data frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from fogtree.errors import MissingExtraError

if TYPE_CHECKING:
    import pandas


class Drawn:
    """A result that notebooks show as HTML."""

    __slots__ = ()

    drawing: ClassVar[str]
    """The function that draws it, ``"module:function"``: called with the result, returns HTML."""

    def _repr_html_(self) -> str:
        """Called by notebooks: the result as HTML, by the function that ``drawing`` names."""
        module, _, function = self.drawing.partition(":")
        text: str = getattr(import_module(module), function)(self)
        return text


class HasRows:
    """A result with rows and columns, such as a curve, a strategy or a cross table."""

    __slots__ = ()

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """One mapping from column names to values per row."""
        raise NotImplementedError

    def to_frame(self) -> pandas.DataFrame:
        """The rows as a pandas data frame. Needs the extra ``fogtree[frames]``."""
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise MissingExtraError("pandas", "frames") from error
        return pandas.DataFrame(list(self.rows()))
