"""The part of the walk in which a person uploads the file that an assistant asked for: see walk.py."""

import os

from ceremony import pdf


def choose(browser, content):
    """Chooses a file with this content in the form."""
    path = os.path.join(browser.pictures, "asked.pdf")
    with open(path, "wb") as file:
        file.write(content)
    browser.command("POST", f"/element/{browser.find('#file')}/value", {"text": path})
    return path


def walk(site, driver, token, pictures, holds, judge):
    """A person opens the link of an assistant, sends no file and then one, without scripts; `judge` says what is wrong with a page."""
    place = site.tool(token, "file_upload_link", {"data": {"name": "Asked for.pdf"}})
    browser, wrong = driver.browser(site.base, pictures), []
    browser.go(place["url"])
    wrong.extend(browser.pictures_of("upload", "the page of an upload"))
    wrong.extend(judge(browser))
    holds("a link of an assistant says what is asked for, and for whom", "Asked for.pdf" in browser.text() and "Everything" in browser.text(), browser.text())
    browser.scripts(False)
    for content in [b"", pdf()]:
        path = choose(browser, content)
        browser.click("form button.main")
        os.remove(path)
        if not content:
            holds("an empty file is refused beside its field", browser.has("[role=alert]"), browser.text())
    browser.picture("upload-stored")
    wrong.extend(browser.complaints())
    holds("a person uploads the file without scripts and without a token", browser.has("[role=status]") and not browser.has("#file"), browser.text())
    found = site.api(token, "/files?q=Asked")[1]["items"]
    holds("the file is kept as it was asked for", [file["name"] for file in found] == ["Asked for.pdf"] and found[0]["size"] == len(pdf()), found)
    browser.scripts(True)
    browser.go(place["url"])
    path = choose(browser, b"another one")
    browser.click("form button.main")
    os.remove(path)
    holds("and the link takes no other one", browser.has("[role=alert]"), browser.text())
    holds("the page of an upload: none wider than its window, no script and no policy complains, no violation of axe where it was asked", not wrong, "\n  ".join(wrong[:10]))
    browser.close()
