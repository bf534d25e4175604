#!/usr/bin/env python3
"""Writes webhook-signatures.json: requests, and whether a receiver must accept them.

    python3 docs/vectors/webhook_signatures.py > docs/vectors/webhook-signatures.json

An implementation of its own, with nothing but Python's hmac, so that the
project is not checked against itself. The same bytes come out every time.
Each vector states its verdict; nothing here verifies.
"""

import hashlib
import hmac
import json
import sys
import unicodedata

NOW = 1738314900
SECRET = "whsec_ThisSecretIsPublic0123456789AndOpensNothing"
OLD = "whsec_SoIsThisOneWhichWasReplaced0123456789Before"
EVENT = "evt_01jjy5h5b0e9rb3a7w2m4k6p8q"
OTHER_EVENT = "evt_01jjy5h5b0e9rb3a7w2m4k6p8r"
ACCOUNT = "acc_01jd3k8z6qw2x4y6z8a0c2e4g6"
DELIVERY = "dlv_01jjy5h5c1f8t2v4x6z8a0b2d4"
CONTACT = "con_01jd3k8z6qw2x4y6z8a0c2e4g7"
SIGNATURE_HEADER = "X-SVC-Webhook-Signature"
ID_HEADER = "X-SVC-Webhook-Id"

vectors = []


def tag(secret, t, body, digest=hashlib.sha256):
    return hmac.new(secret.encode(), str(t).encode() + b"." + body, digest).hexdigest()


def signature(secret, t, body):
    return f"t={t},sha256={tag(secret, t, body)}"


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def notification(**changes):
    """The body of an event as the service writes it, or with other members."""
    members = {"id": EVENT, "type": "contact.create", "occurred_at": "2025-01-31T09:15:00.000Z",
               "account_id": ACCOUNT, "data": {"object": "contact", "id": CONTACT}}
    return {**members, **changes}


BODY = compact(notification())


def headers(value, event=EVENT):
    """The two headers that count; without the one whose value is None."""
    return [pair for pair in [[ID_HEADER, event], [SIGNATURE_HEADER, value]] if pair[1] is not None]


def all_headers(value):
    """The nine headers of the service."""
    return [
        ["Content-Type", "application/json"],
        ["User-Agent", "SVC-Webhooks/1.0 (+https://svc.example/webhooks)"],
        ["X-SVC-Webhook-Event", "contact.create"],
        [ID_HEADER, EVENT],
        ["X-SVC-Webhook-Delivery", DELIVERY],
        ["X-SVC-Webhook-Date", "2025-01-31T09:15:00.000Z"],
        ["X-SVC-Webhook-Account-Id", ACCOUNT],
        ["X-SVC-Webhook-Version", "v1"],
        [SIGNATURE_HEADER, value],
    ]


def vector(name, verdict, *, body=BODY, pairs=None, value=None, secrets=(SECRET,), now=NOW, **expected):
    if pairs is None:
        pairs = headers(signature(SECRET, now, body) if value is None else value)
    try:
        text = {"body": body.decode()}
    except UnicodeDecodeError:
        text = {"body_hex": body.hex()}
    vectors.append({"name": name, "secrets": list(secrets), "now": now, "headers": pairs, **text,
                    "verdict": verdict, **expected})


def accepted(name, *, body=BODY, secret=0, **given):
    """A vector to accept, with what a receiver must read from it."""
    value = json.loads(body)
    event = {"id": value["id"], "type": value["type"], "occurred_at": value["occurred_at"],
             "account_id": value["account_id"], "object": value["data"]["object"], "object_id": value["data"]["id"]}
    vector(name, "accepted", body=body, secret=secret, event=event, **given)


# What the service sends.

