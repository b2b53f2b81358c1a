"""A real browser, which nobody sees: Chromium with its driver, as Debian has them, steered by Selenium."""

import shutil

import pytest

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser():
    from selenium import webdriver  # of the extra `browser`
    from selenium.webdriver.chrome.service import Service

    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    driver = shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.fail(f"none of {', '.join(PROGRAMS)} is here, or no chromedriver: apt install chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for option in ("headless=new", "no-sandbox", "disable-dev-shm-usage", "window-size=1300,1000"):
        options.add_argument(f"--{option}")
    running = webdriver.Chrome(options=options, service=Service(driver))
    yield running
    running.quit()
