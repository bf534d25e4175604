"""The part of the walk in which a person connects an assistant and ends it: see walk.py."""

import json
import time
import urllib.parse
import urllib.request

from served import sign_in

REDIRECT = "http://localhost:33418/cb"


def registered(site):
    """The id of an application that registers itself (RFC 7591)."""
    body = json.dumps({"client_name": "Desk", "redirect_uris": [REDIRECT]}).encode()
    asked = urllib.request.Request(f"{site.base}/oauth/register", body, {"content-type": "application/json"})
    with urllib.request.urlopen(asked) as answer:
        return json.load(answer)["client_id"]


def walk(site, driver, pictures, holds, judge):
    """A person lets an application in, sees it among the sessions, and ends it there; `judge` says what is wrong with a page."""
    asked = urllib.parse.urlencode({
        "response_type": "code", "client_id": registered(site), "redirect_uri": REDIRECT, "scope": "mcp:read",
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
    })
    browser, wrong = driver.browser(site.base, pictures), []
    sign_in(browser, "ana@example.com")
    browser.go(f"/oauth/authorize?{asked}")
    holds("an assistant says who it is, and what it asks for", "Desk asks to act for you" in browser.text(), browser.text())
    browser.picture("49-connect")
    wrong.extend(judge(browser))
    browser.click("input[name=company]")
    browser.click("button[value=approve]")
    ends = time.monotonic() + 10
    while "code=" not in browser.url() and time.monotonic() < ends:
        time.sleep(0.1)
    holds("who approves is sent back with a code", browser.url().startswith(REDIRECT) and "code=" in browser.url(), browser.url())
    browser.go("/sessions")
    wrong.extend(browser.pictures_of("50-assistants", "the page of sessions"))
    wrong.extend(judge(browser))
    holds("the person sees the assistant among the sessions", "Desk" in browser.text() and "Active" in browser.text(), browser.text())
    browser.click("form[action*='/connections/'] button")
    holds("and ends it there", "The assistant is disconnected" in browser.text() and not browser.has("form[action*='/connections/']"), browser.text())
    holds("the pages of assistants: none wider than its window, no violation of axe where it was asked", not wrong, "\n  ".join(wrong[:10]))
    browser.close()
