"""The same pages in other ways: by the keyboard, on a phone, in the dark, in Spanish. See walk.py."""

from claims import holds, journey
from served import sign_in

ENTER, SPACE, DOWN = "\ue007", " ", "\ue015"


def pressed(browser, css):
    """Reaches a button by the Tab key and presses it."""
    browser.reach(css, 200)
    page = browser.find("html")
    browser.keys(ENTER)
    browser.left(page)


def by_keyboard(site, browser, company):
    journey("makes and revokes a token by the keyboard alone")
    browser.go(f"{company}/tokens/new")
    browser.reach("#name")
    browser.keys("Keys alone")
    browser.reach("input[name=all]")
    for _ in range(4):
        if browser.run("return document.activeElement.value") == "read":
            break
        browser.keys(DOWN)
    pressed(browser, "button[value=review]")
    pressed(browser, "button[value=create]")
    token = browser.value("#value")
    holds("it works", site.api(token, "/auth/whoami")[0] == 200)
    pressed(browser, "main a.button.main")
    pressed(browser, "main a[href$='/revoke']")
    pressed(browser, "main form button.danger")
    holds("and is revoked", site.api(token, "/auth/whoami")[0] == 401)


def on_a_phone(browser, company):
    journey("looks after webhooks on a phone")
    browser.size(360, 740)
    browser.go(company)
    browser.click("nav.side a[href$='/webhooks']")
    browser.click("main tbody a")
    holds("the page of a webhook is as wide as the phone", browser.run("return document.documentElement.scrollWidth") <= 360)
    browser.link("Send a test")
    holds("a test is sent from it", "Attempt 1" in browser.text(), browser.text())
    holds("and what came of it fits too", browser.run("return document.documentElement.scrollWidth") <= 360)
    small = browser.run("return [...document.querySelectorAll('main a.button, main button')].filter((one) => one.offsetParent && one.getBoundingClientRect().height < 24).length")
    holds("no button is smaller than a finger needs (24 px)", small == 0, small)
    browser.picture("44-phone")
    browser.size(1280, 900)


def in_the_dark(browser, company):
    journey("chooses dark pages")
    browser.go(company)
    paper = "return getComputedStyle(document.documentElement).backgroundColor"
    before = browser.run(paper)
    browser.run("document.querySelector('select[name=theme]').value = 'dark'")
    browser.click(".foot button")
    browser.go(f"{company}/events")
    holds("every page is dark from then on", browser.run(paper) != before and browser.run("return document.documentElement.dataset.theme") == "dark")
    browser.picture("45-dark")


def in_spanish(browser, company):
    journey("chooses Spanish")
    browser.run("document.querySelector('select[name=lang]').value = 'es'")
    browser.click(".foot button")
    browser.go(f"{company}/audit-log/verification")
    holds("every page is in Spanish from then on", browser.run("return document.documentElement.lang") == "es" and "Verificar los sellos" in browser.text(), browser.text())
    browser.click("main form button.main")
    holds("what the service finds is told in it too", "El registro está íntegro" in browser.text(), browser.text())
    browser.go(company)
    holds("and the charts", "Entregas y fallos por hora" in browser.text(), browser.text())
    browser.picture("46-spanish-overview")


def without_scripts(browser, company):
    journey("reads charts and log without scripts")
    browser.scripts(False)
    browser.go(company)
    browser.scripts(True)
    holds("the charts are drawn by the server", browser.run("return document.querySelectorAll('main svg rect').length") >= 4)


def walk(site, driver, company, pictures):
    browser = driver.browser(site.base, pictures)
    sign_in(browser, "ana@example.com")
    by_keyboard(site, browser, company)
    on_a_phone(browser, company)
    without_scripts(browser, company)
    in_the_dark(browser, company)
    in_spanish(browser, company)
    holds("no script and no policy complains on the way", not (found := browser.complaints()), found)
    browser.close()