GOOD = signature(SECRET, NOW, BODY)
accepted("as the service sends it", pairs=all_headers(GOOD))
accepted("an event of no company", body=compact(notification(account_id=None)))
MERGED = {"object": "contact", "id": CONTACT, "merged_id": "con_01jd3k8z6qw2x4y6z8a0c2e4g8"}
accepted("a merge, with a further member of data", body=compact(notification(type="contact.merge", data=MERGED)))
TESTED = {"object": "webhook_subscription", "id": "whs_01jd3k8z6qw2x4y6z8a0c2e4g6"}
accepted("the test event", body=compact(notification(type="webhook.test", data=TESTED)))
accepted("a type that this receiver does not know yet", body=compact(notification(type="moon.rise")))
accepted("members that this receiver does not know yet", body=compact(notification(api="v1", more={"a": [1, True]})))

# The exact bytes count, text or not.

ACCENTS = unicodedata.normalize("NFC", "Ñandú, 東京, 🦀, Ωmega")
UNICODE = notification(data={"object": "contact", "id": CONTACT, "note": ACCENTS})
accepted("unicode in the body", body=compact(UNICODE))
accepted("unicode in the body, decomposed", body=unicodedata.normalize("NFD", compact(UNICODE).decode()).encode())
accepted("unicode in the body, escaped", body=json.dumps(UNICODE, separators=(",", ":")).encode())
accepted("escapes that need none", body=BODY.replace(b"contact.create", b"contact\\u002ecreate"))
accepted("a NUL, escaped", body=compact(notification(note="a\u0000b")))
accepted("an indented body", body=json.dumps(notification(), indent=2).encode())
accepted("line ends of Windows and tabs", body=json.dumps(notification(), indent="\t").replace("\n", "\r\n").encode())
accepted("white space around the body", body=b" \r\n\t" + BODY + b"\n\n")
accepted("keys in the order of the alphabet", body=json.dumps(notification(), sort_keys=True).encode())
accepted("keys in the opposite order", body=compact(dict(reversed(notification().items()))))
accepted("a body of 8 KiB", body=compact(notification(padding="0123456789abcdef" * 512)))
accepted("a body that holds a signature", body=compact(notification(note=signature(SECRET, NOW, BODY))))

# Secrets.

for length in (1, 57, 58, 59, 128):
    secret = "whsec_" + "k" * length
    accepted(f"a secret of {length + 6} characters", secrets=[secret], value=signature(secret, NOW, BODY))
accepted("a secret with - and _", secrets=["whsec_a-b_c"], value=signature("whsec_a-b_c", NOW, BODY))
accepted("two secrets, the first one matches", secrets=[SECRET, OLD])
accepted("two secrets, the second one matches", secrets=[OLD, SECRET], secret=1)
accepted("four secrets, the last one matches", secrets=[OLD, "whsec_a", "whsec_b", SECRET], secret=3)
accepted("the same secret twice", secrets=[SECRET, SECRET])
vector("another secret", "no_secret_matched", secrets=[OLD])
vector("two other secrets", "no_secret_matched", secrets=[OLD, "whsec_a"])
vector("the secret in lower case", "no_secret_matched", secrets=[SECRET.lower()])
vector("the secret cut short", "no_secret_matched", secrets=[SECRET[:-1]])
vector("signed with the secret less its prefix", "no_secret_matched",
       value=signature(SECRET.removeprefix("whsec_"), NOW, BODY))
vector("signed with the secret and a line end", "no_secret_matched", value=signature(SECRET + "\n", NOW, BODY))
vector("signed with an empty secret", "no_secret_matched", value=signature("", NOW, BODY))
vector("signed with the prefix alone", "no_secret_matched", value=signature("whsec_", NOW, BODY))

# A receiver without its secret must stop: every sender can sign with an empty one.

