#!/usr/bin/env python3
"""Compares the VAT returns of a company's year with figures that are computed here from its documents alone.

`returns.py SVC_SERVER [DOCUMENTS]` starts a server, writes a year of sales, purchases, credit notes, acquisitions and imports through
the API, and prepares four returns 303 and the 390 from its books. Each box must be what the documents say, must lead back to as
many postings as documents are behind it, and the four quarters must sum to the year. It says how many boxes were compared.
"""
import collections
import datetime
import decimal
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

SERVER = os.path.abspath(sys.argv[1])
DOCUMENTS = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
D = decimal.Decimal
TODAY = datetime.date.today()
YEAR = TODAY.year
random.seed(YEAR * 10_000 + DOCUMENTS)

# Percent of tax and surcharge, and the boxes of base and quota, by the codes that lines of sales name.
CHARGED = {
    "es_vat_21": (21, 0, ("07", "09"), None),
    "es_vat_10": (10, 0, ("04", "06"), None),
    "es_vat_4": (4, 0, ("01", "03"), None),
    "es_vat_21_re": (21, D("5.2"), ("07", "09"), ("22", "24")),
    "es_vat_10_re": (10, D("1.4"), ("04", "06"), ("19", "21")),
    "es_vat_4_re": (4, D("0.5"), ("01", "03"), ("168", "170")),
}
# Boxes of the base alone; none where the law asks for none.
UNTAXED = {"es_exempt": ("E1", None), "es_intra_supply": ("E5", "59"), "es_export": ("E2", "60"), "es_reverse": (None, "122")}
# Percent, boxes of what is deducted, and of what the company charges itself.
DEDUCTED = {
    "es_in_21": (21, ("28", "29"), None),
    "es_in_10": (10, ("28", "29"), None),
    "es_in_4": (4, ("28", "29"), None),
    "es_in_21_inv": (21, ("30", "31"), None),
    "es_in_import_21": (21, ("32", "33"), None),
    "es_in_intra_21": (21, ("36", "37"), ("10", "11")),
    "es_in_reverse_21": (21, ("28", "29"), ("12", "13")),
}


def cents(value):
    """Half away from zero, as documents round."""
    return value.quantize(D("0.01"), rounding=decimal.ROUND_HALF_UP)


def port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Api:
    def __init__(self, url, token):
        self.url, self.token = url, token

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method)
        request.add_header("Authorization", f"Bearer {self.token}")
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as refused:
            raise SystemExit(f"{method} {path} {body}: {refused.code} {refused.read().decode()}")

    def post(self, path, body):
        return self.call("POST", path, body)


def nif(number):
    """A company's tax id with its check digit (Orden EHA/451/2008)."""
    digits = f"{number:07d}"
    odd = sum(sum(divmod(2 * int(digit), 10)) for digit in digits[::2])
    even = sum(int(digit) for digit in digits[1::2])
    return f"B{digits}{(10 - (odd + even) % 10) % 10}"


def line(codes):
    quantity, price = random.randint(1, 9), D(random.randint(100, 90_000)) / 100
    discount = random.choice([D(0), D(0), D(0), D(5), D("12.5")])
    gross = cents(quantity * price)
    net = gross - cents(gross * discount / 100)
    code = random.choice(codes)
    wire = {"description": "Línea", "quantity": str(quantity), "unitPrice": str(price), "taxCode": code}
    if discount:
        wire["discountPercent"] = str(discount)
    if code in UNTAXED and UNTAXED[code][0]:
        wire["exemptionCode"] = UNTAXED[code][0]
    return code, net, wire


