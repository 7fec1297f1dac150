"""An analysis as HTML: a page that stands alone, or a fragment for a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from fogtree.report.analysis import AnalysisReport, Drawing, Gallery
from fogtree.report.curves import curves
from fogtree.report.meanings import FACTS
from fogtree.report.tables import (
    TextTable,
    candidates_table,
    facts,
    opponent_tables,
    positions_table,
)


def analysis_page(report: AnalysisReport, top: int = 10) -> str:
    """A whole page; it needs nothing from elsewhere. Long tables have ``top`` rows."""
    return render("page.html", title=report.heading, content=analysis_fragment(report, top))


def analysis_fragment(report: AnalysisReport, top: int = 10) -> Markup:
    """The analysis as a fragment of HTML, for a notebook or inside a page."""
    pictures = report.pictures()
    return render(
        "analysis.html",
        report=report,
        view=pictures.view,
        facts=facts(report),
        meanings=FACTS,
        sections=_sections(report, pictures.galleries, top),
        top=top,
    )


def _sections(
    report: AnalysisReport, galleries: Iterable[Gallery], top: int
) -> Iterator[TextTable | Gallery]:
    """Everything below the facts, in its order on the page."""
    mix, convergence, growth = curves(report)
    yield candidates_table(report.analysis.decision.candidates, report.names.action, top)
    yield from galleries
    yield mix
    yield convergence
    yield positions_table(report, top)
    yield from opponent_tables(report, top)
    yield growth


def render(template: str, **values: Any) -> Markup:
    """Fill in one of this package's templates; text is escaped, drawings are not."""
    return Markup(_ENVIRONMENT.get_template(template).render(**values))


def _svg(drawing: Drawing) -> Markup:
    """The filter ``svg`` of templates: a drawing as SVG that is not escaped."""
    return Markup(drawing._repr_svg_())


_ENVIRONMENT = Environment(
    loader=PackageLoader("fogtree.report"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters["svg"] = _svg
