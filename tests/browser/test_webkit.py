"""A second engine: WebKit plays a game and copies the result."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

DRIVER = shutil.which("WebKitWebDriver")
XVFB = shutil.which("Xvfb")
BROWSER = next(iter(sorted(Path("/usr").glob("lib*/**/webkit2gtk-4.*/MiniBrowser"))), None)

pytestmark = [
    pytest.mark.webkit,
    pytest.mark.skipif(
        not (DRIVER and XVFB and BROWSER), reason="webkit2gtk-driver and xvfb are not installed"
    ),
]


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """A screen nobody sees; Xvfb picks a free number and says which."""
    read, write = os.pipe()
    screen = subprocess.Popen(
        [str(XVFB), "-displayfd", str(write), "-screen", "0", "800x900x24", "-nolisten", "tcp"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as said:
        number = said.readline().strip()
    assert number, "Xvfb did not start"
    yield f":{number}"
    screen.terminate()
    screen.wait()


@pytest.fixture
def webkit(display: str) -> Iterator[webdriver.WebKitGTK]:
    """A WebKitGTK; its own sandbox needs rights that a container lacks."""
    options = Options()
    options.binary_location = str(BROWSER)
    options.add_argument("--automation")
    env = {
        **os.environ,
        "DISPLAY": display,
        "LANG": "en_US.UTF-8",
        "LANGUAGE": "en",
        "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
    }
    browser = webdriver.WebKitGTK(options=options, service=Service(DRIVER, env=env))
    yield browser
    browser.quit()


def ply(browser: webdriver.WebKitGTK) -> int:
    # By script, in one step: between two the page may swap its main element.
    return int(browser.execute_script("return document.querySelector('main').dataset.ply || 0"))


def press(browser: webdriver.WebKitGTK, selector: str) -> None:
    """Press what the selector finds, and wait until the move is made."""
    before = ply(browser)
    browser.find_element(By.CSS_SELECTOR, selector).click()
    WebDriverWait(browser, 20, poll_frequency=0.05).until(lambda b: ply(b) == before + 1)


def best_box(browser: webdriver.WebKitGTK) -> str:
    box: str = browser.execute_script(
        "const boxes = [...document.querySelectorAll('button[name=box]:enabled')];"
        "const worth = (box) => Number(box.querySelector('.value').textContent);"
        "return boxes.sort((a, b) => worth(b) - worth(a))[0].value"
    )
    return box


def test_webkit_plays_a_game_and_copies_the_result(webkit: webdriver.WebKitGTK, site: str) -> None:
    webkit.get(f"{site}/2026-11-30/yacht-12?lang=en")
    for turn in range(12):
        press(webkit, "button#roll")
        if turn == 0:
            webkit.find_element(By.CSS_SELECTOR, "label.die").click()
            press(webkit, "button#roll")
        press(webkit, f"button[name=box][value='{best_box(webkit)}']")
    shown = webkit.find_element(By.ID, "text").get_attribute("value")
    assert shown.startswith("Samedice #334 · Old Yacht · ")
    webkit.find_element(By.ID, "copy").click()
    WebDriverWait(webkit, 20, poll_frequency=0.05).until(
        lambda b: "Copied" in b.find_element(By.TAG_NAME, "main").text
    )
    assert pasted(webkit) == shown


def pasted(browser: webdriver.WebKitGTK) -> str:
    """What lies on the clipboard, pasted into a field as a person would."""
    browser.execute_script(
        "const field = document.createElement('textarea'); field.id = 'paste';"
        "document.body.append(field); field.focus();"
    )
    ActionChains(browser).key_down(Keys.CONTROL).send_keys("v").key_up(Keys.CONTROL).perform()
    WebDriverWait(browser, 20, poll_frequency=0.05).until(
        lambda b: b.execute_script("return document.getElementById('paste').value")
    )
    value: str = browser.execute_script("return document.getElementById('paste').value")
    return value
