"""The report in headless Chromium: every view opened, filtered, compared, the slider moved, and the console silent."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from eval.report import build
from tests.browser import Browser, programs
from tests.eval.report.held import CHOOSE, data_of
from tests.eval.report.made_run import HOSTILE, made_run

pytestmark = pytest.mark.slow

ROWS = "return document.querySelectorAll('#view tbody tr').length"
STATUS = "return document.querySelector('#view [role=status]').textContent"


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_run(tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def page(run_folder: Path) -> Path:
    (path,) = build.write_report(run_folder)
    return path


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    found = programs()
    if found is None:
        pytest.skip(
            "NO BROWSER: chromium and chromedriver are needed to test the report (apt-get install chromium-driver)"
        )
    with Browser(*found) as browser:
        yield browser


@pytest.fixture
def browser(window: Browser) -> Iterator[Browser]:
    window.size(1280)
    window.console()
    yield window
    assert window.console() == []


def test_a_file_of_few_questions_is_small_and_asks_nothing_of_the_network(page: Path):
    text = page.read_text("utf-8")
    assert len(text) < 2_000_000
    outside = re.sub(r'<script type="[^"]*"[^>]*>.*?</script>', "", text, flags=re.S)
    assert not re.findall(r"""(?:src|href)=["'](?!#|data:)""", outside)


def test_the_overview_shows_tables_figures_and_ledger(browser: Browser, page: Path):
    browser.open(page)
    assert browser.run("return document.querySelectorAll('#overview table').length") > 5
    assert browser.run("return [...document.images].every((image) => image.naturalWidth > 0)")
    assert "note_construct" in browser.run("return document.querySelector('#ledger + div').textContent")


def test_filters_narrow_the_answers_and_are_kept_in_the_address(browser: Browser, page: Path):
    browser.open(page, "view=questions")
    total = browser.run(ROWS)
    browser.run(CHOOSE, "Method", "scripted/rag/0")
    assert browser.run(ROWS) == total / 2
    browser.run(CHOOSE, "Evidence", "hit")
    browser.run(CHOOSE, "Answer", "wrong")
    browser.run(CHOOSE, "Category", "temporal")
    kept, address = browser.run(STATUS), browser.run("return location.hash")
    browser.open(page, address.lstrip("#"))
    assert browser.run(STATUS) == kept
    browser.open(page, "view=questions")
    browser.run(CHOOSE, "Text", "hostile?")
    assert browser.run(ROWS) == 2


def test_hostile_text_is_shown_as_it_is(browser: Browser, page: Path):
    browser.open(page, "view=questions&text=" + quote("Hostile?"))
    browser.run("document.querySelector('#view tbody a').click()")
    browser.until("return location.hash.includes('view=answer')")
    shown = browser.until(
        "return document.querySelector('#view dd:nth-of-type(1)') && document.querySelector('#view').textContent"
    )
    assert HOSTILE in shown
    assert browser.run("return document.title") != "broken out"
    assert browser.run("return document.querySelectorAll('#view img, #view b').length") == 0


def test_an_answer_shows_its_evidence_and_the_exact_prompt(browser: Browser, page: Path):
    browser.open(page, "view=questions&cell=" + quote("scripted/amem/0", safe=""))
    browser.run("document.querySelectorAll('#view tbody a')[1].click()")
    browser.until("return /hit|missed/.test(document.querySelector('#view .turns')?.textContent)")
    browser.run("for (const box of document.querySelectorAll('#view details')) box.open = true")
    heads = browser.until("return [...document.querySelectorAll('#view h4')].map((one) => one.textContent).join()")
    assert heads == "system,user,reply"


@pytest.mark.parametrize("view", ["questions", "answer", "compare"])
def test_every_view_of_answers_says_what_right_and_found_mean(browser: Browser, page: Path, view: str):
    browser.open(page, f"view={view}")
    if view == "answer":
        browser.open(page, "view=questions")
        browser.run("document.querySelector('#view tbody a').click()")
        browser.until("return location.hash.includes('view=answer') && document.querySelector('#view dl')")
    shown = browser.run("return document.querySelector('#view').textContent")
    assert "at least 50 against the reference" in shown and "own words (verbatim)" in shown


def test_two_methods_stand_side_by_side(browser: Browser, page: Path):
    browser.open(page, "view=compare")
    names = "return [...document.querySelectorAll('.side > section > h3')].map((one) => one.textContent)"
    first = browser.run("return document.querySelector('#view h2').textContent")
    assert browser.run(names) == ["A-Mem", "RAG"]
    browser.run("[...document.querySelectorAll('#view button')].find((one) => one.textContent === 'Next').click()")
    browser.until("return document.querySelector('#view h2').textContent !== arguments[0]", first)
    browser.run(CHOOSE, "Left", "scripted/rag/0")
    browser.until("return document.querySelector('.side h3').textContent === 'RAG'")


