"""Second factors and the sessions that they end: see walk.py."""

import base64
import hmac
import time

from claims import holds, journey
from served import PASSWORD, sign_in


def code(secret, steps=0):
    """What an authenticator app shows (RFC 6238)."""
    key, moment = base64.b32decode(secret), int(time.time()) // 30 + steps
    digest = hmac.new(key, moment.to_bytes(8, "big"), "sha1").digest()
    at = digest[-1] & 15
    return f"{(int.from_bytes(digest[at:at + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06}"


def second_factor(site, driver, browser, pictures):
    other = driver.browser(site.base, pictures)
    sign_in(other, "ana@example.com")
    journey("sees where they are signed in")
    browser.go("/sessions")
    holds("a person sees where they are signed in", browser.text().count("Chrome on Linux") >= 2 and browser.text().count("This one") == 1, browser.text())
    browser.picture("27-sessions")
    journey("turns a second factor on")
    browser.go("/second-factor")
    browser.picture("28-second-factor")
    browser.fill(current=PASSWORD)
    browser.click("form.stack button.main")
    secret = browser.value("#secret")
    browser.picture("29-device")
    browser.fill(code="000000")
    browser.click("form.stack button.main")
    holds("a wrong code turns nothing on, and the secret is not shown again", "Something is not right yet" in browser.text() and not browser.has("#secret"))
    # Another half minute may begin before it is presented again.
    used = code(secret)
    browser.fill(code=used)
    browser.click("form.stack button.main")
    recovery = browser.run("return document.querySelector('#codes').textContent").split()
    holds("the right one does, and gives ten recovery codes", len(recovery) == 10)
    browser.picture("30-recovery-codes")
    other.go("/companies")
    holds("the other sessions of the person end", other.has("#password"))
    journey("signs in with a code, once")
    sign_in(other, "ana@example.com")
    other.picture("31-code")
    other.fill(code=used)
    other.click("main button.main")
    holds("a code that was used counts no more", "This is not the code" in other.text())
    other.fill(code=code(secret, 1))
    other.click("main button.main")
    holds("the next one signs in", "Your companies" in other.text() or "Ferretería" in other.text(), other.text())
    journey("signs in with a recovery code")
    other.click("header details.person summary")
    other.click("header details.person button")
    sign_in(other, "ana@example.com")
    other.fill(code=recovery[3].upper())
    other.click("main button.main")
    other.go("/second-factor")
    holds("so does a recovery code, once", "9 of 10 recovery codes are left" in other.text())
    other.picture("32-second-factor-on")
    journey("is let in by the operator after losing the device")
    site.command("user", "remove-second-factor", "ana@example.com")
    sign_in(other, "ana@example.com")
    holds("the operator lets a person in who has lost the device", not other.has("#code"))
    journey("signs out everywhere")
    other.go("/sessions")
    other.click("button.danger")
    holds("a person signs out everywhere", "You are signed out" in other.text())
    other.close()
    sign_in(browser, "ana@example.com")
