"""A browser that is driven over WebDriver (W3C), with nothing but Python's standard library."""

import base64
import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

# Whether a click on this leads to another page.
LEAVES = """
const one = arguments[0].closest("a[href], button, input, summary") ?? arguments[0];
if (one.matches("a[href]")) return !one.getAttribute("href").startsWith("#") && !one.target && !one.download;
return one.type === "submit" && one.form !== null && one.form.target !== "_blank" && (one.formNoValidate || one.form.noValidate || one.form.checkValidity());
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Driver:
    """One chromedriver, for any number of browsers."""

    def __init__(self):
        # Takes the markup of what pictures are taken of, where it is to be judged.
        self.markup = None
        self.port = free_port()
        self.process = subprocess.Popen(
            ["chromedriver", f"--port={self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                self.request("GET", "/status")
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("FAILED: chromedriver does not answer")

    def request(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"})
        request.method = method
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"].split("\n")[0]) from None

    def browser(self, base, pictures, size=(1280, 900), language="en"):
        return Browser(self, base, pictures, size, language)

    def end(self):
        self.process.kill()
        self.process.wait()


class Browser:
    """The browser of one person, with cookies of its own."""

    def __init__(self, driver, base, pictures, size, language):
        self.driver, self.base, self.pictures = driver, base, pictures
        options = {
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                f"--window-size={size[0]},{size[1]}", f"--lang={language}", f"--accept-lang={language}",
            ],
            "prefs": {"intl.accept_languages": language},
        }
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        made = driver.request("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.path = f"/session/{made['sessionId']}"

    def command(self, method, path, body=None):
        return self.driver.request(method, self.path + path, body)

    def cdp(self, name, **parameters):
        return self.command("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def go(self, path):
        self.command("POST", "/url", {"url": path if path.startswith("http") else self.base + path})

    def url(self):
        return self.command("GET", "/url")

    def at(self):
        return self.url()[len(self.base):]

    def find(self, css):
        return self.command("POST", "/element", {"using": "css selector", "value": css})[ELEMENT]

    def has(self, css):
        return bool(self.command("POST", "/elements", {"using": "css selector", "value": css}))

    def click(self, css):
        self.press(self.find(css))

    def link(self, text):
        """Follows the first link or presses the first button that says this."""
        found = self.command("POST", "/element", {"using": "xpath", "value": f"//main//a[contains(., '{text}')] | //main//button[contains(., '{text}')]"})
        self.press(found[ELEMENT])

    def press(self, element):
        """Clicks, and returns when the next page stands where the click leads to one.

        A click is answered before the browser leaves the page, so that what follows could read the page before.
        """
        page = self.find("html") if self.run(LEAVES, {ELEMENT: element}) else None
        self.command("POST", f"/element/{element}/click", {})
        if page:
            self.left(page)

    def left(self, page):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                self.command("GET", f"/element/{page}/name")
            except RuntimeError:
                break
            time.sleep(0.01)
        else:
            raise SystemExit(f"FAILED: a click on {self.at()} leads nowhere")
        while self.run("return document.readyState") != "complete":
            time.sleep(0.01)

    def fill(self, **fields):
        """Types into fields by their ids; `_` stands for `-`."""
        for name, text in fields.items():
            element = self.find("#" + name.replace("_", "-"))
            self.command("POST", f"/element/{element}/clear", {})
            self.command("POST", f"/element/{element}/value", {"text": text})

    def keys(self, text):
        """Types where the focus is."""
        actions = []
        for sign in text:
            actions += [{"type": "keyDown", "value": sign}, {"type": "keyUp", "value": sign}]
        self.command("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def run(self, script, *arguments):
        return self.command("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def text(self):
        return self.run("return document.querySelector('main').innerText")

    def value(self, css):
        return self.run("return document.querySelector(arguments[0]).value", css)

    def html(self):
        """The page as the server sent it."""
        script = "const done = arguments[0]; fetch(location.href).then((answer) => answer.text()).then(done)"
        return self.command("POST", "/execute/async", {"script": script, "args": []})

    def reach(self, css, most=60):
        """Moves the focus with the Tab key until it is on what this names."""
        for _ in range(most):
            self.keys("\ue004")
            if self.run("return document.activeElement?.matches(arguments[0]) ?? false", css):
                return
        raise SystemExit(f"FAILED: the Tab key does not reach {css} on {self.at()}")

    def draw(self, css, points):
        """Draws a stroke on an element, from its middle."""
        origin = {ELEMENT: self.find(css)}
        moves = [{"type": "pointerMove", "duration": 20, "origin": origin, "x": x, "y": y} for x, y in points]
        actions = [moves[0], {"type": "pointerDown", "button": 0}, *moves[1:], {"type": "pointerUp", "button": 0}]
        pointer = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": actions}
        self.command("POST", "/actions", {"actions": [pointer]})

    def close_others(self):
        """Closes the tabs that were opened beside this one; says how many there were."""
        own = self.command("GET", "/window")
        others = [one for one in self.command("GET", "/window/handles") if one != own]
        for other in others:
            self.command("POST", "/window", {"handle": other})
            self.command("DELETE", "/window")
        self.command("POST", "/window", {"handle": own})
        return len(others)

    def cookies(self):
        return self.command("GET", "/cookie")

    def forget(self):
        self.command("DELETE", "/cookie")

    def size(self, width, height):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def scripts(self, on):
        self.cdp("Emulation.setScriptExecutionDisabled", value=not on)

    def picture(self, name):
        """The whole page, kept under this name."""
        if self.driver.markup:
            self.driver.markup.keep("state " + name, "<!doctype html>\n" + self.run("return document.documentElement.outerHTML"))
        sizes = self.cdp("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": sizes["width"], "height": min(sizes["height"], 6000), "scale": 1}
        taken = self.cdp("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        with open(os.path.join(self.pictures, name + ".png"), "wb") as file:
            file.write(base64.b64decode(taken["data"]))

    def pictures_of(self, name, what):
        """Keeps a picture of the page wide and on a phone; tells at which widths it is wider than its window."""
        wrong = []
        for width in [1280, 640, 360]:
            self.size(width, 800)
            wide = self.run("return document.documentElement.scrollWidth")
            if wide > width:
                wrong.append(f"{what} is {wide} wide at {width}")
        self.picture(f"{name}-360")
        self.size(1280, 900)
        self.picture(name)
        return wrong

    def complaints(self):
        """What the console was told since it was last asked: scripts that failed, and breaches of the policy."""
        found = self.command("POST", "/se/log", {"type": "browser"})
        usual = "the server responded with a status of"
        return [line["message"] for line in found if line["level"] == "SEVERE" and usual not in line["message"]]

    def close(self):
        self.command("DELETE", "")