for name, secrets, signed_with in [
    ("no secret", [], SECRET), ("an empty secret", [""], ""), ("the prefix alone", ["whsec_"], "whsec_"),
    ("a good secret and an empty one", [SECRET, ""], SECRET), ("a secret without its prefix", ["abc"], "abc"),
    ("a secret with a line end", [SECRET + "\n"], SECRET), ("a secret with a space before it", [" " + SECRET], SECRET),
    ("a secret on a second line", ["x\n" + SECRET], SECRET), ("a secret and a second line", [SECRET + "\nx"], SECRET),
    ("a secret in quotes", [f'"{SECRET}"'], SECRET), ("two secrets in one text", [f"{SECRET},{OLD}"], SECRET),
]:
    vector(name, "no_usable_secret", secrets=secrets, value=signature(signed_with, NOW, BODY))

# The clock.

for seconds in (0, 1, 299, 300):
    accepted(f"signed {seconds} s ago", value=signature(SECRET, NOW - seconds, BODY))
    accepted(f"signed {seconds} s ahead", value=signature(SECRET, NOW + seconds, BODY))
for seconds in (301, 600, 86_400, NOW):
    vector(f"signed {seconds} s ago", "too_old", value=signature(SECRET, NOW - seconds, BODY), seconds=seconds)
for seconds in (301, 600, 86_400, 999_999_999_999_999 - NOW):
    vector(f"signed {seconds} s ahead", "in_the_future", value=signature(SECRET, NOW + seconds, BODY), seconds=seconds)
vector("milliseconds in place of seconds", "in_the_future", value=signature(SECRET, NOW * 1000, BODY),
       seconds=NOW * 999)
accepted("at the beginning of Unix time", now=0)
accepted("after the year 2038", now=2**31 + 1)
accepted("after the year 2106", now=2**32 + 1)
vector("too old, and of another secret: the age is told", "too_old", secrets=[OLD],
       value=signature(SECRET, NOW - 301, BODY), seconds=301)

# The header, which has one form.

