"""Charts: every hand has its mark, the caption says what was solved, files are whole and always the same."""

from __future__ import annotations

import stat
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from solver.errors import FileError, UsageError
from solver.report import charts
from solver.rules import catalogue
from solver.strategy.solution import Solution
from tests.report.conftest import MadeUp

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AT_A_POINT = ["strategy", "raise", "fold", "thresholds"]
A4 = (8.28, 11.70)


def labels(figure: Figure, upright: bool) -> list[str]:
    """Every written hand along the axes of a figure."""
    ticks = [axes.get_xticklabels() if upright else axes.get_yticklabels() for axes in figure.axes]
    return [label.get_text() for axis in ticks for label in axis if label.get_text()]


def bars(figure: Figure) -> int:
    """Number of bars in the first set of every panel."""
    return sum(len(list(axes.containers[0])) for axes in figure.axes)


def boxes(figure: Figure) -> dict[str, list[Any]]:
    """Places of all written texts, by the axis they belong to."""
    figure.draw_without_rendering()
    found: dict[str, list[Any]] = {"figure": [text.get_window_extent() for text in figure.texts]}
    for number, axes in enumerate(figure.axes):
        for name, ticks in (("x", axes.get_xticklabels()), ("y", axes.get_yticklabels())):
            shown = [label for label in ticks if label.get_text() and label.get_visible()]
            found[f"{name}{number}"] = [label.get_window_extent() for label in shown]
        found[f"text{number}"] = [text.get_window_extent() for text in axes.texts if text.get_text()]
    return found


def overlap(one: Any, two: Any) -> bool:
    """Do two boxes share more than an edge?"""
    across = min(one.x1, two.x1) - max(one.x0, two.x0)
    down = min(one.y1, two.y1) - max(one.y0, two.y0)
    return bool(across > 1.0 and down > 1.0)


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
@pytest.mark.parametrize("kind", [*AT_A_POINT, "convergence"])
def test_every_kind_in_every_format(small: Solution, kind: str, suffix: str, tmp_path: Path) -> None:
    figure = charts.draw_runs([small]) if kind == "convergence" else charts.draw(kind, small)
    place = charts.save(figure, tmp_path / f"chart{suffix}")
    begins = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[suffix]
    assert place.read_bytes().startswith(begins)
    assert list(tmp_path.iterdir()) == [place]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("kind", ["strategy", "raise", "thresholds"])
def test_all_hands_are_written_and_none_over_another(full: Solution, kind: str, lang: Any) -> None:
    figure = charts.draw(kind, full, "", lang)
    names = labels(figure, upright=kind != "strategy")
    hands = [name for name in names if "%" not in name]
    assert len(hands) == len(set(hands)) == 120
    assert kind == "thresholds" or bars(figure) == 120
    assert max(figure.get_size_inches()) <= A4[1]
    assert min(figure.get_size_inches()) <= A4[0]
    width, height = figure.get_size_inches() * figure.dpi
    for found in boxes(figure).values():
        assert not any(overlap(one, two) for one, two in pairwise(found))
        for box in found:
            assert box.x0 >= 0
            assert box.y0 >= 0
            assert box.x1 <= width
            assert box.y1 <= height


@pytest.mark.parametrize(("history", "count"), [("", 10), ("8", 10), ("raise", 10), ("8 A", 6), ("8 A A 7", 3)])
def test_as_many_bars_as_hands(small: Solution, history: str, count: int) -> None:
    figure = charts.draw("strategy", small, history)
    assert bars(figure) == len(labels(figure, upright=False)) == count


def test_trut_of_reduced_decks(made_up: MadeUp) -> None:
    trut = made_up("trut-mini", "0.0-0.0")
    for kind in ("trut", "fold", "thresholds", "strategy"):
        figure = charts.draw(kind, trut)
        assert len([name for name in labels(figure, kind != "strategy") if "%" not in name]) == 10


def test_two_ranks_and_a_single_hand(made_up: MadeUp) -> None:
    two = made_up("truc", "0-0", ranks="2", ladder="1,2")
    assert bars(charts.draw("strategy", two)) == 4
    for kind in AT_A_POINT:
        charts.draw(kind, two)
    assert bars(charts.draw("fold", two, "8 8 8 8 raise")) >= 1


def caption(figure: Figure, place: Path) -> str:
    """All text of a figure as an svg holds it."""
    charts.save(figure, place)
    return place.read_text("utf-8").replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("kind", AT_A_POINT)
def test_caption(small: Solution, kind: str, tmp_path: Path) -> None:
    text = caption(charts.draw(kind, small, "raise call 8" if kind == "raise" else "raise"), tmp_path / "a.svg")
    for part in (
        "Rules: truc (ranks=7 8 A; ladder=1 2)",
        "score 0-0 (elder-dealer)",
        "unit: points",
        "exploitability 0.00125 points",
        "the dealer acts" if kind == "raise" else "History: raise; the dealer answers.",
        "Order: the strongest hand first",
    ):
        assert part in text


def test_caption_at_the_opening(small: Solution, tmp_path: Path) -> None:
    assert "History: opening; the elder acts." in caption(charts.draw("strategy", small), tmp_path / "a.svg")


def test_in_french(full: Solution, tmp_path: Path) -> None:
    text = caption(charts.draw("strategy", full, "", "fr"), tmp_path / "a.svg")
    for part in (
        "10 10 10",
        "R D V",
        "relance",
        "carte haute",
        "exploitabilité 0,00125 point",
        "au premier de jouer",
    ):
        assert part in text
    text = caption(charts.draw("fold", full, "K raise", "fr"), tmp_path / "b.svg")
    assert "Historique : R relance ; au premier de répondre." in text
    assert "passer" in text