def test_the_slider_goes_back_in_time(browser: Browser, page: Path):
    browser.open(page, "view=memory")
    notes = "return document.querySelectorAll('.graph .note').length"
    whole = browser.run(notes)
    browser.run(CHOOSE, "After session ", "1")
    assert 0 < browser.run(notes) < whole
    assert "s=1" in browser.run("return location.hash")


def test_the_network_is_walked_by_keys_and_a_note_tells_its_versions(browser: Browser, page: Path):
    browser.open(page, "view=memory")
    press = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))"
    browser.run("document.querySelector('.graph [tabindex=\"0\"]').focus()")
    browser.run(press, "ArrowRight")
    browser.run(press, "Enter")
    assert browser.run("return document.activeElement.dataset.note") == "n2"
    assert browser.run("return document.querySelector('#view .version').textContent").startswith(
        "Version 1: constructed"
    )


def test_a_question_shows_its_way_beside_plain_retrieval(browser: Browser, page: Path):
    browser.open(page, "view=memory")
    question = browser.run("return [...document.querySelectorAll('#view select')].at(-2).options[2].value")
    browser.run(CHOOSE, "Question", question)
    heads = browser.run("return [...document.querySelectorAll('#view h4')].map((one) => one.textContent)")
    assert heads[0].startswith("This memory: 3 hits") and heads[1].startswith("Plain top-")
    assert browser.run("return document.querySelectorAll('.graph .hit').length") == 3
    assert browser.run("return document.querySelectorAll('.side .turns:last-child li').length") > 3


def shown(browser: Browser) -> list[Any]:
    """What a reader sees of the page: its view's text, the values of its fields, and what is unfolded."""
    browser.until("return [...document.querySelectorAll('#view details[open]')].every((b) => b.children.length > 1)")
    return browser.run(
        """return [document.querySelector('#view').innerText,
        [...document.querySelectorAll('#view select, #view input')].map((one) => one.value),
        [...document.querySelectorAll('#view details')].map((one) => one.open),
        [...document.querySelectorAll('.graph .note')].map((one) => one.getAttribute('class'))]"""
    )


CLICK = "[...document.querySelectorAll('#view ' + arguments[0])].at(arguments[1]).click()"


def chosen(browser: Browser) -> dict[str, str]:
    return browser.run("return Object.fromEntries(new URLSearchParams(location.hash.slice(1)))")


def filtered(browser: Browser) -> None:
    for label, value in (("Category", "temporal"), ("Method", "scripted/rag/0"), ("Answer", "wrong"), ("Text", "a")):
        browser.run(CHOOSE, label, value)


def unfolded(browser: Browser) -> None:
    browser.run(CHOOSE, "Method", "scripted/rag/0")
    browser.until("return location.hash.includes('cell=scripted')")
    browser.run(CLICK, "summary", 0)
    browser.run(CLICK, "summary", -1)


def compared(browser: Browser) -> None:
    browser.run(CLICK, "button", -1)
    browser.until("return location.hash.includes('q=')")
    browser.run(CHOOSE, "Left", "scripted/rag/0")
    browser.until("return location.hash.includes('a=scripted%2Frag')")
    browser.run(CLICK, ".side > section:nth-child(2) summary", 1)


def remembered(browser: Browser) -> None:
    browser.run(CHOOSE, "After session ", "1")
    question = browser.run("return document.querySelector('[data-control=Question]').options[1].value")
    browser.run(CHOOSE, "Question", question)
    browser.run(CHOOSE, "Note", "n2")


@pytest.mark.parametrize(
    ("start", "change", "kept"),
    [
        ("view=questions", filtered, {"category", "cell", "outcome", "text"}),
        ("view=answer", unfolded, {"q", "cell", "open"}),
        ("view=compare", compared, {"q", "a", "b", "open"}),
        ("view=memory", remembered, {"s", "q", "n"}),
    ],
    ids=["filters", "answer", "comparison", "memory"],
)
def test_a_state_is_found_again_by_its_address(browser: Browser, page: Path, start: str, change: Any, kept: set[str]):
    question = data_of(page)["answers"][1]["question"]
    browser.open(page, start + (f"&q={quote(question, safe='')}" if start == "view=answer" else ""))
    change(browser)
    browser.until("return document.querySelector('#view').innerText.length > 100")
    before, address = shown(browser), browser.run("return location.hash")
    assert kept <= set(chosen(browser))
    browser.open(page, address.lstrip("#"))
    assert shown(browser) == before


def test_an_address_of_what_is_not_there_shows_something_all_the_same(browser: Browser, page: Path):
    for state in ("view=answer&q=none", "view=compare&q=none&a=x", "view=memory&mem=x&q=y&n=z&s=99", "view=other"):
        browser.open(page, state)
        assert browser.run("return document.querySelector('main').innerText.length") > 10