HEX = tag(SECRET, NOW, BODY)
accepted("hexadecimal digits in upper case", value=f"t={NOW},sha256={HEX.upper()}")
accepted("hexadecimal digits in both cases", value=f"t={NOW},sha256={HEX[:31].upper()}{HEX[31:]}")
accepted("zeros before t, signed as they are", value=signature(SECRET, f"000{NOW}", BODY))
vector("zeros before t, signed without them", "no_secret_matched", value=f"t=000{NOW},sha256={HEX}")
for name, value in [
    ("empty", ""), ("a space", " "), ("a comma", ","), ("only t", f"t={NOW}"), ("only t and a comma", f"t={NOW},"),
    ("only sha256", f"sha256={HEX}"), ("only the digits", HEX), ("no names", f"{NOW},{HEX}"),
    ("the parts in the other order", f"sha256={HEX},t={NOW}"),
    ("no digits of t", f"t=,sha256={HEX}"), ("t with a sign", f"t=+{NOW},sha256={HEX}"),
    ("a negative t", f"t=-{NOW},sha256={HEX}"), ("t with a fraction", f"t={NOW}.0,sha256={HEX}"),
    ("t with an exponent", f"t=1e9,sha256={HEX}"), ("t in hexadecimal", f"t=0x{NOW:x},sha256={HEX}"),
    ("t with an underscore", f"t=1_738_314_900,sha256={HEX}"),
    ("t with a space before", f"t= {NOW},sha256={HEX}"), ("t with a space after", f"t={NOW} ,sha256={HEX}"),
    ("t in Arabic digits", "t=" + "".join(chr(0x660 + int(digit)) for digit in str(NOW)) + f",sha256={HEX}"),
    ("t in full-width digits", "t=" + "".join(chr(0xFF10 + int(digit)) for digit in str(NOW)) + f",sha256={HEX}"),
    ("t as a date", f"t=2025-01-31T09:15:00Z,sha256={HEX}"), ("t is a word", f"t=now,sha256={HEX}"),
    ("t of 16 digits", f"t=1000000000000000,sha256={HEX}"), ("t above 64 bits", f"t=18446744073709551616,sha256={HEX}"),
    ("t of 16 digits, all but ten zero", f"t=000000{NOW},sha256={HEX}"),
    ("several t", f"t={NOW},t={NOW},sha256={HEX}"), ("several t, one old", f"t=1,t={NOW},sha256={HEX}"),
    ("a t after the digits", f"t={NOW},sha256={HEX},t={NOW}"),
    ("several sha256", f"t={NOW},sha256={HEX},sha256={HEX}"),
    ("several sha256, the second one right", f"t={NOW},sha256={'0' * 64},sha256={HEX}"),
    ("a further part", f"t={NOW},sha256={HEX},v=2"), ("a further part between", f"t={NOW},v=1,sha256={HEX}"),
    ("a comma at the end", f"t={NOW},sha256={HEX},"), ("a space after the comma", f"t={NOW}, sha256={HEX}"),
    ("a semicolon in place of the comma", f"t={NOW};sha256={HEX}"), ("two commas", f"t={NOW},,sha256={HEX}"),
    ("a space before", f" t={NOW},sha256={HEX}"), ("a space after", f"t={NOW},sha256={HEX} "),
    ("a line end after", f"t={NOW},sha256={HEX}\n"), ("a line end before", f"\nt={NOW},sha256={HEX}"),
    ("a second line", f"x\nt={NOW},sha256={HEX}"), ("a NUL after", f"t={NOW},sha256={HEX}\0"),
    ("in quotes", f'"t={NOW},sha256={HEX}"'), ("the names in upper case", f"T={NOW},SHA256={HEX}"),
    ("another name for t", f"ts={NOW},sha256={HEX}"), ("another name for sha256", f"t={NOW},v1={HEX}"),
    ("a colon in place of =", f"t:{NOW},sha256:{HEX}"), ("two =", f"t=={NOW},sha256=={HEX}"),
    ("63 digits", f"t={NOW},sha256={HEX[:-1]}"), ("65 digits", f"t={NOW},sha256={HEX}0"),
    ("62 digits", f"t={NOW},sha256={HEX[:-2]}"), ("66 digits", f"t={NOW},sha256={HEX}00"),
    ("no digits of sha256", f"t={NOW},sha256="), ("a prefix of the digits", f"t={NOW},sha256={HEX[:8]}"),
    ("the digits twice", f"t={NOW},sha256={HEX}{HEX}"), ("digits with 0x", f"t={NOW},sha256=0x{HEX[2:]}"),
    ("a g among the digits", f"t={NOW},sha256=g{HEX[1:]}"),
    ("a space among the digits", f"t={NOW},sha256={HEX[:32]} {HEX[33:]}"),
    ("a sign among the digits", f"t={NOW},sha256=+{HEX[1:]}"),
    ("colons between the digits", f"t={NOW},sha256=" + ":".join(HEX[at:at + 2] for at in range(0, 64, 2))),
    ("base64 in place of hexadecimal", f"t={NOW},sha256=" + "qrvM3e7/ABEiM0RVZneImaq7zN3u/wARIjNEVWZ3iJk="),
    ("full-width digits", f"t={NOW},sha256=" + chr(0xFF10) + HEX[1:]),
    ("SHA-1", f"t={NOW},sha1={tag(SECRET, NOW, BODY, hashlib.sha1)}"),
    ("SHA-512 under the name of SHA-256", f"t={NOW},sha256={tag(SECRET, NOW, BODY, hashlib.sha512)}"),
    ("the form of another service", f"v1,{HEX}"), ("no algorithm", f"t={NOW},none={HEX}"),
]:
    vector(f"malformed header: {name}", "malformed_header", value=value)

# Other headers.

