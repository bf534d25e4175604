"""The part of the walk in which people sign: see walk.py."""

import glob
import json
import os
import re
import time
import urllib.request

from claims import journey

ENTER, SPACE = "\ue007", " "


def pdf():
    """A PDF of one empty page."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 595 842] >>", "<< /Type /Page /Parent 2 0 R >>"]
    file, places = "%PDF-1.7\n", []
    for number, text in enumerate(objects, 1):
        places.append(f"{len(file):010} 00000 n \n")
        file += f"{number} 0 obj\n{text}\nendobj\n"
    start = len(file)
    return f"{file}xref\n0 4\n0000000000 65535 f \n{''.join(places)}trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n{start}\n%%EOF".encode()


def upload(site, token, name):
    parts = f'--b\r\ncontent-disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode() + pdf() + b"\r\n--b--\r\n"
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "multipart/form-data; boundary=b"}
    with urllib.request.urlopen(urllib.request.Request(f"{site.base}/api/v1/files", parts, headers), timeout=30) as answer:
        return json.load(answer)["id"]


def mailed(site, to, pattern):
    """What the first mail to this address that has the pattern has of it, once it is there."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        for name in glob.glob(os.path.join(site.folder, "data/mail/*.eml")):
            with open(name, encoding="utf-8", newline="") as mail:
                text = mail.read()
            found = re.search(pattern, text)
            if f"To: {to}" in text and found:
                return found.group(1)
        time.sleep(0.2)
    raise SystemExit(f"FAILED: no mail to {to} has {pattern}")


def link(site, to):
    return "/sign/" + mailed(site, to, r"/sign/([0-9A-Za-z]{43})")


def opened(browser, holds, claim):
    """The document comes up in a tab of its own, and the page stays."""
    deadline = time.monotonic() + 10
    tabs = 0
    while not tabs and time.monotonic() < deadline:
        time.sleep(0.2)
        tabs = browser.close_others()
    holds(claim, tabs == 1 and browser.at().startswith("/sign/"), browser.at())


def by_keyboard(site, ben, holds, pictures_of):
    journey("signs by the keyboard alone, with a code")
    ben.go(link(site, "ben@example.com"))
    pictures_of(ben, "open")
    ben.keys("\ue004" + ENTER)
    holds("the first key leads past the head of the page of a link", ben.at().endswith("#content"), ben.at())
    ben.reach(".documents button")
    ben.keys(ENTER)
    opened(ben, holds, "a document opens in a tab of its own by the keyboard")
    ben.reach("#code button")
    page = ben.find("html")
    ben.keys(ENTER)
    ben.left(page)
    holds("a code is sent, and that is told", "on its way" in ben.run("return document.querySelector('[role=status]').innerText"))
    pictures_of(ben, "code")
    ben.reach("#one-time-code")
    page = ben.find("html")
    ben.keys("000000" + ENTER)
    ben.left(page)
    holds("a wrong code is told with the tries that are left", "Tries that are left: 4" in ben.run("return document.querySelector('[role=alert]').innerText"), ben.text())
    ben.reach("#one-time-code")
    page = ben.find("html")
    ben.keys(mailed(site, "ben@example.com", r"Your code: (\d{6})") + ENTER)
    ben.left(page)
    pictures_of(ben, "form")
    ben.reach("#name")
    ben.keys("Ben Gil")
    ben.reach("input[name=consent]")
    ben.keys(SPACE)
    ben.reach("form[action$='/sign'] button.main")
    page = ben.find("html")
    ben.keys(ENTER)
    ben.left(page)
    holds("a person signs by the keyboard alone, with a code", "You have signed" in ben.text(), ben.text())
    pictures_of(ben, "signed")


def without_scripts(site, eva, holds):
    journey("signs on a phone without scripts")
    eva.size(360, 800)
    eva.scripts(False)
    eva.go(link(site, "eva@example.com"))
    eva.click(".documents button")
    opened(eva, holds, "a document opens without scripts")
    eva.click("#code button")
    eva.fill(one_time_code=mailed(site, "eva@example.com", r"Your code: (\d{6})"))
    eva.click("#code form.stack button")
    holds("without scripts there is nothing to draw on", not eva.run("return document.querySelector('canvas').checkVisibility()"))
    eva.fill(name="Eva Sol")
    eva.click("input[name=consent]")
    eva.picture("36-sign-phone")
    eva.click("form[action$='/sign'] button.main")
    holds("a person signs on a phone without scripts, with a code", "You have signed" in eva.text(), eva.text())
    eva.scripts(True)


def by_hand(site, luis, holds, pictures_of):
    journey("signs on a phone by hand")
    luis.size(360, 800)
    luis.go(link(site, "luis@example.com"))
    luis.click(".documents button")
    opened(luis, holds, "a document opens on a phone")
    luis.click("input[name=kind][value=drawn]")
    luis.click("input[name=consent]")
    valid = "return document.querySelector('form[action$=\"/sign\"]').checkValidity()"
    holds("an empty pad is no signature", not luis.run(valid))
    for stroke in [[(-90, 20), (-60, -30), (-30, 20), (0, -20), (40, 20)], [(60, -10), (90, -10)]]:
        luis.draw("canvas", stroke)
    strokes = luis.value("input[name=strokes]")
    holds("what is drawn is kept as strokes of points", strokes.count("_") == 1 and strokes.count("-") >= 4, strokes)
    luis.click("[data-pad] button")
    holds("and is cleared by a button", luis.value("input[name=strokes]") == "" and not luis.run(valid))
    luis.draw("canvas", [(-90, 20), (-60, -30), (-30, 20), (0, -20), (40, 20)])
    luis.run("scrollTo(0, document.querySelector('canvas').offsetTop - 200)")
    luis.picture("37-drawn")
    luis.click("form[action$='/sign'] button.main")
    holds("the last signature is drawn by hand, and the page says that all have signed", "Signed by all" in luis.text(), luis.text())
    pictures_of(luis, "completed")


def declined(site, dora, holds, pictures_of):
    journey("declines to sign, in Spanish")
    dora.go(link(site, "dora@example.com"))
    dora.link("No quiero firmar")
    holds("who declines has opened a document", "Abra antes alguno" in dora.text(), dora.text())
    dora.link("Volver a los documentos")
    dora.click(".documents button")
    opened(dora, holds, "a document opens from a page in Spanish")
    dora.link("No quiero firmar")
    pictures_of(dora, "decline")
    dora.fill(reason="El precio es otro")
    dora.click("button.danger")
    holds("a person declines with a reason, in the language of the envelope", "Ha rechazado firmar" in dora.text(), dora.text())
    pictures_of(dora, "declined")


def walk(site, driver, token, pictures, holds, wait_for, judge):
    """People sign, draw and decline; `judge` says what is wrong with a page."""
    wrong = []

    def pictures_of(browser, name):
        size = browser.run("return [innerWidth, innerHeight]")
        wrong.extend(browser.pictures_of(f"sign-{name}", name))
        wrong.extend(f"{name} {found}" for found in judge(browser))
        browser.size(*size)

    file = upload(site, token, "Lease.pdf")
    signers = [
        {"name": "Ben Gil", "email": "ben@example.com", "auth": "email_otp"},
        {"name": "Eva Sol", "email": "eva@example.com", "auth": "email_otp"},
        {"name": "Luis Mar", "email": "luis@example.com"},
        {"name": "Archive", "email": "archive@example.com", "role": "copy"},
    ]
    draft = {"subject": "Lease of the office", "language": "en", "message": "Please sign by Friday.", "files": [{"fileId": file}], "send": True}
    status, envelope = site.api(token, "/envelopes", {**draft, "signers": signers})
    holds("an envelope is sent to people", status == 201, envelope)
    people = {name: driver.browser(site.base, pictures) for name in ["ben", "eva", "luis", "dora"]}
    by_keyboard(site, people["ben"], holds, pictures_of)
    without_scripts(site, people["eva"], holds)
    by_hand(site, people["luis"], holds, pictures_of)
    journey("gets the sealed document")
    wait_for("the sealing", lambda: site.api(token, f"/envelopes/{envelope['id']}")[1]["certificateFileId"])
    request = urllib.request.Request(f"{site.base}/api/v1/envelopes/{envelope['id']}/documents/{file}?signed=true", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        sealed = answer.read()
    holds("the sealed document begins with every byte of what was read, and has the signatures behind it", sealed.startswith(pdf()) and len(sealed) > len(pdf()) + 1000, len(sealed))
    mailed(site, "archive@example.com", r"(signed by all|Signed by all)")
    holds("and goes to who gets a copy", True)

    spanish = {**draft, "subject": "Alquiler", "language": "es", "signers": [{"name": "Dora Mar", "email": "dora@example.com"}]}
    status, envelope = site.api(token, "/envelopes", spanish)
    declined(site, people["dora"], holds, pictures_of)
    holds("which ends the envelope", site.api(token, f"/envelopes/{envelope['id']}")[1]["status"] == "declined")
    journey("follows a link that leads nowhere")
    people["dora"].go("/sign/" + "0" * 43)
    holds("a link that leads nowhere says what to do", "Open it from the mail" in people["dora"].text(), people["dora"].text())
    pictures_of(people["dora"], "unknown")
    for browser in people.values():
        wrong += browser.complaints()
        browser.close()
    holds("the pages of signers: none wider than its window at 1280, 640 and 360 px, no script and no policy complains, and no violation of axe where it was asked", not wrong, "\n  ".join(wrong[:10]))
