#!/usr/bin/env python3
"""A person at the pages of the client area, whom clients ask over HTTP: they open pages, approve, and use switches.

    person.py BINARY ORIGIN EMAIL PASSWORD     # prints the origin that it listens on

    POST /visit    {"url", "role"}       lets an assistant in; answers the `location` that the browser is sent back to
    GET  /open     ?url=…&role=…         the same for a client that starts a browser: the way back is gone, too
    POST /approve  {"url", "decision"}   decides on what an assistant wants to do
    POST /switch   {"client", "on"}      switches the newest connection of a client
    GET  /callback                       a page to come back to

With `"browser": true` a visit is made in Chromium, where there is one and `webdriver` is on the path of Python.
"""

import html.parser
import http.cookiejar
import http.server
import json
import shutil
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

BINARY, ORIGIN, EMAIL, PASSWORD = sys.argv[1:]


class Fields(html.parser.HTMLParser):
    """What a browser would send of a form that nothing was changed in; the first company is chosen."""

    def __init__(self, page):
        super().__init__()
        self.found = {}
        self.feed(page)

    def handle_starttag(self, tag, pairs):
        given = dict(pairs)
        if tag == "input" and given.get("name"):
            kind = given.get("type")
            if kind == "hidden" or "checked" in given or (given["name"] == "company" and kind == "radio"):
                self.found.setdefault(given["name"], given.get("value", ""))


class Stay(urllib.request.HTTPRedirectHandler):
    """Tells where it would be sent, and does not go."""

    def redirect_request(self, *_):
        return None


class Person:
    """Pages without a browser."""

    def __init__(self):
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(cookies, Stay)
        self.submit(f"{ORIGIN}/sign-in", email=EMAIL, password=PASSWORD)

    def fetch(self, url, form=None):
        data = None if form is None else urllib.parse.urlencode(form).encode()
        try:
            with self.opener.open(urllib.request.Request(url, data, {"Accept-Language": "en"}), timeout=30) as answer:
                return answer.read().decode(), None
        except urllib.error.HTTPError as answer:
            return answer.read().decode(), answer.headers.get("Location")

    def submit(self, url, **chosen):
        """Sends the form of a page; where it leads to."""
        page, location = self.fetch(url)
        if location is None:
            page, location = self.fetch(url, {**Fields(page).found, **chosen})
        if location is None:
            raise RuntimeError(f"the form of {url} leads nowhere: {page}")
        return location


class Chromium:
    """The pages as they are, in a browser."""

    def __init__(self):
        from webdriver import Driver

        self.driver = Driver()
        self.browser = self.driver.browser(ORIGIN, None)

    def visit(self, url, role):
        browser = self.browser
        browser.go(url)
        if browser.has("#password"):
            browser.fill(email=EMAIL, password=PASSWORD)
            browser.click("main button.main")
        browser.click("input[name=company]")
        browser.click(f"input[name=role][value={role}]")
        browser.click("button[value=approve]")
        return browser.url()

    def end(self):
        self.browser.command("DELETE", "")
        self.driver.end()


PERSON = Person()


def visit(url, role, browser=False):
    if browser and shutil.which("chromedriver") and shutil.which("chromium"):
        chromium = Chromium()
        try:
            return {"location": chromium.visit(url, role), "in": "Chromium"}
        finally:
            chromium.end()
    return {"location": PERSON.submit(url, role=role, decision="approve")}


def go_back(location):
    """To a client that may begin to listen only when its browser was started."""
    for _ in range(100):
        try:
            return urllib.request.urlopen(location, timeout=10)
        except urllib.error.URLError:
            time.sleep(0.1)


def approve(url, decision="approve"):
    return {"location": PERSON.submit(url, decision=decision)}


def command(*arguments):
    run = subprocess.run([BINARY, *arguments, "--json"], capture_output=True, text=True, check=True)
    return json.loads(run.stdout) if run.stdout.strip() else {}


def switch(client, on):
    named = [one for one in command("mcp", "connections")["items"] if one["name"] == client]
    newest = max(named, key=lambda one: one["id"])
    return command("token", "enable" if on else "disable", newest["id"])


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        does = {"/visit": visit, "/approve": approve, "/switch": switch}[self.path]
        try:
            self.answer(200, does(**asked))
        except Exception as error:  # Told to the client that asked.
            self.answer(500, {"error": repr(error)})

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/open":
            asked = dict(urllib.parse.parse_qsl(query))
            location = visit(asked["url"], asked["role"])["location"]
            threading.Thread(target=go_back, args=(location,), daemon=True).start()
        self.answer(200, {})

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
server.serve_forever()
