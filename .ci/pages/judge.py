"""What other programs say of a page: axe-core of its use, html-validate of its markup."""

import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile

AXE = "axe-core@4.14.1"
MARKUP = "html-validate@9.7.1"
# What is a habit of writing, and no fault: names that several boxes share, `role=region` on what scrolls.
RULES = {
    "attribute-boolean-style": "off", "attribute-empty-style": "off", "doctype-style": "off", "long-title": "off",
    "no-implicit-button-type": "off", "no-implicit-input-type": "off", "no-trailing-whitespace": "off", "void-style": "off",
    "form-dup-name": ["error", {"shared": ["radio", "checkbox", "button", "submit"]}],
    "prefer-native-element": ["error", {"exclude": ["region"]}],
    "no-inline-style": "error",
}


def axe_source():
    """axe-core, where npm can fetch it."""
    if not shutil.which("npm"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        fetched = subprocess.run(["npm", "pack", "--silent", AXE], cwd=folder, capture_output=True, text=True)
        if fetched.returncode:
            return None
        with tarfile.open(os.path.join(folder, fetched.stdout.strip())) as package:
            return package.extractfile("package/axe.min.js").read().decode()


def judge(browser, axe):
    """What axe finds on the page, in both themes."""
    found = []
    # A colour that is still on its way has no contrast to speak of.
    browser.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    browser.run(axe)
    for theme in ["light", "dark"]:
        browser.run("document.documentElement.dataset.theme = arguments[0]", theme)
        script = "const done = arguments[0]; axe.run().then((told) => done(told.violations.map((one) => one.id + ' ' + one.nodes[0].html)))"
        found += [f"{theme}: {one}" for one in browser.command("POST", "/execute/async", {"script": script, "args": []})]
    browser.run("document.documentElement.dataset.theme = 'system'")
    return found


class Markup:
    """The HTML of pages as the server sent it, and of states of them, judged in one run at the end."""

    def __init__(self):
        self.folder, self.names = tempfile.mkdtemp(prefix="svc-markup-"), set()
        self.tool = os.path.join(self.folder, "node_modules/.bin/html-validate")
        self.installing = None
        if shutil.which("npm"):
            with open(os.path.join(self.folder, "package.json"), "w", encoding="utf-8") as file:
                file.write("{}")
            install = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--fetch-retries=0", "--silent", MARKUP]
            # Beside the walk, which takes longer.
            self.installing = subprocess.Popen(install, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def keep(self, kind, html):
        name = re.sub(r"[^a-z0-9]+", "-", kind.lower()).strip("-") or "home"
        self.names.add(name)
        with open(os.path.join(self.folder, name + ".html"), "w", encoding="utf-8") as file:
            file.write(html)

    def errors(self):
        """What is wrong, in lines; `None` where html-validate cannot be had."""
        if not self.installing or self.installing.wait() or not os.path.exists(self.tool):
            return None
        with open(os.path.join(self.folder, ".htmlvalidate.json"), "w", encoding="utf-8") as file:
            json.dump({"root": True, "extends": ["html-validate:recommended"], "rules": RULES}, file)
        # A file and not a pipe: the tool ends without waiting for a reader.
        answer = os.path.join(self.folder, "answer.json")
        judged = [self.tool, "--formatter", "json", *(f"{name}.html" for name in sorted(self.names))]
        with open(answer, "wb") as file:
            run = subprocess.run(judged, cwd=self.folder, stdout=file, stderr=subprocess.PIPE, text=True)
        try:
            with open(answer, encoding="utf-8") as file:
                reports = json.load(file)
        except ValueError:
            return [f"html-validate does not answer: {run.stderr[:500]}"]
        return [
            f"{os.path.basename(report['filePath'])}:{found['line']}: {found['ruleId']}: {found['message']}"
            for report in reports for found in report["messages"]
        ]

    def end(self):
        if self.installing and self.installing.poll() is None:
            self.installing.kill()
            self.installing.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
