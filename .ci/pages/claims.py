"""What the walk has seen to hold, journey by journey."""

import time

journeys = []
passed = 0


def journey(name):
    """Begins what a person sets out to do."""
    journeys.append(name)
    print(f"{len(journeys):3} {name}", flush=True)


def holds(claim, condition, detail=""):
    global passed
    if not condition:
        raise SystemExit(f"FAILED: {claim}\n  {detail}")
    passed += 1
    print(f"  ok  {claim}", flush=True)


def wait_for(what, condition, seconds=30.0):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return
        time.sleep(0.1)
    raise SystemExit(f"FAILED: {what} did not happen within {seconds} s")
