"""A server for the walk, the way in, and a receiver of its webhooks."""

import http.server
import json
import os
import shutil
import subprocess
import tempfile
import threading
import urllib.error
import urllib.request

from webdriver import free_port

PASSWORD = "correct horse battery"


class Receiver:
    """Answers webhooks with the status that it is told, and hostile text.

    `taken` is the body of every attempt, in order. Retries of what failed earlier come when they are due: a claim counts
    the attempts of what it speaks of.
    """

    def __init__(self):
        self.status, self.taken, receiver = 204, [], self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.taken.append(json.loads(body))
                text = b"" if receiver.status == 204 else b"<script>alert(1)</script><img src=x onerror=alert(2)>"
                self.send_response(receiver.status)
                self.send_header("X-Note", "<script>alert(3)</script>")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{server.server_address[1]}/hooks"
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def about(self, resource):
        """How many attempts were about this resource."""
        return sum(event["data"].get("id") == resource for event in self.taken)

    def of(self, event):
        """How many attempts were of this event."""
        return sum(taken["id"] == event for taken in self.taken)


class Site:
    """A server in an empty folder."""

    def __init__(self, binary):
        self.binary, self.folder = os.path.abspath(binary), tempfile.mkdtemp(prefix="svc-pages-")
        self.port, admin = free_port(), free_port()
        self.settings = {
            **os.environ, "SVC_LISTEN": f"127.0.0.1:{self.port}", "SVC_ADMIN_LISTEN": f"127.0.0.1:{admin}",
            "SVC_WEBHOOKS__EXEMPT_TARGETS": "127.0.0.0/8",
        }
        self.log = open(os.path.join(self.folder, "log"), "w", encoding="utf-8")
        self.first_run = self.start()["firstRun"]

    def start(self):
        """Starts the server; answers what it says once it is ready."""
        self.process = subprocess.Popen(
            [self.binary, "serve", "--json"], cwd=self.folder, env=self.settings, stdout=subprocess.PIPE, stderr=self.log,
            text=True,
        )
        self.base = f"http://127.0.0.1:{self.port}"
        return json.loads(self.process.stdout.readline())

    def stop(self):
        self.process.terminate()
        self.process.wait(30)

    def database(self):
        """The SQLite file."""
        found = [os.path.join(at, name) for at, _, names in os.walk(self.folder) for name in names if name.endswith(".db")]
        assert len(found) == 1, found
        return found[0]

    def command(self, *arguments, input=None):
        run = subprocess.run(
            [self.binary, *arguments], cwd=self.folder, env=self.settings, input=input, capture_output=True, text=True,
        )
        if run.returncode:
            raise SystemExit(f"FAILED: {arguments}: {run.stderr}")
        return run.stdout

    def api(self, token, path, body=None):
        """Status and answer of the API."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.base}/api/v1{path}", data, headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def tool(self, token, name, arguments):
        """What a tool answers: its structured content, or why it did not do it."""
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        headers = {
            "Authorization": f"Bearer {token}", "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25",
        }
        request = urllib.request.Request(f"{self.base}/mcp", json.dumps(call).encode(), headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(json.load(answer)["result"]["content"][0]["text"])

    def end(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def sign_in(browser, email, password=PASSWORD):
    browser.go("/sign-in")
    browser.fill(email=email, password=password)
    browser.click("main button.main")


def founded(site, browser, receiver):
    """Founds a company with a token that may do everything, and a webhook: their paths, and the token between them."""
    browser.go(site.first_run)
    browser.fill(legal_name="Ferretería Sol SL", name="Ana Ruiz", email="ana@example.com", password=PASSWORD)
    browser.click("main button.main")
    company = browser.at()
    browser.go(f"{company}/tokens/new")
    browser.fill(name="Everything")
    browser.click("input[name=all][value=full]")
    browser.click("button[value=review]")
    browser.click("button[value=create]")
    token = browser.value("#value")
    browser.go(f"{company}/webhooks/new")
    browser.fill(name="Shop", url=receiver.url)
    browser.click("input[name=events-of][value=contacts]")
    browser.click("form.stack button.main")
    browser.click("a.button.main")
    return company, token, browser.at()