def test_a_table_that_is_folded_away_can_be_linked(browser: Browser, page: Path):
    browser.open(page, "view=memory")
    browser.run("location.hash = '#tokens'")
    browser.until("return document.querySelector('#tokens').getBoundingClientRect().top < 300")
    assert browser.run("return document.querySelector('#tokens').closest('details').open")


def test_keys_alone_reach_every_control_and_focus_is_seen(browser: Browser, page: Path):
    browser.open(page, "view=compare")
    reached: list[str] = []
    while len(reached) < 50:
        browser.key("Tab")
        place = browser.run("return document.activeElement.dataset.control ?? document.activeElement.tagName")
        if place == "BODY":
            break
        reached.append(place)
        assert browser.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid", place
    assert reached[0] == "A" and {"Question", "Next", "Left", "Right", "SUMMARY"} <= set(reached)


def test_a_choice_by_keyboard_keeps_its_place(browser: Browser, page: Path):
    browser.open(page, "view=compare")
    browser.run("document.querySelector('[data-control=Next]').focus()")
    for key in ("Enter", " "):
        before = browser.run("return document.querySelector('#view h2').textContent")
        browser.key(key)
        browser.until("return document.querySelector('#view h2').textContent !== arguments[0]", before)
        assert browser.run("return document.activeElement.dataset.control") == "Next"


def test_the_slider_moves_by_arrow_keys_and_says_where_it_is(browser: Browser, page: Path):
    browser.open(page, "view=memory")
    browser.run("document.querySelector('input[type=range]').focus()")
    browser.key("ArrowLeft")
    assert browser.until("return new URLSearchParams(location.hash.slice(1)).get('s')") == "1"
    said = "return document.activeElement.getAttribute('aria-valuetext')"
    assert browser.run(said) == browser.run("return document.querySelector('output').textContent") != ""


def test_every_control_has_a_name(browser: Browser, page: Path):
    nameless = """const all = 'select, input, button, a, summary, pre, [role=region], svg, circle, img';
        return [...document.querySelectorAll(all)]
        .filter((one) => !(one.labels?.length || one.getAttribute('aria-label') || one.alt || one.textContent.trim()))
        .map((one) => one.outerHTML.slice(0, 100))"""
    for view in ("overview", "questions", "compare", "memory"):
        browser.open(page, f"view={view}")
        assert browser.run(nameless) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", ["overview", "questions", "compare", "memory"])
def test_axe_finds_no_fault(browser: Browser, page: Path, view: str, scheme: str):
    program = os.environ.get("AXE_CORE")
    if not program:
        pytest.skip("NO AXE: name axe.min.js of the npm package axe-core in AXE_CORE for an audit of accessibility")
    browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.open(page, f"view={view}")
    browser.run("for (const box of document.querySelectorAll('details')) box.open = true")
    browser.until("return [...document.querySelectorAll('#view details')].every((box) => box.children.length > 1)")
    audit = "; return axe.run().then((found) => found.violations.map((one) => [one.id, one.nodes[0].html]))"
    assert browser.run(Path(program).read_text("utf-8") + audit) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("view", ["overview", "questions", "compare", "memory"])
def test_no_view_is_wider_than_the_window(browser: Browser, page: Path, view: str, width: int, scheme: str):
    browser.size(width)
    browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.open(page, f"view={view}")
    browser.run("for (const box of document.querySelectorAll('#view details')) box.open = true")
    browser.until("return [...document.querySelectorAll('#view details')].every((box) => box.children.length > 1)")
    assert browser.run("return document.documentElement.scrollWidth") <= width
    if folder := os.environ.get("SCREENSHOTS"):
        browser.screenshot(Path(folder) / f"{view}-{width}-{scheme}.png")


def test_a_large_run_is_split_by_conversation(run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(build, "QUESTIONS_A_PAGE", 3)
    folder = Path(shutil.copytree(run_folder, tmp_path / "run"))
    rows = [json.loads(line) for line in (folder / "answers.jsonl").read_text("utf-8").split("\n") if line]
    moved = {rows[1]["question_id"], rows[2]["question_id"]}
    for row in rows:
        if row["question_id"] in moved:
            row["conversation"] = "other & <one>"
    (folder / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    written = build.write_report(folder, tmp_path / "all.html")
    assert [path.name for path in written] == ["all.html", "all-sample-1.html", "all-other & <one>.html"]
    found = [len(data_of(path)["questions"]) for path in written]
    assert found == [0, len({row["question_id"] for row in rows}) - 2, 2]
    assert 'href="all-other%20%26%20%3Cone%3E.html"' in written[0].read_text("utf-8")