def test_same_chart_same_bytes(small: Solution, tmp_path: Path) -> None:
    for suffix in (".png", ".svg", ".pdf"):
        for name in ("one", "two"):
            charts.save(charts.draw("fold", small), tmp_path / f"{name}{suffix}")
        assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()


def test_settings_of_the_reader_change_nothing(small: Solution, tmp_path: Path) -> None:
    import matplotlib

    charts.save(charts.draw("fold", small), tmp_path / "one.png")
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "black", "savefig.bbox": "tight"}):
        charts.save(charts.draw("fold", small), tmp_path / "two.png")
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()


def test_several_runs_in_one_chart(small: Solution, full: Solution, tmp_path: Path) -> None:
    figure = charts.draw_runs([small, full], "en")
    assert [len(axes.lines) for axes in figure.axes] == [2, 2]
    assert all(axes.get_xscale() == axes.get_yscale() == "log" for axes in figure.axes)
    text = caption(figure, tmp_path / "a.svg")
    assert "exploitability (points a hand)" in text
    assert "remainder=off" in text
    assert "dcfr" in text


def test_runs_of_two_units_are_refused(small: Solution) -> None:
    from dataclasses import replace

    other = replace(small, game=replace(small.game, unit="match"))
    with pytest.raises(UsageError, match="units match and points"):
        charts.draw_runs([small, other])


def test_a_run_without_measures_is_refused(small: Solution) -> None:
    from dataclasses import replace

    with pytest.raises(UsageError, match="no measured exploitability"):
        charts.draw_runs([replace(small, measures=[])])


def equity_file(folder: Path, name: str, **changes: Any) -> Path:
    """An equity table of made-up chances."""
    import polars as pl

    rules = catalogue.load(name, {})
    if rules.tokens == "points":
        sides = [{"": points} for points in range(rules.target)]
    else:
        sides = [{"_longs": longs, "_petits": petits} for longs in range(rules.target) for petits in range(3)]
    rows = []
    for elder in sides:
        for dealer in sides:
            chance = 0.5 + 0.04 * (next(iter(elder.values())) - next(iter(dealer.values())))
            key = {f"elder{k}": v for k, v in elder.items()} | {f"dealer{k}": v for k, v in dealer.items()}
            bounds = {"lower": chance - 0.002, "upper": chance + 0.001}
            rows.append({**key, "elder_wins": chance, **bounds, "rules": name, "fingerprint": rules.fingerprint})
    frame = pl.DataFrame(rows)
    frame = frame.with_columns(**{key: pl.lit(value) for key, value in changes.items()})
    frame.write_parquet(folder / "equity.parquet")
    return folder / "equity.parquet"


@pytest.mark.parametrize(("name", "side", "corner"), [("truc", 12, "94.0"), ("trut", 21, "74.0")])
def test_match_heat_map(name: str, side: int, corner: str, tmp_path: Path) -> None:
    equity_file(tmp_path, name)
    figure = charts.draw_match(tmp_path)
    cells = [text.get_text() for text in figure.axes[0].texts]
    assert len(cells) == side * side
    assert cells[-side] == corner
    assert not any(overlap(one, two) for one, two in pairwise(boxes(figure)["text0"]))
    text = caption(figure, tmp_path / "a.svg")
    assert f"Rules: {name}; unit: chance of winning the match; exploitability 0.00150 of a match." in text
    assert "within 0.2 percentage points" in text


def test_equity_of_other_options_says_so(tmp_path: Path) -> None:
    place = equity_file(tmp_path, "truc", fingerprint="0123456789abcdef")
    assert "with changed options, fingerprint 0123456789abcdef" in caption(charts.draw_match(place), tmp_path / "a.svg")


def test_no_equity_table(tmp_path: Path) -> None:
    import polars as pl

    with pytest.raises(FileError, match="truc-solve match"):
        charts.draw_match(tmp_path)
    (tmp_path / "equity.parquet").write_bytes(b"PAR1 nonsense")
    with pytest.raises(FileError, match="damaged"):
        charts.draw_match(tmp_path)
    pl.DataFrame({"elder": [1]}).write_parquet(tmp_path / "equity.parquet")
    with pytest.raises(FileError, match="lacks the column 'dealer'"):
        charts.draw_match(tmp_path)


def test_bad_places(small: Solution, tmp_path: Path) -> None:
    figure = charts.draw("fold", small)
    with pytest.raises(UsageError, match=r"'a.gif' .*\.png, \.svg, \.pdf"):
        charts.save(figure, Path("a.gif"))
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="is a file, not a folder"):
        charts.save(figure, tmp_path / "file" / "a.png")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(UsageError, match="is a folder"):
        charts.save(figure, tmp_path / "folder.png")


def test_an_old_file_is_replaced_whole(small: Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "new" / "a.svg"
    charts.save(charts.draw("fold", small), place)
    before = place.read_bytes()
    assert stat.S_IMODE(place.stat().st_mode) & 0o400

    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full_disk)
    with pytest.raises(OSError, match="No space") as caught:
        charts.save(charts.draw("strategy", small), place)
    assert caught.value.filename == str(place)
    assert place.read_bytes() == before
    assert list(place.parent.iterdir()) == [place]


def test_unknown_kind(small: Solution) -> None:
    with pytest.raises(UsageError, match="Did you mean 'strategy'"):
        charts.draw("strateg", small)
