#!/usr/bin/env python3
"""Walks through the client area in a real Chromium, as people do.

    .ci/pages/walk.py target/release/svc-server [FOLDER]      # pictures go to FOLDER: target/pages

Needs `chromium` and `chromium-driver`; without them it says so and ends well. With `npm` at hand, axe-core judges every
page in both themes and html-validate the markup of each. A line with a number begins a journey, the others are claims that
were seen to hold. The journeys that need no other person are in developers.py, ways of going them in ways.py, signing in
ceremony.py, second factors in factors.py.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import assistant  # noqa: E402
import ceremony  # noqa: E402
import claims  # noqa: E402
import developers  # noqa: E402
import persons  # noqa: E402
import room  # noqa: E402
import upload  # noqa: E402
import ways  # noqa: E402
from claims import holds, journey, wait_for  # noqa: E402
from factors import second_factor  # noqa: E402
from judge import Markup, axe_source, judge  # noqa: E402
from served import PASSWORD, Receiver, Site, sign_in  # noqa: E402
from webdriver import Driver  # noqa: E402

TAB, ENTER, SPACE = "\ue004", "\ue007", " "


def begin(site, browser):
    journey("founds the first company by the link of the first start")
    browser.go(site.first_run)
    browser.fill(legal_name="Ferretería Sol SL", name="Ana Ruiz", email="ana@example.com", password="short")
    browser.picture("01-first-run")
    browser.click("main button.main")
    holds("a short password is refused beside its field, and the rest stays", browser.value("#legal-name") == "Ferretería Sol SL" and browser.has("#password-wrong"))
    browser.fill(password=PASSWORD)
    browser.click("main button.main")
    holds("the link of the first start founds the first company", "Ferretería Sol SL" in browser.text(), browser.text())
    browser.picture("02-company")
    company = browser.at()
    browser.go(site.first_run)
    holds("and ends with it", "There is nothing here" in browser.text())
    browser.go(company)
    return company


def tokens(site, browser, company):
    journey("makes a token, sees what it could do, and calls the API with curl")
    browser.go(f"{company}/tokens")
    browser.picture("03-no-token")
    browser.link("New token")
    browser.fill(name="Shop sync")
    browser.click("button[value=review]")
    holds("a token without permissions is refused beside them", "Something is not right yet" in browser.text())
    browser.fill(find_permission="sales")
    shown = browser.run("return [...document.querySelectorAll('.area')].filter((one) => !one.hidden).length")
    holds("the search leaves the areas that have what is typed", 0 < shown < 10, shown)
    browser.run("document.querySelector('#find-permission').value = ''; document.querySelector('#find-permission').dispatchEvent(new Event('input'))")
    browser.click("input[name=area-contacts][value=full]")
    browser.click("button[value=review]")
    holds("what the token could do is told before it is made", "This token could" in browser.text())
    browser.picture("04-token-review")
    browser.click("button[value=create]")
    token = browser.value("#value")
    holds("its value is shown once", token.startswith("svc_live_"))
    curl = [*shlex.split(browser.run("return document.querySelector('#curl').textContent")), "-s", "-w", "%{http_code}"]
    answer = lambda: subprocess.run(curl, capture_output=True, text=True).stdout  # noqa: E731
    holds("and works at once, by the command that the page shows", shutil.which("curl") is None or answer().endswith("200"), curl)
    browser.picture("05-token-value")
    browser.click("a.button.main")
    one = browser.at()
    holds("the page of the token does not show it", token not in browser.html())
    journey("revokes the token, and curl is refused")
    browser.link("Revoke")
    browser.picture("06-revoke")
    browser.click("button.danger")
    holds("a revoked token is refused", site.api(token, "/auth/whoami")[0] == 401 and (shutil.which("curl") is None or answer().endswith("401")))
    browser.go(one)
    holds("and its page says so", "Revoked" in browser.text())


def full_token(site, browser, company):
    journey("makes a token for everything, personal data among it")
    browser.go(f"{company}/tokens/new")
    browser.fill(name="Everything")
    browser.click("input[name=all][value=full]")
    browser.click("input[name=personal-data]")
    browser.click("button[value=review]")
    browser.click("button[value=create]")
    return browser.value("#value")


def webhooks(site, browser, company, token, receiver):
    journey("makes a webhook, after a URL that leads inside was refused")
    browser.go(f"{company}/webhooks/new")
    browser.fill(name="Shop", url="http://10.0.0.1/hooks")
    browser.click("input[name=events-of][value=contacts]")
    browser.click("form.stack button.main")
    holds("a URL that leads inside is refused with the reason", browser.has("#url-wrong"), browser.text()[:300])
    browser.fill(url=receiver.url, headers="X-Api-Key: secret")
    browser.click("form.stack button.main")
    holds("the secret of a webhook is shown once, with receivers to start from", browser.value("#secret").startswith("whsec_") and "compare_digest" in browser.run("return document.querySelector('#receiver-Python').textContent"))
    browser.picture("07-webhook-secret")
    browser.click("a.button.main")
    one = browser.at()
    journey("sends a test, and sees what the receiver answered")
    browser.link("Send a test")
    holds("a test shows what the receiver answered", "Arrived" in browser.text() and "Attempt 1" in browser.text())
    browser.picture("08-delivery")
    journey("watches what happens in an open page")
    browser.go(one)
    site.api(token, "/contacts", {"kind": "organization", "legalName": "Librería Luna SL"})
    wait_for("a new delivery in the open page", lambda: "contact.create" in browser.text())
    holds("what happens appears in the open page by itself", True)

    journey("sees in the health of a webhook that its receiver fails, and what it answered")
    receiver.status = 500
    site.api(token, "/contacts", {"kind": "organization", "legalName": "Bar Mar SL"})
    wait_for("the failure", lambda: len(receiver.taken) >= 3)
    wait_for("the health", lambda: (browser.go(one), "failures in a row" in browser.text())[1])
    holds("a receiver that fails is seen in the health of its webhook", True)
    browser.picture("09-failing")
    browser.go(f"{company}/webhooks")
    browser.picture("10-webhooks")
    browser.go(f"{one}/deliveries?status=retrying")
    browser.picture("11-deliveries")
    browser.click("tbody a")
    holds("hostile words of the receiver are text", "<script>alert(1)</script>" in browser.text() and not browser.has("main script, main img"))
    browser.picture("12-delivery-failed")
    journey("replays what was missed once the receiver is mended")
    receiver.status = 204
    browser.go(f"{one}/replays/new")
    browser.click("input[value=events]")
    browser.run("document.querySelector('#from').value = '2020-01-01T00:00'")
    browser.click("button[value=count]")
    holds("a replay is counted before it is sent", "would be sent" in browser.text(), browser.text())
    browser.picture("13-replay-count")
    before = len(receiver.taken)
    browser.click("button[value=start]")
    wait_for("the replay", lambda: len(receiver.taken) >= before + 2, 60)
    wait_for("its end in the open page", lambda: "Done" in browser.text())
    holds("and shows its end by itself", True)
    browser.picture("14-replay")
    journey("finds in the event log what happened")
    browser.go(f"{company}/events")
    holds("the event log has what happened", "contact.create" in browser.text())
    browser.picture("15-events")
    browser.click("tbody a")
    browser.picture("16-event")
    return one


def approvals(site, browser, company, token):
    def erase(name):
        contact = site.api(token, "/contacts", {"kind": "organization", "legalName": name})[1]
        return {"kind": "contact", "id": contact["id"], "if_version": contact["version"]}

    first, second, third = erase("Papelería Mar SL"), erase("<b>Bar</b> Sol SL"), erase("Taller Luna SL")
    url = site.tool(token, "record_delete", first)["url"]
    journey("approves what an assistant asks for")
    browser.go("/approvals")
    holds("what an assistant waits for is listed", "Erase a record" in browser.text(), browser.text())
    browser.picture("33-approvals")
    browser.go(url.removeprefix(site.base))
    holds("and shown as it would be done", all(text in browser.text() for text in ["A contact", "Papelería Mar SL", "Everything"]), browser.text())
    browser.picture("34-approval")
    browser.click("button[value=approve]")
    holds("a person approves it", "You approved it" in browser.text())
    holds("the assistant goes on, once", site.tool(token, "record_delete", first).get("item", 0) is None)
    holds("and it is done", site.api(token, f"/contacts/{first['id']}")[0] == 404)
    browser.go(url.removeprefix(site.base))
    holds("its page says so", "the assistant went on" in browser.text())
    journey("declines without scripts what an assistant asks for")
    browser.go(site.tool(token, "record_delete", second)["url"].removeprefix(site.base))
    holds("what strangers wrote is text", "<b>Bar</b> Sol SL" in browser.text() and not browser.has("main b"))
    browser.scripts(False)
    browser.go(site.tool(token, "record_delete", second)["url"].removeprefix(site.base))
    browser.click("button[value=decline]")
    holds("a person declines without scripts", "You declined it" in browser.text())
    browser.scripts(True)
    told = site.tool(token, "record_delete", second)
    holds("and the assistant is told", told["code"] == "approval_declined", told)
    journey("finds the calls of an assistant at its token")
    wait_for("the calls in the log", lambda: (browser.go(f"{company}/tokens"), browser.link("Everything"), "approval_declined" in browser.text())[2])
    holds("the page of the token shows its calls", "record_delete" in browser.text())
    # One that waits, for the look at every page.
    site.tool(token, "record_delete", third)


def people(site, driver, browser, company, pictures):
    site.command("user", "create", "--email", "ben@example.com", "--name", "Ben Soto", "--password-stdin", input=PASSWORD)
    journey("invites a person")
    browser.go(f"{company}/members/new")
    browser.fill(email="ben@example.com")
    browser.click("input[value=employee]")
    browser.picture("17-invite")
    browser.click("form.stack button.main")
    holds("who is invited is shown by the address alone", "ben@example.com" in browser.text() and "Ben Soto" not in browser.text())
    journey("accepts an invitation")
    ben = driver.browser(site.base, pictures)
    sign_in(ben, "ben@example.com")
    holds("an invitation waits at the sign-in of its person", "Invitations" in ben.text())
    ben.picture("18-invitation")
    ben.link("Accept")
    holds("who accepts sees the company", "Employee" in ben.text() and not ben.has("nav a[href$='/tokens']"))
    journey("gives a person another role")
    browser.go(f"{company}/members")
    browser.link("Ben Soto")
    browser.click("input[value=administrator]")
    browser.picture("19-member")
    browser.click("form.stack button.main")
    ben.go(company)
    holds("another role holds from the next page on", ben.has("nav a[href$='/tokens']"))
    browser.go(f"{company}/members")
    browser.picture("20-members")
    journey("finds in the audit log who did it")
    browser.go(f"{company}/audit-log")
    holds("the audit log has it", "member.update" in browser.text() and "Ana Ruiz" in browser.text())
    browser.picture("21-audit-log")
    ben.close()


def sessions(site, driver, browser, company, pictures):
    journey("is signed out in the middle of a form, and signs in again")
    browser.go(f"{company}/tokens/new")
    browser.fill(name="Half done")
    browser.forget()
    browser.click("input[name=all][value=read]")
    browser.click("button[value=review]")
    holds("a form that the browser no longer belongs to is refused, and told", "This form can no longer be sent" in browser.text())
    browser.picture("22-session-ended")
    sign_in(browser, "ana@example.com", "wrong password here")
    holds("a wrong password keeps the address", browser.value("#email") == "ana@example.com")
    browser.picture("23-sign-in-refused")
    sign_in(browser, "ana@example.com")

    journey("clicks twice")
    browser.go(f"{company}/tokens/new")
    browser.fill(name="Twice")
    browser.click("input[name=all][value=read]")
    browser.click("button[value=review]")
    page = browser.find("html")
    browser.run("const button = document.querySelector('button[value=create]'); button.click(); button.click()")
    browser.left(page)
    browser.go(f"{company}/tokens")
    holds("a double click makes one token", browser.text().count("Twice") == 1, browser.text())
    browser.picture("24-tokens")

    journey("comes with a browser in Spanish")
    spanish = driver.browser(site.base, pictures, language="es")
    sign_in(spanish, "ana@example.com")
    spanish.go(f"{company}/webhooks")
    holds("a Spanish browser gets Spanish pages", "Dirección" in spanish.text() or "Activo" in spanish.text(), spanish.text()[:200])
    spanish.picture("25-spanish")
    spanish.close()

    journey("makes a token without scripts")
    plain = driver.browser(site.base, pictures)
    plain.scripts(False)
    sign_in(plain, "ana@example.com")
    plain.go(f"{company}/tokens/new")
    plain.fill(name="No scripts")
    plain.click("input[name=all][value=read]")
    plain.click("button[value=review]")
    plain.click("button[value=create]")
    plain.picture("26-no-scripts")
    plain.scripts(True)
    plain.go(f"{company}/tokens")
    holds("a token is made without scripts", "No scripts" in plain.text())
    plain.close()

    journey("signs in by the keyboard alone")
    keyboard = driver.browser(site.base, pictures)
    keyboard.go("/sign-in")
    keyboard.keys(TAB + ENTER)
    holds("the first key leads past the head of the page", keyboard.at().endswith("#content"), keyboard.at())
    keyboard.keys(TAB + "ana@example.com" + TAB + PASSWORD + ENTER)
    wait_for("the sign-in by keyboard", lambda: "/companies/" in keyboard.at())
    holds("a person signs in by the keyboard alone", True)
    keyboard.close()


def every_page(browser, company, axe):
    """Every kind of page that links reach: judged, narrow, and silent."""
    queue, kinds, wrong = ["/companies", company, "/password", "/sessions", "/second-factor", "/approvals", "/groups", "/forgotten"], set(), []
    while queue:
        path = queue.pop(0)
        kind = re.sub(r"(acc|tok|whs|dlv|evt|rpl|mem|apr|drg|grp)_[0-9a-z]+", "ID", path.split("?")[0])
        if kind in kinds or path.startswith(("/docs", "/assets", "/api")) or ".csv" in path:
            continue
        kinds.add(kind)
        browser.size(1280, 900)
        browser.go(path)
        if axe:
            wrong += [f"{kind} {found}" for found in judge(browser, axe)]
        html = browser.html()
        browser.driver.markup.keep(kind, html)
        size = len(html.encode())
        if size > 60_000:
            wrong.append(f"{kind} has {size} bytes")
        queue += browser.run("return [...document.querySelectorAll('a[href]')].map((a) => a.getAttribute('href')).filter((href) => href.startsWith('/'))")
        browser.size(360, 800)
        wide = browser.run("return document.documentElement.scrollWidth")
        if wide > 360:
            wrong.append(f"{kind} is {wide} wide at 360")
        browser.picture("narrow-" + (re.sub(r"[^a-z]+", "-", kind.lower()).strip("-") or "home"))
    wrong += browser.complaints()
    holds(f"{len(kinds)} kinds of pages: {'no violation of axe in both themes, ' if axe else ''}none above 60 kB, none wider than 360 px, no script and no policy complains", not wrong and len(kinds) > 20, "\n  ".join(wrong[:10]))


def main():
    if not (shutil.which("chromedriver") and (shutil.which("chromium") or shutil.which("google-chrome"))):
        print("pages not walked: chromium and chromium-driver are not installed")
        return
    pictures = os.path.abspath(sys.argv[2] if len(sys.argv) > 2 else "target/pages")
    os.makedirs(pictures, exist_ok=True)
    axe = axe_source()
    if not axe:
        print("pages not judged: axe-core cannot be fetched")
    site, driver, receiver, markup = Site(sys.argv[1]), Driver(), Receiver(), Markup()
    driver.markup = markup
    try:
        ana = driver.browser(site.base, pictures)
        company = begin(site, ana)
        tokens(site, ana, company)
        token = full_token(site, ana, company)
        webhooks(site, ana, company, token, receiver)
        people(site, driver, ana, company, pictures)
        persons.walk(site, driver, ana, company, pictures, holds, wait_for, sign_in)
        sessions(site, driver, ana, company, pictures)
        second_factor(site, driver, ana, pictures)
        approvals(site, ana, company, token)
        ceremony.walk(site, driver, token, pictures, holds, wait_for, lambda browser: judge(browser, axe) if axe else [])
        room.walk(site, driver, ana, company, token, pictures, holds, lambda browser: judge(browser, axe) if axe else [])
        journey("connects an assistant, and ends it")
        assistant.walk(site, driver, pictures, holds, lambda browser: judge(browser, axe) if axe else [])
        journey("uploads the file that an assistant asked for")
        upload.walk(site, driver, token, pictures, holds, lambda browser: judge(browser, axe) if axe else [])
        developers.walk(site, ana, company, token, receiver)
        ways.walk(site, driver, company, pictures)
        journey("looks at every page that links lead to")
        every_page(ana, company, axe)
        ana.close()
        wrong, pages = markup.errors(), len(markup.names)
        if wrong is None:
            print("markup not judged: html-validate cannot be fetched")
        else:
            holds(f"html-validate finds no error in {pages} pages and states of them", not wrong, "\n  ".join(wrong[:20]))
    finally:
        driver.end()
        site.end()
        markup.end()
    holds(f"{len(claims.journeys)} journeys were gone", len(claims.journeys) >= 40, claims.journeys)
    print(f"{claims.passed} claims hold; pictures in {os.path.relpath(pictures)}")


main()