class Year:
    """What the documents come to, quarter by quarter: box to amount, and box to how many taxes of documents are behind it."""

    def __init__(self):
        self.boxes = [collections.defaultdict(D) for _ in range(4)]
        self.behind = [collections.Counter() for _ in range(4)]

    def add(self, date, box, amount):
        quarter = (date.month - 1) // 3
        self.boxes[quarter][box] += amount
        self.behind[quarter][box] += 1

    def sale(self, date, lines, sign=1, rectifies=False):
        bases = collections.defaultdict(D)
        for code, net, _ in lines:
            bases[code] += net
        for code, base in bases.items():
            if code in UNTAXED:
                if UNTAXED[code][1]:
                    self.add(date, UNTAXED[code][1], sign * base)
                continue
            rate, surcharge, own, extra = CHARGED[code]
            base_box, quota_box = ("14", "15") if rectifies else own
            self.add(date, base_box, sign * base)
            self.add(date, quota_box, sign * cents(base * rate / 100))
            if extra:
                base_box, quota_box = ("25", "26") if rectifies else extra
                self.add(date, base_box, sign * base)
                self.add(date, quota_box, sign * cents(base * surcharge / 100))

    def purchase(self, date, lines):
        bases = collections.defaultdict(D)
        for code, net, wire in lines:
            bases[code, wire.get("deductiblePercent", "100")] += net
        for (code, share), base in bases.items():
            if code not in DEDUCTED:
                continue
            rate, own, charged = DEDUCTED[code]
            quota = cents(base * rate / 100)
            self.add(date, own[0], base)
            self.add(date, own[1], cents(quota * D(share) / 100))
            if charged:
                self.add(date, charged[0], base)
                self.add(date, charged[1], quota)


def contacts(api):
    made, number = collections.defaultdict(list), 1_000_000
    address = {"line1": "Calle Mayor 1", "city": "Madrid", "postalCode": "28013", "country": "ES"}
    for kind in ["customer", "surcharged", "supplier"] * 8:
        number += 1
        body = {"kind": "organization", "legalName": f"{kind} {number} SL", "taxId": nif(number), "address": address}
        if kind == "surcharged":
            body["equivalenceSurcharge"] = True
        made[kind].append(api.post("/contacts", body)["id"])
    for kind in ["european", "foreign"]:
        country = {"european": "DE", "foreign": "US"}[kind]
        body = {"kind": "organization", "legalName": f"{kind} Ltd", "address": {**address, "postalCode": "10115", "country": country}}
        if kind == "european":
            body |= {"taxId": "DE136695976", "taxIdType": "vat_eu"}
        else:
            body |= {"taxId": "US-4711", "taxIdType": "foreign_id"}
        made[kind].append(api.post("/contacts", body)["id"])
    for name in ["supplier", "european", "foreign"]:
        made[f"{name}s"] = [api.post("/suppliers", {"contactId": one})["id"] for one in made[name]]
    return made


def write(api, year, parties):
    """A year of documents in the order of their dates, up to today."""
    first = datetime.date(YEAR, 1, 1)
    days = sorted(random.randint(0, (TODAY - first).days) for _ in range(DOCUMENTS))
    issued = []
    for number, day in enumerate(days):
        date = first + datetime.timedelta(days=day)
        kind = random.choices(["sale", "surcharge", "abroad", "credit", "purchase", "self", "import"], [34, 8, 8, 6, 34, 6, 4])[0]
        if kind == "credit" and issued:
            original, lines = issued.pop(random.randrange(len(issued)))
            draft = api.post(f"/billing/{original}/rectify", {"method": "differences", "reasonCode": "R1", "reason": "Devolución", "full": True})
            api.call("PATCH", f"/billing/{draft['id']}", {"issueDate": str(date)})
            api.post(f"/billing/{draft['id']}/issue", {})
            year.sale(date, lines, sign=-1, rectifies=True)
        elif kind in ("sale", "credit", "surcharge", "abroad"):
            who, codes = {
                "sale": ("customer", ["es_vat_21", "es_vat_21", "es_vat_10", "es_vat_4", "es_exempt", "es_reverse"]),
                "credit": ("customer", ["es_vat_21"]),
                "surcharge": ("surcharged", ["es_vat_21_re", "es_vat_10_re", "es_vat_4_re"]),
                "abroad": random.choice([("european", ["es_intra_supply"]), ("foreign", ["es_export"])]),
            }[kind]
            lines = [line(codes) for _ in range(random.randint(1, 5))]
            body = {"docType": "invoice", "contactId": random.choice(parties[who]), "issueDate": str(date), "issue": True}
            made = api.post("/billing", body | {"lines": [wire for _, _, wire in lines]})
            year.sale(date, lines)
            if all(code in CHARGED for code, _, _ in lines):
                issued.append((made["id"], lines))
        else:
            who, codes = {
                "purchase": ("suppliers", ["es_in_21", "es_in_21", "es_in_10", "es_in_4", "es_in_21_inv", "es_in_exempt"]),
                "self": random.choice([("europeans", ["es_in_intra_21"]), ("suppliers", ["es_in_reverse_21"])]),
                "import": ("foreigns", ["es_in_import_21"]),
            }[kind]
            lines = [line(codes) for _ in range(random.randint(1, 4))]
            # One share for a document: how a quota is shared over lines of several is a rule of documents, not of returns.
            if kind == "purchase" and random.random() < 0.2:
                for _, _, wire in lines:
                    wire["deductiblePercent"] = "50"
            body = {"docType": "import_vat" if kind == "import" else "invoice", "supplierId": random.choice(parties[who])}
            body |= {"number": f"P-{number}", "issueDate": str(date)}
            made = api.post("/supplier-documents", body | {"lines": [wire for _, _, wire in lines]})
            api.post(f"/supplier-documents/{made['id']}/approve", {"accountingDate": str(date)})
            year.purchase(date, lines)
        if (number + 1) % 250 == 0:
            print(f"{number + 1} of {DOCUMENTS} documents", flush=True)


