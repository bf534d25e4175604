"""Runs docs/verify/verify.py: `vectors FILE` prints a line for each vector, `serve` prints an address and serves."""

import json
import logging
import os
import pathlib
import socketserver
import sys
import wsgiref.simple_server

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "docs" / "verify"))
import verify as shown

logging.disable()


def headers_of(vector):
    headers = {}
    for name, value in vector["headers"]:
        known = next((each for each in headers if each.lower() == name.lower()), None)
        headers[known or name] = f"{headers[known]}, {value}" if known else value
    return headers


def verdict_of(vector, headers, body):
    try:
        event = shown.verify(vector["secrets"], headers, body, vector["now"])
    except shown.Refused as refused:
        return str(refused)
    return "accepted" if event["id"] == vector["event"]["id"] else "accepted another event"


def line(vector):
    """One attempt that fails, during which another one arrives; one that succeeds; and one more."""
    headers = headers_of(vector)
    body = vector["body"].encode() if "body" in vector else bytes.fromhex(vector["body_hex"])
    seen, worked, meanwhile = shown.Seen(), [], ["-"]

    def arrive(work):
        return shown.receive(vector["secrets"], seen, work, headers, body, vector["now"])

    def fail(event):
        worked.append(event)
        meanwhile[0] = arrive(worked.append)
        raise ValueError("failed")

    statuses = [arrive(fail), arrive(worked.append), arrive(worked.append)]
    return f"{verdict_of(vector, headers, body)} {meanwhile[0]} {','.join(map(str, statuses))} {len(worked)}"


class Server(socketserver.ThreadingMixIn, wsgiref.simple_server.WSGIServer):
    daemon_threads = True


class Quiet(wsgiref.simple_server.WSGIRequestHandler):
    def log_message(self, *_):
        pass


if sys.argv[1] == "vectors":
    with open(sys.argv[2], encoding="utf-8") as file:
        for each in json.load(file)["vectors"]:
            print(line(each))
else:
    app = shown.application(
        [os.environ["SVC_WEBHOOK_SECRET"]], shown.Seen(), lambda event: print(event["id"], flush=True)
    )
    with wsgiref.simple_server.make_server("127.0.0.1", 0, app, Server, Quiet) as server:
        print(f"http://127.0.0.1:{server.server_port}/hooks", flush=True)
        server.serve_forever()
