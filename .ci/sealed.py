#!/usr/bin/env python3
"""Has a document signed by two people, and lets other programs judge the sealed file.

`sealed.py SVC_SERVER` makes an authority and a certificate for seals with OpenSSL, starts a server with it, sends an envelope, signs
at its pages, and takes the sealed file. Poppler and MuPDF must open it and show who signed; Poppler and OpenSSL must find the
signature of the platform valid and over the whole file; a file in which one byte is changed must be broken to `svc-server verify`.
"""
import glob
import http.cookiejar
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

SERVER = os.path.abspath(sys.argv[1])
MISSING = [tool for tool in ("openssl", "pdfsig", "pdftotext", "mutool") if not shutil.which(tool)]
if MISSING:
    print(f"not judged: this machine has no {', '.join(MISSING)}")
    sys.exit(0)

DOCUMENT = b"""%PDF-1.7
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 595 842] >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R >>
endobj
xref
0 4
0000000000 65535 f 
0000000009 00000 n 
0000000058 00000 n 
0000000139 00000 n 
trailer
<< /Size 4 /Root 1 0 R >>
startxref
186
%%EOF"""


def run(*command, **how):
    done = subprocess.run(command, capture_output=True, **how)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stdout.decode()} {done.stderr.decode()}")
    return done.stdout.decode(errors="replace")


def port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def waited(what, look, seconds=60):
    for _ in range(seconds * 5):
        found = look()
        if found:
            return found
        time.sleep(0.2)
    raise SystemExit(f"{what} does not come")


def certificates():
    """An authority, and the certificate of a platform that it vouches for, which is for signatures alone."""
    run("openssl", "req", "-x509", "-newkey", "rsa:3072", "-noenc", "-days", "30", "-subj", "/CN=Example Trust Services",
        "-keyout", "authority.key", "-out", "authority.pem", "-addext", "keyUsage=critical,keyCertSign",
        "-addext", "basicConstraints=critical,CA:TRUE")
    run("openssl", "req", "-newkey", "rsa:3072", "-noenc", "-subj", "/O=Acme SL/CN=Acme Seal", "-keyout", "seal.key", "-out", "seal.csr")
    with open("seal.ext", "w") as file:
        file.write("keyUsage=critical,nonRepudiation\nbasicConstraints=CA:FALSE\n")
    run("openssl", "x509", "-req", "-in", "seal.csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial",
        "-days", "20", "-extfile", "seal.ext", "-out", "own.pem")
    with open("seal.pem", "w") as file:
        file.write(open("own.pem").read() + open("authority.pem").read())


def call(url, token, body=None, kind="application/json"):
    request = urllib.request.Request(url, data=body)
    request.add_header("Authorization", f"Bearer {token}")
    request.add_header("Content-Type", kind)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read()


def upload(api, token):
    form = b"--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"lease.pdf\"\r\n\r\n%b\r\n--edge--\r\n" % DOCUMENT
    return json.loads(call(f"{api}/files", token, form, "multipart/form-data; boundary=edge"))["id"]


def link(address):
    for path in sorted(glob.glob("data/mail/*.eml")):
        text = open(path, encoding="utf-8").read()
        found = re.search(r"https?://\S+/sign/[0-9A-Za-z]{43}", text)
        if found and f"To: {address}" in text:
            return found.group()


def sign(address, name):
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
    url = waited(f"the link of {name}", lambda: link(address))
    page = browser.open(url, timeout=60).read().decode()
    csrf = re.search(r'name="csrf" value="([^"]*)"', page).group(1)
    for step, fields in (("documents/1", {}), ("sign", {"consent": "yes", "name": name})):
        body = urllib.parse.urlencode({"csrf": csrf, **fields}).encode()
        browser.open(f"{url}/{step}", data=body, timeout=60).read()


def parts(file):
    """The bytes that the signature is over, and the signature, by the ranges in the file."""
    numbers = re.search(rb"/ByteRange \[ (\d+) (\d+) (\d+) (\d+) \]", file)
    start, length, second, rest = (int(number) for number in numbers.groups())
    if start != 0 or second + rest != len(file):
        raise SystemExit("the signature is not over the whole file")
    signature = bytes.fromhex(file[length + 1:second - 1].decode())
    return file[:length] + file[second:], signature


