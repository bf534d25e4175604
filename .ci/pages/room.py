"""The part of the walk in which a guest of a data room is let in: see walk.py."""

import datetime
import json
import time
import urllib.request

from ceremony import ENTER, mailed, pdf

GUEST = "guest@buyer.example"


def add(site, token, said, content):
    """Adds a file that is uploaded along to the data room."""
    said = {"section": "1 Corporate", **said}
    head = f'--b\r\ncontent-disposition: form-data; name="properties"\r\n\r\n{json.dumps(said)}\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n'
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "multipart/form-data; boundary=b"}
    request = urllib.request.Request(f"{site.base}/api/v1/data-room/files", head.encode() + content + b"\r\n--b--\r\n", headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["id"]


def day(days):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=days)).strftime("%Y-%m-%d")


def set_value(browser, css, value):
    """Fields of days are typed otherwise in each language of a browser."""
    browser.run("document.querySelector(arguments[0]).value = arguments[1]", css, value)


def read(browser, path):
    """What the browser gets of a file, as text of its bytes, and the status."""
    browser.run("window.read = null; fetch(arguments[0]).then((answer) => answer.arrayBuffer().then((body) => { window.read = [answer.status, new TextDecoder('latin1').decode(body)]; }))", path)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        found = browser.run("return window.read")
        if found:
            return found
        time.sleep(0.1)
    raise SystemExit(f"FAILED: {path} is not read")


def walk(site, driver, ana, company, token, pictures, holds, judge):
    """A guest is let in, proves a code, opens files, and is shut out; `judge` says what is wrong with a page."""
    wrong = []

    def pictures_of(browser, name):
        wrong.extend(browser.pictures_of(f"room-{name}", name))
        wrong.extend(f"{name} {found}" for found in judge(browser))

    public = {"name": "Statutes.pdf", "containsPersonalData": False}
    stamped = add(site, token, {"title": "Statutes", "watermark": True, "file": public}, pdf())
    add(site, token, {"title": "Only listed", "downloadable": False, "file": public}, pdf())
    add(site, token, {"section": "2 Tax", "title": "Elsewhere", "file": public}, pdf())
    ana.go(f"{company}/data-room")
    ana.click("a.main")
    ana.fill(email=GUEST, sections="1 Corporate")
    set_value(ana, "#lastDay", day(30))
    ana.click("form.stack button.main")
    grant = ana.at()
    holds("a holder lets a guest into a section of the data room", "Has access" in ana.text() and "1 Corporate (2 files by now)" in ana.text(), ana.text())
    pictures_of(ana, "grant")
    guest = driver.browser(site.base, pictures)
    link = "/room/" + mailed(site, GUEST, r"/room/([0-9A-Za-z]{43})")
    guest.go(link)
    holds("the link of the mail shows no file, and asks for a code", "Statutes" not in guest.text() and "code of six digits" in guest.text(), guest.text())
    pictures_of(guest, "code")
    guest.scripts(False)
    guest.go(link)
    guest.reach("form button.main")
    page = guest.find("html")
    guest.keys(ENTER)
    guest.left(page)
    guest.reach("#one-time-code")
    page = guest.find("html")
    guest.keys(mailed(site, GUEST, r"Your code: (\d{6})") + ENTER)
    guest.left(page)
    holds("a guest proves the code by the keyboard, without scripts, and sees the files of the section alone", "Statutes" in guest.text() and "Only listed" in guest.text() and "Elsewhere" not in guest.text(), guest.text())
    guest.scripts(True)
    guest.go(link)
    pictures_of(guest, "list")
    guest.click("td a.button")
    deadline, tabs = time.monotonic() + 10, 0
    while not tabs and time.monotonic() < deadline:
        time.sleep(0.2)
        tabs = guest.close_others()
    holds("a file opens in a tab of its own", tabs == 1 and guest.at().startswith("/room/"), guest.at())
    status, file = read(guest, f"{link}/files/{stamped}")
    holds("each of its pages is stamped, and the file itself is not in it", status == 200 and "/SvcStamp Do" in file and pdf().decode() not in file, status)
    views = site.api(token, f"/data-room/files/{stamped}/views")[1]
    holds("each opening is a view of the guest", views["total"] >= 2 and all(view["guestEmail"] == GUEST for view in views["items"]), views)
    other = driver.browser(site.base, pictures)
    other.go(link)
    holds("another browser with the same link is asked for a code", "Statutes" not in other.text() and other.has("form button.main"), other.text())
    ana.go(f"{grant}/revoke")
    ana.click("button.danger")
    holds("a holder ends the access", "Ended" in ana.text(), ana.text())
    guest.go(link)
    holds("and the guest sees nothing from then on", "has ended your access" in guest.text() and "Statutes" not in guest.text(), guest.text())
    pictures_of(guest, "ended")
    for browser in [guest, other]:
        wrong.extend(browser.complaints())
        browser.close()
    holds("the pages of guests: none wider than its window at 1280, 640 and 360 px, no script and no policy complains, and no violation of axe where it was asked", not wrong, "\n  ".join(wrong[:10]))
