"""Receives signed webhooks with nothing but Python's standard library (Python 3.8 or later)."""

import hashlib
import hmac
import http
import json
import logging
import re
import threading
import time

TOLERANCE = 300  # seconds
LARGEST_BODY = 64 * 1024  # bytes
SECRET = re.compile(r"whsec_[0-9A-Za-z_-]+")
SIGNATURE = re.compile(r"t=([0-9]{1,15}),sha256=([0-9a-fA-F]{64})")


class Refused(Exception):
    """The request is not to be trusted; the text says why."""


def verify(secrets, headers, body, now=None):
    """The event of a genuine notification. `headers` is a mapping, `body` the exact bytes."""
    # Every sender can sign with an empty secret: a variable that was never set must not pass.
    if not secrets or not all(SECRET.fullmatch(secret) for secret in secrets):
        raise Refused("no_usable_secret")
    headers = {name.lower(): value for name, value in headers.items()}
    signature, event_id = headers.get("x-svc-webhook-signature"), headers.get("x-svc-webhook-id")
    if signature is None or event_id is None:
        raise Refused("missing_header")

    parts = SIGNATURE.fullmatch(signature)
    if parts is None:
        raise Refused("malformed_header")
    t, received = parts[1], bytes.fromhex(parts[2])
    age = int(time.time() if now is None else now) - int(t)
    if age > TOLERANCE:
        raise Refused("too_old")
    if age < -TOLERANCE:
        raise Refused("in_the_future")

    signed = t.encode() + b"." + body
    matching = [
        hmac.compare_digest(hmac.new(secret.encode(), signed, hashlib.sha256).digest(), received)
        for secret in secrets
    ]
    if not any(matching):
        raise Refused("no_secret_matched")

    try:
        event = json.loads(body.decode("utf-8"))
    except ValueError:
        raise Refused("malformed_body") from None
    if not isinstance(event, dict) or not isinstance(event.get("id"), str):
        raise Refused("malformed_body")
    if event["id"] != event_id:
        raise Refused("id_mismatch")
    return event


class Seen:
    """Which events were worked on. With more than one process, or to remember across a restart: a table."""

    def __init__(self, most=100_000):
        self.lock, self.busy, self.done, self.most = threading.Lock(), set(), {}, most

    def claim(self, event_id):
        with self.lock:
            if event_id in self.done:
                return "repeat"
            if event_id in self.busy:
                return "busy"
            self.busy.add(event_id)
            return "first"

    def settle(self, event_id, done):
        with self.lock:
            self.busy.discard(event_id)
            if done:
                self.done[event_id] = None
            if len(self.done) > self.most:
                del self.done[next(iter(self.done))]


def receive(secrets, seen, work, headers, body, now=None):
    """The status to answer: 200 once the work is done, now or before."""
    try:
        event = verify(secrets, headers, body, now)
    except Refused as refused:
        logging.warning("webhook refused: %s", refused)
        return 500 if str(refused) == "no_usable_secret" else 400
    turn = seen.claim(event["id"])
    if turn == "repeat":
        return 200
    if turn == "busy":
        return 503  # a 2xx would say that the event is safe before it is
    done = False
    try:
        work(event)
        done = True
    except Exception:
        logging.exception("webhook %s failed", event["id"])
    finally:
        seen.settle(event["id"], done)  # unless it is done, the next attempt works again
    return 200 if done else 500


def application(secrets, seen, work):
    """A WSGI application. In Flask the body is request.get_data(), in Django and Starlette request.body."""

    def app(environ, start_response):
        length = int(environ.get("CONTENT_LENGTH") or 0)
        if 0 <= length <= LARGEST_BODY:
            headers = {name[5:].replace("_", "-"): value for name, value in environ.items() if name[:5] == "HTTP_"}
            status = receive(secrets, seen, work, headers, environ["wsgi.input"].read(length))
        else:
            status = 413
        start_response(f"{status} {http.HTTPStatus(status).phrase}", [("Content-Length", "0")])
        return []

    return app