accepted("header names in lower case", pairs=[[name.lower(), value] for name, value in all_headers(GOOD)])
accepted("header names in upper case", pairs=[[name.upper(), value] for name, value in all_headers(GOOD)])
accepted("headers in the opposite order", pairs=all_headers(GOOD)[::-1])
accepted("headers of proxies", pairs=[["Via", "1.1 proxy"], *all_headers(GOOD), ["X-Forwarded-For", "203.0.113.7"]])
accepted("a header of nearly the same name", pairs=[["X-SVC-Webhook-Signature-Old", "t=1"], *all_headers(GOOD)])
vector("no headers", "missing_header", pairs=[])
vector("no signature", "missing_header", pairs=headers(None))
vector("no signature, but in a header of another name", "missing_header", pairs=[*headers(None), ["X-Signature", GOOD]])
vector("no id", "missing_header", pairs=headers(GOOD, None))
vector("no id, and a malformed signature: what is missing is told", "missing_header", pairs=headers("t=1", None))
vector("no id, and another secret: what is missing is told", "missing_header", pairs=headers(GOOD, None), secrets=[OLD])
vector("the signature header twice", "malformed_header", pairs=[*headers(GOOD), [SIGNATURE_HEADER, GOOD]])
vector("the signature header twice, the first one wrong", "malformed_header",
       pairs=[[SIGNATURE_HEADER.lower(), f"t={NOW},sha256={'0' * 64}"], *headers(GOOD)])
for name, event in [
    ("of another event", OTHER_EVENT), ("that is empty", ""), ("in upper case", EVENT.upper()),
    ("with a space after it", EVENT + " "), ("cut short", EVENT[:-1]), ("without its prefix", EVENT[4:]),
    ("of the delivery", DELIVERY), ("twice in one value", f"{EVENT}, {EVENT}"),
]:
    vector(f"an id {name}", "id_mismatch", pairs=headers(GOOD, event))
vector("the id header twice", "id_mismatch", pairs=[*headers(GOOD), [ID_HEADER, EVENT]])
vector("the id header twice, another one first", "id_mismatch", pairs=[[ID_HEADER, OTHER_EVENT], *headers(GOOD)])

# Bodies that were changed on the way.

INDENTED = json.dumps(notification(), indent=2).encode()
WINDOWS = INDENTED.replace(b"\n", b"\r\n")
LATIN, SLASHES = compact(notification(note="Ñ")), compact(notification(note="a/b"))
for name, signed, body in [
    ("one bit", BODY, BODY[:-3] + bytes([BODY[-3] ^ 1]) + BODY[-2:]),
    ("another resource", BODY, BODY.replace(b"e4g7", b"e4g8")),
    ("another event", BODY, BODY.replace(EVENT.encode(), OTHER_EVENT.encode())),
    ("a line end after it", BODY, BODY + b"\n"), ("a space before it", BODY, b" " + BODY),
    ("a byte order mark before it", BODY, b"\xef\xbb\xbf" + BODY), ("a NUL after it", BODY, BODY + b"\0"),
    ("the last byte gone", BODY, BODY[:-1]), ("nothing left", BODY, b""), ("twice", BODY, BODY + BODY),
    ("parsed and written again with spaces", BODY, json.dumps(json.loads(BODY)).encode()),
    ("parsed and written again without white space", INDENTED, compact(json.loads(INDENTED))),
    ("parsed and written again with sorted keys", BODY, compact(dict(sorted(json.loads(BODY).items())))),
    ("unicode escaped", compact(UNICODE), json.dumps(UNICODE, separators=(",", ":")).encode()),
    ("unicode no longer escaped", json.dumps(UNICODE, separators=(",", ":")).encode(), compact(UNICODE)),
    ("unicode normalised", unicodedata.normalize("NFD", compact(UNICODE).decode()).encode(), compact(UNICODE)),
    ("in Latin-1 in place of UTF-8", LATIN, LATIN.decode().encode("latin-1")),
    ("in UTF-16 in place of UTF-8", BODY, BODY.decode().encode("utf-16-le")),
    ("line ends of Windows made plain", WINDOWS, INDENTED),
    ("white space at its end trimmed", BODY + b"\r\n", BODY),
    ("slashes escaped", SLASHES, SLASHES.replace(b"/", b"\\/")),
]:
    vector(f"a changed body: {name}", "no_secret_matched", body=body, value=signature(SECRET, NOW, signed))

