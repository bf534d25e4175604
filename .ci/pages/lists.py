#!/usr/bin/env python3
"""How long the server takes for the first page of a list with 100,000 rows, and for the charts over as many deliveries.

    .ci/pages/lists.py target/release/svc-server

The rows are written into the SQLite file while the server is stopped, as copies of one that it wrote itself. Each page is
asked for 21 times by a person who is signed in; the median must stay below 50 ms, and the page below 60 kB. Needs
`chromium` and `chromium-driver`; without them it says so and ends well.
"""

import os
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from claims import holds, wait_for  # noqa: E402
from served import Receiver, Site, founded  # noqa: E402
from webdriver import Driver  # noqa: E402

ROWS, TIMES, MOST_MS, MOST_BYTES = 100_000, 21, 50, 60_000


def prepared(site, browser, receiver):
    """A company with a token, a webhook and a delivery: the paths of the company and of the webhook."""
    company, token, webhook = founded(site, browser, receiver)
    site.api(token, "/contacts", {"kind": "organization", "legalName": "Cliente SL"})
    wait_for("the delivery", lambda: (browser.go(webhook), "contact.create" in browser.text())[1])
    return company, webhook


def copied(database, table, changed):
    """Copies the newest row of a table; `changed` says what each copy has of its own."""
    cursor = database.execute(f"SELECT * FROM {table} ORDER BY rowid DESC LIMIT 1")
    columns, row = [column[0] for column in cursor.description], cursor.fetchone()
    assert row, f"{table} has no row"
    rows = ([changed(number).get(name, value) for name, value in zip(columns, row)] for number in range(ROWS))
    database.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(columns))})", rows)


def filled(path):
    """Rows of the last day, evenly."""
    now = int(time.time() * 1000)
    ids = [(now - 86_400_000 + number * 86_400_000 // ROWS).to_bytes(6, "big") + os.urandom(10) for number in range(ROWS)]
    at = [int.from_bytes(one[:6], "big") * 1000 for one in ids]
    with sqlite3.connect(path) as database:
        copied(database, "svc_events", lambda number: {"id": ids[number], "occurred_at": at[number]})
        event = lambda number: {"event_id": ids[number], "automatic": 0, "created_at": at[number]}  # noqa: E731
        copied(database, "svc_deliveries", lambda number: {"id": ids[number], **event(number)})
        copied(database, "svc_delivery_attempts", lambda number: {"delivery_id": ids[number], "started_at": at[number]})
        first = database.execute("SELECT max(number) FROM svc_audit_records").fetchone()[0]
        copied(database, "svc_audit_records", lambda number: {"number": first + 1 + number, "occurred_at": now * 1000 + number})
        database.execute("UPDATE svc_audit_heads SET number = ?", [first + ROWS])


def main():
    if not (shutil.which("chromedriver") and (shutil.which("chromium") or shutil.which("google-chrome"))):
        print("lists not measured: chromium and chromium-driver are not installed")
        return
    with tempfile.TemporaryDirectory() as pictures:
        site, driver, receiver = Site(sys.argv[1]), Driver(), Receiver()
        try:
            browser = driver.browser(site.base, pictures)
            company, webhook = prepared(site, browser, receiver)
            cookies = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in browser.cookies())
            browser.close()
            site.stop()
            filled(site.database())
            site.start()
            lists = ["/audit-log", "/events", f"{webhook.removeprefix(company)}/deliveries", "/tokens", "/webhooks", ""]
            for path in [company + one for one in lists]:
                took = []
                for _ in range(TIMES):
                    request = urllib.request.Request(site.base + path, headers={"Cookie": cookies, "Accept": "text/html"})
                    began = time.perf_counter()
                    with urllib.request.urlopen(request, timeout=60) as answer:
                        page = answer.read()
                    took.append((time.perf_counter() - began) * 1000)
                middle = statistics.median(took)
                holds(f"{path}: {middle:.1f} ms, {len(page)} bytes", middle < MOST_MS and len(page) <= MOST_BYTES, took)
        finally:
            driver.end()
            site.end()


main()
