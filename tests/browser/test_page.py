"""The page to walk a strategy in a real browser: clicks, keys, languages, colours, and the figures it shows."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from cli.app import main
from solver.query.advise import advice_of, point_after
from solver.query.point import decision_of, view
from solver.report.explorer import write_page
from solver.strategy.solution import Solution
from solver.strategy.store import load
from solver.tree.reading import board_weights
from tests.browser.conftest import wait_for

READ_TABLE = """
return [...document.querySelectorAll("#table tbody tr")].map((row) => ({
  hand: row.querySelector("th").dataset.hand,
  rare: row.classList.contains("rare"),
  marks: row.lastElementChild.textContent,
  cells: [...row.querySelectorAll("td")].map((cell) => cell.textContent),
  actions: [...row.querySelectorAll("td.action")].map((cell) => ({
    part: cell.dataset.part,
    text: cell.firstChild.textContent,
    below: cell.querySelector("small")?.textContent,
  })),
}))
"""


@pytest.fixture(scope="session")
def truc(small_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Solution]:
    solution = load(small_folder)
    page = tmp_path_factory.mktemp("truc") / "truc.html"
    write_page(solution, page)
    return page, solution


@pytest.fixture(scope="session")
def trut(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Solution]:
    folder = tmp_path_factory.mktemp("trut") / "trut3"
    words = ["solve", "trut", "--set", "ranks=4", "--set", "copies=3", "--target", "0.005", "--quiet"]
    assert main([*words, "--out", str(folder)]) == 0
    solution = load(folder)
    page = folder / "trut.html"
    write_page(solution, page)
    return page, solution


def click(driver: Any, spoken: str, then: str) -> None:
    driver.find_element("css selector", f'#choices [data-spoken="{spoken}"]').click()
    wait_for(driver, then)


def in_order(driver: Any) -> list[dict[str, Any]]:
    """The rows as they stand, once they are drawn."""
    wait_for(driver)
    return list(driver.execute_script(READ_TABLE))


def rows(driver: Any) -> dict[str, dict[str, Any]]:
    return {row["hand"]: row for row in in_order(driver)}


def number(text: str) -> float:
    """A number as the page writes it."""
    cleaned = text.replace("≈ ", "").replace("−", "-").replace(",", ".").replace("\xa0", "")
    return float("nan") if cleaned == "–" else float(cleaned.rstrip("%"))


def check_strategy(driver: Any, solution: Solution, history: str) -> None:
    """Frequencies, values and marks of every hand are those of `query`, to the rounding told on the page."""
    seen = view(solution, point_after(solution.game, history))
    shown = rows(driver)
    assert len(shown) == len(seen.hands)
    for k in range(len(seen.hands)):
        advice = advice_of(solution, seen, k)
        row = shown[advice.hand]
        told = {name_of(action): action for action in row["actions"]}
        assert told.keys() == {one.action for one in advice.actions}
        for one in advice.actions:
            assert number(told[one.action]["text"].split(" ")[-1]) == pytest.approx(100 * one.frequency, abs=0.0501)
            worth = number(told[one.action]["below"])
            assert math.isnan(worth) == math.isnan(one.ev)
            assert math.isnan(worth) or worth == pytest.approx(one.ev, abs=0.00101)
            assert told[one.action]["below"].startswith("≈") == one.indifferent
        assert row["marks"] == "; ".join(advice.marks)
        assert row["rare"] == ("hardly ever reached" in advice.marks)


def name_of(action: dict[str, str]) -> str:
    """A word, or the card in front of the frequency."""
    return action["text"].split(" ")[0] if action["part"] in ("high", "middle", "low") else action["part"]


def test_a_clicked_line_says_what_query_says(open_page: Any, truc: tuple[Path, Solution]) -> None:
    page, solution = truc
    driver = open_page(page)
    check_strategy(driver, solution, "")
    said: list[str] = []
    for spoken in ("8", "raise", "call", "8", "7", "7", "silent", "A"):
        said.append(spoken)
        click(driver, spoken, ",".join(said if spoken == "silent" else [word for word in said if word != "silent"]))
        if spoken != "silent":  # then the elder has only to show his last card
            check_strategy(driver, solution, " ".join(said))
    assert driver.current_url.endswith("#8,raise,call,8,7,7,A")
    assert driver.find_element("id", "where").text == "The dealer acts"
    driver.find_element("id", "back").click()
    wait_for(driver, "8,raise,call,8,7,7,silent")
    driver.execute_script("history.back()")
    wait_for(driver, "8,raise,call,8,7,7,A")


def test_every_way_to_the_end(open_page: Any, truc: tuple[Path, Solution]) -> None:
    """Three tricks to the last card, and a fold: who won and what it pays."""
    page, _ = truc
    driver = open_page(page, "8,7,7,8")
    assert driver.find_element("id", "where").text == "The dealer wins the hand"
    assert "Trick 1: dealer" in driver.find_element("id", "tricks").text
    driver.get(f"{page.as_uri()}#7,8,8,7,silent,A,silent,8")
    wait_for(driver, "7,8,8,7,A,8")
    assert driver.find_element("id", "where").text == "The elder wins the hand"
    assert driver.find_element("id", "standing").text == "Elder +1.000, dealer −1.000 (points)."
    driver.get(f"{page.as_uri()}#7,raise,fold")
    wait_for(driver, "7,raise,fold")
    assert driver.find_element("id", "where").text == "The dealer wins the hand"
    driver.get(f"{page.as_uri()}#7,7,8,8,A,A")
    wait_for(driver, "7,7,8,8,A,A")
    assert driver.find_element("id", "where").text == "Nobody wins the hand"
    assert driver.find_element("id", "tricks").text.count("spoiled") == 3


def test_windows_of_trut(open_page: Any, trut: tuple[Path, Solution]) -> None:
    """Silence is a choice; what comes after it can be clicked at once; a trut names its seat."""
    page, solution = trut
    driver = open_page(page)
    check_strategy(driver, solution, "")
    click(driver, "silent", "silent")
    assert driver.find_element("id", "where").text == "The dealer acts"
    check_strategy(driver, solution, "silent")
    driver.find_element("id", "back").click()
    wait_for(driver, "")
    click(driver, "K", "K")
    check_strategy(driver, solution, "K")
    click(driver, "d:trut", "K,d:trut")
    check_strategy(driver, solution, "K d:trut")
    assert "if the bet is called: a long" in driver.find_element("id", "standing").text
    click(driver, "see", "K,d:trut,see")
    check_strategy(driver, solution, "K d:trut see")


def test_what_the_other_side_may_hold(open_page: Any, trut: tuple[Path, Solution]) -> None:
    page, solution = trut
    driver = open_page(page, "K,d:trut")
    driver.find_element("css selector", '#seats [data-seat="1"]').click()
    shown = rows(driver)
    point = point_after(solution.game, "K d:trut")
    decision = decision_of(solution, point)
    weights = board_weights(solution.game.tree, point.node)[point.board]
    n0, n1 = weights.shape
    reach = [
        part.reshape(-1, n)[point.board] for part, n in ((decision.way.own, n0), (decision.way.other, n1))
    ]
    now = (reach[0] @ weights) * reach[1]
    dealt = weights.sum(axis=0)
    hands = view(solution, point_after(solution.game, "K")).hands
    assert len(shown) == len(hands) == int((dealt > 0).sum())
    possible = [k for k in range(n1) if dealt[k] > 0]
    for hand, k in zip(hands.tolist(), possible, strict=True):
        label = " ".join(solution.game.rules.ranks[rank] for rank in hand)
        likely, cards, own = map(number, shown[label]["cells"])
        assert likely == pytest.approx(100 * now[k] / now.sum(), abs=0.06)
        assert cards == pytest.approx(100 * dealt[k] / dealt.sum(), abs=0.0051)
        assert own == pytest.approx(100 * reach[1][k], abs=0.16)


def test_keys_alone(open_page: Any, truc: tuple[Path, Solution]) -> None:
    from selenium.webdriver.common.keys import Keys

    def active() -> Any:
        return driver.switch_to.active_element

    def press(*keys: str) -> None:
        for key in keys:
            active().send_keys(key)

    driver = open_page(truc[0])
    for _ in range(40):
        press(Keys.TAB)
        if active().get_attribute("data-spoken"):
            break
    assert active().get_attribute("data-spoken") == "raise"
    press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert active().get_attribute("data-spoken") == "7"
    press(Keys.ENTER)
    wait_for(driver, "7")
    assert active().get_attribute("id") == "where"
    press(Keys.TAB)
    assert active().get_attribute("data-spoken") == "raise"
    outline = driver.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    press("/")
    assert active().get_attribute("id") == "search"
    press("7 8")
    assert {"7 8 A", "7 7 8", "7 8 8"} == set(rows(driver))
    press(Keys.ESCAPE)
    assert len(rows(driver)) == 10
    press(Keys.TAB, Keys.SPACE)
    assert driver.find_element("id", "bettors").is_selected()
    driver.execute_script("document.activeElement.blur()")
    driver.find_element("tag name", "body").send_keys("b")
    wait_for(driver, "")


def test_sorting_and_filters(open_page: Any, truc: tuple[Path, Solution]) -> None:
    page, solution = truc
    driver = open_page(page, "7")
    seen = view(solution, point_after(solution.game, "7"))
    head = driver.find_element("css selector", '[data-sort="value"]')
    head.click()
    wait_for(driver)
    down = [number(row["cells"][-5]) for row in in_order(driver)]
    assert down == sorted(down, reverse=True)
    sort = driver.find_element("css selector", '[data-sort="value"]')
    assert sort.find_element("xpath", "..").get_attribute("aria-sort") == "descending"
    sort.click()
    wait_for(driver)
    up = [number(row["cells"][-5]) for row in in_order(driver)]
    assert up == sorted(up)
    driver.find_element("id", "bettors").click()
    bets = [k for k, action in enumerate(seen.actions) if action in ("raise", "rest")]
    expected = sum(seen.frequency[:, bets].sum(axis=1) >= 0.001)
    assert len(rows(driver)) == pytest.approx(expected, abs=1)
    driver.find_element("id", "search").send_keys("zz")
    wait_for(driver)
    assert "no card" in driver.find_element("id", "count").text
    assert rows(driver) == {}


def test_language_and_colours(open_page: Any, trut: tuple[Path, Solution]) -> None:
    driver = open_page(trut[0], "K", dark=True)

    def ground() -> str:
        return str(driver.execute_script("return getComputedStyle(document.body).backgroundColor"))

    dark = ground()
    assert dark == "rgb(22, 24, 27)"
    driver.find_element("css selector", '#themes [data-theme="light"]').click()
    assert ground() == "rgb(255, 255, 255)"
    driver.find_element("css selector", '#languages [data-lang="fr"]').click()
    wait_for(driver, "K")
    assert driver.find_element("id", "where").text == "Au donneur de jouer"
    assert driver.execute_script("return document.documentElement.lang") == "fr"
    assert "R" in [one.text for one in driver.find_elements("css selector", "#steps b")]
    first = in_order(driver)[0]
    assert "," in first["actions"][0]["text"]
    assert first["actions"][0]["text"].endswith("\xa0%")
    search = driver.find_element("id", "search")
    search.send_keys("R R")
    assert set(rows(driver)) == {"7 K K", "8 K K", "A K K"}
    driver.refresh()
    wait_for(driver, "K")
    assert driver.find_element("css selector", '#languages [data-lang="fr"]').get_attribute("aria-pressed") == "true"


@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_the_screen(open_page: Any, trut: tuple[Path, Solution], width: int) -> None:
    """Nothing but the table scrolls sideways, and what is clicked on is large enough for a finger."""
    driver = open_page(trut[0], "K,8", width=width)
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width
    heights = driver.execute_script(
        "return [...document.querySelectorAll('#choices button')].map((b) => b.offsetHeight)"
    )
    assert min(heights) >= 36


@pytest.mark.parametrize(
    ("address", "way", "wrong"), [("7,7,d:8", "7,7", "d:8"), ("d:7", "", "d:7"), ("e:7,d:7,e:8", "7,7,8", "")]
)
def test_a_seat_before_a_card_is_checked(
    open_page: Any, truc: tuple[Path, Solution], address: str, way: str, wrong: str
) -> None:
    driver = open_page(truc[0], "8")
    driver.get(f"{truc[0].as_uri()}#{address}")
    wait_for(driver, way)
    told = f"'{wrong}' in the address cannot come here; the way so far is shown." if wrong else ""
    assert driver.find_element("id", "problem").text == told


def test_a_wrong_address_is_told(open_page: Any, truc: tuple[Path, Solution]) -> None:
    page, _ = truc
    driver = open_page(page)
    driver.get(f"{page.as_uri()}#7,call")
    wait_for(driver, "7")
    assert driver.find_element("id", "problem").text == (
        "'call' in the address cannot come here; the way so far is shown."
    )


@pytest.mark.parametrize("address", ["%E0%A4%A", "%", "__proto__", "constructor", "7,toString", "hasOwnProperty"])
def test_an_address_that_is_no_history(open_page: Any, truc: tuple[Path, Solution], address: str) -> None:
    """The way so far with a sentence, and every button works."""
    page, _ = truc
    driver = open_page(page)
    driver.get("about:blank")
    driver.get(f"{page.as_uri()}#{address}")
    way, _, word = address.rpartition(",")
    wait_for(driver, way)
    problem = driver.find_element("id", "problem")
    assert problem.is_displayed()
    assert f"'{word}' in the address" in problem.text
    click(driver, "8", f"{way},8".strip(","))
    assert not problem.is_displayed()
    assert driver.current_url.endswith(f"#{way},8".replace("#,", "#"))


def test_points_without_figures_say_so(open_page: Any, truc: tuple[Path, Solution], tmp_path: Path) -> None:
    page = tmp_path / "coarse.html"
    write_page(truc[1], page, least=0.5)
    driver = open_page(page, "7,7,8,8,A")
    told = driver.find_element("id", "explained").text
    assert told.startswith("This page carries no figures here")
    assert '--history "7 7 8 8 A"' in told
    assert not driver.find_element("id", "scroll").is_displayed()


def test_nothing_is_loaded(open_page: Any, truc: tuple[Path, Solution]) -> None:
    driver = open_page(truc[0], "7,raise")
    assert driver.execute_script("return performance.getEntriesByType('resource').map((entry) => entry.name)") == []