# Signatures made in another way.

for name, made in [
    ("over the body alone", hmac.new(SECRET.encode(), BODY, hashlib.sha256)),
    ("without the dot", hmac.new(SECRET.encode(), str(NOW).encode() + BODY, hashlib.sha256)),
    ("with a colon in place of the dot", hmac.new(SECRET.encode(), f"{NOW}:".encode() + BODY, hashlib.sha256)),
    ("over another second", hmac.new(SECRET.encode(), f"{NOW - 1}.".encode() + BODY, hashlib.sha256)),
    ("over the id too", hmac.new(SECRET.encode(), f"{EVENT}.{NOW}.".encode() + BODY, hashlib.sha256)),
    ("with key and text swapped", hmac.new(f"{NOW}.".encode() + BODY, SECRET.encode(), hashlib.sha256)),
    ("with a plain hash of secret and text", hashlib.sha256(SECRET.encode() + f"{NOW}.".encode() + BODY)),
    ("with SHA3-256", hmac.new(SECRET.encode(), f"{NOW}.".encode() + BODY, hashlib.sha3_256)),
]:
    vector(f"signed {name}", "no_secret_matched", value=f"t={NOW},sha256={made.hexdigest()}")
for name, digits in [
    ("all zero", "0" * 64), ("all f", "f" * 64), ("backwards", HEX[::-1]),
    ("with another first one", f"{int(HEX[0], 16) ^ 1:x}" + HEX[1:]),
    ("with another last one", HEX[:-1] + f"{int(HEX[-1], 16) ^ 1:x}"),
]:
    vector(f"digits of sha256 {name}", "no_secret_matched", value=f"t={NOW},sha256={digits}")

# Bodies that are signed and no notification.

for name, body in [
    ("empty", b""), ("white space", b" \n"), ("no JSON", b"hello"), ("a form", b"id=" + EVENT.encode()),
    ("null", b"null"), ("true", b"true"), ("a number", b"7"), ("a text", f'"{EVENT}"'.encode()),
    ("an empty list", b"[]"),
    ("a list of a notification", b"[" + BODY + b"]"), ("an empty object", b"{}"),
    ("an id that is null", compact(notification(id=None))), ("an id that is a number", compact(notification(id=7))),
    ("an id in a list", compact(notification(id=[EVENT]))),
    ("a name in another case", BODY.replace(b'"id":"evt', b'"ID":"evt')),
    ("cut short", BODY[:-1]), ("two in a row", BODY + BODY), ("a word after it", BODY + b"x"),
    ("a byte order mark before it", b"\xef\xbb\xbf" + BODY), ("UTF-16", BODY.decode().encode("utf-16-le")),
    ("a byte that is no UTF-8", compact(notification(note="~")).replace(b"~", b"\xff")),
    ("a letter in Latin-1", compact(notification(note="~")).replace(b"~", b"\xd1")),
    ("single quotes", BODY.replace(b'"', b"'")), ("a comma at its end", BODY[:-1] + b",}"),
]:
    vector(f"a signed body: {name}", "malformed_body", body=body)

names = [each["name"] for each in vectors]
assert len(names) == len(set(names)), "two vectors share a name"
document = {
    "about": "Requests, and whether a receiver of contract v1 must accept them. Written by webhook_signatures.py.",
    "tolerance_seconds": 300,
    "vectors": vectors,
}
# One line for each vector, so that a change is seen for what it is.
lines = ",\n".join("  " + json.dumps(each) for each in vectors)
text = json.dumps({**document, "vectors": []}, indent=1).replace("[]", f"[\n{lines}\n ]")
sys.stdout.buffer.write(text.encode() + b"\n")
