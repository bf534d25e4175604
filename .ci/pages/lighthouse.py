#!/usr/bin/env python3
"""What Lighthouse says of five pages of the client area, signed in, with some data.

    .ci/pages/lighthouse.py target/release/svc-server

Needs `chromium`, `chromium-driver` and npm; without them it says so and ends well. Each of performance, accessibility and
best practices must reach 95 on each page, in one of three runs: Lighthouse measures the machine too, and a busy one is no
fault of the page. It takes about a minute on a machine that does nothing else.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from claims import holds, wait_for  # noqa: E402
from served import Receiver, Site, founded  # noqa: E402
from webdriver import Driver  # noqa: E402

LIGHTHOUSE = "lighthouse@12.8.2"
CATEGORIES = ["performance", "accessibility", "best-practices"]
LEAST, RUNS = 95, 3


def installed(folder):
    """The command, where npm can fetch it."""
    if not shutil.which("npm"):
        return None
    with open(os.path.join(folder, "package.json"), "w", encoding="utf-8") as file:
        file.write("{}")
    install = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--fetch-retries=0", "--silent", LIGHTHOUSE]
    tool = os.path.join(folder, "node_modules/.bin/lighthouse")
    return tool if not subprocess.run(install, cwd=folder, capture_output=True).returncode and os.path.exists(tool) else None


def prepared(site, browser, receiver):
    """The five pages of a company with tokens, webhooks, deliveries and failures, and the cookies that open them."""
    company, token, webhook = founded(site, browser, receiver)
    for number in range(40):
        receiver.status = 500 if number % 10 == 9 else 204
        site.api(token, "/contacts", {"kind": "organization", "legalName": f"Cliente {number} SL"})
    wait_for("the deliveries", lambda: len(receiver.taken) >= 40)
    pages = ["/sign-in", company, f"{company}/tokens/new", webhook, f"{company}/audit-log"]
    cookies = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in browser.cookies())
    return pages, cookies


def scores(tool, folder, url, cookies):
    """Points of a hundred by category, and what costs some."""
    answer = os.path.join(folder, "report.json")
    headers = os.path.join(folder, "headers.json")
    with open(headers, "w", encoding="utf-8") as file:
        json.dump({"Cookie": cookies} if cookies else {}, file)
    run = subprocess.run(
        [tool, url, "--quiet", "--output=json", f"--output-path={answer}", f"--extra-headers={headers}",
         f"--only-categories={','.join(CATEGORIES)}", "--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage"],
        capture_output=True, text=True, env={**os.environ, "CHROME_PATH": shutil.which("chromium") or shutil.which("google-chrome")},
    )
    if run.returncode:
        raise SystemExit(f"FAILED: lighthouse on {url}: {run.stderr[-500:]}")
    with open(answer, encoding="utf-8") as file:
        report = json.load(file)
    points = {name: round(report["categories"][name]["score"] * 100) for name in CATEGORIES}
    lost = [
        f"{audit['id']}: {audit['title']} {audit.get('displayValue', '')}" for name in CATEGORIES
        for audit in (report["audits"][one["id"]] for one in report["categories"][name]["auditRefs"] if one["weight"])
        if audit["score"] is not None and audit["score"] < 0.9
    ]
    return report["finalDisplayedUrl"], points, lost


def main():
    if not (shutil.which("chromedriver") and (shutil.which("chromium") or shutil.which("google-chrome"))):
        print("pages not judged: chromium and chromium-driver are not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        tool = installed(folder)
        if not tool:
            print("pages not judged: lighthouse cannot be fetched")
            return
        site, driver, receiver = Site(sys.argv[1]), Driver(), Receiver()
        try:
            browser = driver.browser(site.base, folder)
            pages, cookies = prepared(site, browser, receiver)
            browser.close()
            for page in pages:
                for _ in range(RUNS):
                    at, points, lost = scores(tool, folder, site.base + page, "" if page == "/sign-in" else cookies)
                    if min(points.values()) >= LEAST:
                        break
                told = ", ".join(f"{name} {of}" for name, of in points.items())
                holds(f"{page}: {told}", at == site.base + page and min(points.values()) >= LEAST, "\n  ".join([at, *lost]))
        finally:
            driver.end()
            site.end()


main()