def prepared(api, model, period):
    """The return of a period: the calendar may have made it already."""
    found = api.call("GET", f"/tax/returns?model={model}&year={YEAR}&period={period}")["items"]
    made = found[0] if found else api.post("/tax/returns", {"model": model, "year": YEAR, "period": period})
    of = api.post(f"/tax/returns/{made['id']}/prepare", {"allowEarly": True})
    return of, {one["code"]: D(one["value"]) for one in of["boxes"] if one["unit"] == "amount"}


def compare(api, year):
    compared = 0
    charged, deducted, owed = D(0), D(0), D(0)
    for quarter in range(4):
        of, boxes = prepared(api, "303", f"{quarter + 1}T")
        wanted = year.boxes[quarter]
        computed = [one["code"] for one in of["boxes"] if one["origin"] == "computed"]
        for code in computed:
            assert boxes[code] == wanted.get(code, D(0)), (quarter, code, boxes[code], wanted.get(code))
            sources = api.call("GET", f"/tax/returns/{of['id']}/boxes/{code}/sources?limit=1")
            assert sources["total"] == year.behind[quarter][code], (quarter, code, sources["total"], year.behind[quarter][code])
            compared += 1
        output = sum(wanted[code] for code in ["03", "06", "09", "11", "13", "15", "18", "21", "24", "26", "158", "170"])
        deductible = sum(wanted[code] for code in ["29", "31", "33", "37"])
        assert (boxes["27"], boxes["45"], boxes["46"]) == (output, deductible, output - deductible), (quarter, boxes)
        charged, deducted, owed = charged + output, deducted + deductible, owed + boxes["46"]
        assert not of["isStale"] and {one["code"] for one in of["warnings"]} <= {"earlier_not_filed", "not_declared"}, of["warnings"]
        compared += 3
    _, boxes = prepared(api, "390", "0A")
    assert (boxes["47"], boxes["64"], boxes["65"]) == (charged, deducted, owed), (boxes["47"], charged, boxes["64"], deducted)
    return compared + 3


def main():
    folder = tempfile.mkdtemp()
    http, metrics = port(), port()
    environment = os.environ | {
        "SVC_LISTEN": f"127.0.0.1:{http}",
        "SVC_ADMIN_LISTEN": f"127.0.0.1:{metrics}",
        "SVC_LIMITS__PER_MINUTE": "1000000",
    }
    bootstrap = [SERVER, "bootstrap", "--legal-name", "Acme SL", "--email", "ana@example.com", "--json"]
    acme = json.loads(subprocess.run(bootstrap, cwd=folder, env=environment, check=True, capture_output=True).stdout)
    server = subprocess.Popen([SERVER, "serve"], cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        ready = f"http://127.0.0.1:{metrics}/readyz"
        for _ in range(100):
            try:
                urllib.request.urlopen(ready)
                break
            except OSError:
                time.sleep(0.1)
        api = Api(f"http://127.0.0.1:{http}/api/v1", acme["token"])
        address = {"line1": "Calle Mayor 2", "city": "Madrid", "postalCode": "28013", "country": "ES"}
        api.call("PATCH", f"/accounts/{acme['accountId']}", {"taxId": "B12345674", "address": address})
        year = Year()
        write(api, year, contacts(api))
        print(f"{DOCUMENTS} documents: {compare(api, year)} boxes of the returns are what the documents say")
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
