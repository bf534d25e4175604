"""The part of the walk under Developers that needs no other person: see walk.py."""

from claims import holds, journey, wait_for


def made(browser, company, name):
    """A token that reads: its value, and its page."""
    browser.go(f"{company}/tokens/new")
    browser.fill(name=name)
    browser.click("input[name=all][value=read]")
    browser.click("button[value=review]")
    browser.click("button[value=create]")
    value = browser.value("#value")
    browser.click("a.button.main")
    return value, browser.at()


def tokens(site, browser, company):
    def whoami(token):
        return site.api(token, "/auth/whoami")[0]

    journey("gives a token a new value")
    old, one = made(browser, company, "Old value")
    browser.link("New value")
    browser.click("main form button")
    new = browser.value("#value")
    holds("the new value works at once, and the old one no more", (whoami(old), whoami(new)) == (401, 200))

    journey("switches a token off for a while")
    browser.go(one)
    browser.link("Switch off")
    browser.click("main form button")
    holds("it is refused meanwhile", whoami(new) == 401 and "Switched off" in browser.text(), browser.text())
    browser.link("Switch on")
    browser.click("main form button")
    holds("and works again after", whoami(new) == 200)

    journey("changes a token that another window changed meanwhile")
    browser.go(f"{one}/edit")
    stale = browser.run("return document.querySelector('main form input[name=version]').value")
    browser.fill(name="First name")
    browser.click("main form.stack button.main")
    browser.go(f"{one}/edit")
    browser.run("document.querySelector('main form input[name=version]').value = arguments[0]", stale)
    browser.fill(name="Second name")
    browser.click("main form.stack button.main")
    said = browser.text()
    browser.go(one)
    holds("the second window is told, keeps what was typed, and what the first one saved stays", "changed meanwhile" in said and "Second name" in said and "First name" in browser.text() and "First name" not in said, said)
    browser.link("Revoke")
    browser.click("button.danger")


def webhooks(site, browser, company, token, receiver):
    journey("gives a webhook a new secret")
    browser.go(f"{company}/webhooks")
    browser.click("tbody a")
    one = browser.at()
    browser.link("New secret")
    browser.click("main form button")
    holds("it is shown once", browser.value("#secret").startswith("whsec_"))
    browser.go(one)
    holds("and not on the page of the webhook", not browser.has("#secret"))

    journey("switches a webhook off for a while")
    browser.link("Switch off")
    browser.click("main form button")
    off = site.api(token, "/contacts", {"kind": "organization", "legalName": "Café Luna SL"})[1]["id"]
    holds("nothing is offered to send meanwhile", not browser.has("form[action$='/test']"), browser.text())
    browser.link("Switch on")
    browser.click("main form button")
    on = site.api(token, "/contacts", {"kind": "organization", "legalName": "Café Sol SL"})[1]["id"]
    wait_for("the delivery of what happened after", lambda: receiver.about(on))
    holds("what happened after it was switched on is sent, and that alone", (receiver.about(off), receiver.about(on)) == (0, 1), receiver.taken)

    journey("sends one delivery again by hand")
    browser.go(f"{one}/deliveries?status=delivered")
    browser.click("tbody a")
    event = browser.run("return document.querySelector('main a[href*=\"/events/\"]').pathname").split("/")[-1]
    before = receiver.of(event)
    browser.link("again")
    wait_for("the delivery", lambda: receiver.of(event) > before)
    holds("the receiver has it once more", receiver.of(event) == before + 1, (event, receiver.taken))


def overview(browser, company):
    journey("sees the last day as charts")
    browser.go(company)
    drawn = browser.run("return [...document.querySelectorAll('main svg')].map((one) => [one.getAttribute('role'), one.getAttribute('aria-label'), one.querySelectorAll('rect').length])")
    holds("deliveries, latencies and requests are drawn, each with what it says in words", len(drawn) == 4 and all(role == "img" and told and bars for role, told, bars in drawn), drawn)
    browser.picture("40-overview")
    browser.reach("main details summary")
    browser.keys("\ue007")
    figures = browser.run("return document.querySelectorAll('main details[open] tbody tr').length")
    holds("and the figures of each hour are a table, opened by the keyboard", figures == 24, figures)
    browser.picture("41-overview-figures")


def audit_log(browser, company):
    journey("verifies the seals of the audit log")
    browser.go(f"{company}/audit-log")
    browser.link("Verify the seals")
    browser.picture("42-verify")
    browser.click("main form button.main")
    holds("the log is whole, from its first entry to its newest", "The log is whole" in browser.text() and "Entries 1 to " in browser.text(), browser.text())
    browser.picture("43-verified")

    journey("takes a part of the audit log along as a table")
    browser.go(f"{company}/audit-log?action=token.revoke")
    script = "const done = arguments[0]; fetch(document.querySelector('main a[download]').href).then((answer) => answer.text()).then(done)"
    lines = browser.command("POST", "/execute/async", {"script": script, "args": []}).strip().split("\r\n")
    holds("it has what the page was narrowed to, and its head", len(lines) > 1 and lines[0].startswith("number,at,who") and all("token.revoke" in line for line in lines[1:]), lines)

    journey("follows a link to a page that is not there")
    browser.go(f"{company}/tokens/tok_00000000000000000000000001")
    holds("the page says so, and leads on", "There is nothing here" in browser.text() and browser.has("main a[href]"))


def walk(site, browser, company, token, receiver):
    receiver.status = 204
    tokens(site, browser, company)
    webhooks(site, browser, company, token, receiver)
    overview(browser, company)
    audit_log(browser, company)