def verified(path):
    return subprocess.run([SERVER, "verify", path, "--json"], capture_output=True)


def judge(file):
    open("sealed.pdf", "wb").write(file)
    if not file.startswith(DOCUMENT):
        raise SystemExit("the document is not the beginning of the sealed file")
    for tool, text in (("Poppler", run("pdftotext", "sealed.pdf", "-")), ("MuPDF", run("mutool", "draw", "-q", "-F", "txt", "sealed.pdf"))):
        missing = [name for name in ("Eva Sol", "Ben Gil", "Lease") if name not in text]
        if missing:
            raise SystemExit(f"{tool} does not show {missing}: {text}")
    told = run("pdfsig", "-nocert", "sealed.pdf")
    for line in ("Signature is Valid", "Total document signed", "Acme Seal", "ETSI.CAdES.detached"):
        if line not in told:
            raise SystemExit(f"Poppler does not say `{line}`: {told}")
    content, signature = parts(file)
    open("content", "wb").write(content)
    open("signature", "wb").write(signature)
    run("openssl", "cms", "-verify", "-cades", "-inform", "DER", "-in", "signature", "-content", "content", "-binary", "-purpose", "any",
        "-CAfile", "authority.pem", "-out", os.devnull)
    proof = json.loads(verified("sealed.pdf").stdout)["items"][0]
    if not proof["ok"] or [one["name"] for one in proof["signers"]] != ["Eva Sol", "Ben Gil"]:
        raise SystemExit(f"verify says {proof}")


def broken(file, changes=60):
    random.seed(len(file))
    for at in random.sample(range(len(file)), changes):
        changed = bytearray(file)
        changed[at] ^= 1 << random.randrange(8)
        open("changed.pdf", "wb").write(changed)
        done = verified("changed.pdf")
        # Spare room behind the signature is not signed; hexadecimal digits may be in either case.
        if done.returncode == 0 and parts_differ(file, changed):
            raise SystemExit(f"a file with another byte {at} verifies")
    return changes


def parts_differ(one, other):
    try:
        return parts(one) != parts(bytes(other))
    except (SystemExit, ValueError, AttributeError):
        return True


def main():
    certificates()
    api_port, admin_port = port(), port()
    api = f"http://127.0.0.1:{api_port}/api/v1"
    os.environ.update(SVC_LISTEN=f"127.0.0.1:{api_port}", SVC_ADMIN_LISTEN=f"127.0.0.1:{admin_port}",
                      SVC_SEAL__CERT="seal.pem", SVC_SEAL__KEY="seal.key")
    token = json.loads(run(SERVER, "bootstrap", "--legal-name", "Acme SL", "--email", "ana@example.com", "--json"))["token"]
    server = subprocess.Popen([SERVER, "serve"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        def ready():
            try:
                return urllib.request.urlopen(f"http://127.0.0.1:{admin_port}/readyz", timeout=5).status == 200
            except OSError:
                return False
        waited("the server", ready)
        people = [{"name": "Eva Sol", "email": "eva@example.com"}, {"name": "Ben Gil", "email": "ben@example.com"}]
        file = upload(api, token)
        draft = {"subject": "Lease of the office", "language": "en", "send": True, "files": [{"fileId": file}], "signers": people}
        envelope = json.loads(call(f"{api}/envelopes", token, json.dumps(draft).encode()))["id"]
        for person in people:
            sign(person["email"], person["name"])
        waited("the seal", lambda: json.loads(call(f"{api}/envelopes/{envelope}", token)).get("certificateFileId"))
        sealed = call(f"{api}/envelopes/{envelope}/documents/{file}?signed=true", token)
        judge(sealed)
        changes = broken(sealed)
    finally:
        server.terminate()
        server.wait()
    print(f"a sealed file of {len(sealed)} bytes: Poppler, MuPDF and OpenSSL agree; {changes} of {changes} changed files are broken")


FOLDER = tempfile.mkdtemp()
os.chdir(FOLDER)
try:
    main()
finally:
    os.chdir("/")
    shutil.rmtree(FOLDER)
