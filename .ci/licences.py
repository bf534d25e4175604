#!/usr/bin/env python3
"""Licences, bans and sources of deny.toml, on a machine without cargo-deny: from the graph of this platform."""
import re
import subprocess
import sys
import tomllib

EDGES = ["--locked", "--edges", "normal,build,dev", "--prefix", "none"]


def tree(*arguments):
    command = ["cargo", "tree", *EDGES, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def allowed(expression, names):
    """Whether an SPDX expression can be met by these licences; `/` is how older crates wrote OR."""
    tokens = re.findall(r"\(|\)|[^\s()]+", expression.replace("/", " OR "))

    def either():
        met = both()
        while tokens and tokens[0] == "OR":
            tokens.pop(0)
            met = both() or met
        return met

    def both():
        met = one()
        while tokens and tokens[0] == "AND":
            tokens.pop(0)
            met = one() and met
        return met

    def one():
        name = tokens.pop(0)
        if name == "(":
            met = either()
            assert tokens.pop(0) == ")", expression
            return met
        if tokens and tokens[0] == "WITH":
            tokens.pop(0)
            name = f"{name} WITH {tokens.pop(0)}"
        return name in names

    met = either()
    assert not tokens, expression
    return met


def main():
    with open("deny.toml", "rb") as file:
        rules = tomllib.load(file)
    names = set(rules["licenses"]["allow"])
    assert allowed("MIT/Apache-2.0", {"MIT"}) and not allowed("MIT AND (GPL-3.0 OR AGPL-3.0)", {"MIT"})
    crates = {tuple(line.split("|")) for line in tree("--workspace", "--format", "{p}|{l}") if "|" in line}
    wrong = []
    for package, licence in sorted(crates):
        licence = licence.removesuffix(" (*)")
        if not licence or not allowed(licence, names):
            wrong.append(f"{package}: the licence {licence or 'is not told'} is not allowed")
        # Crates of the workspace are shown with their folder, those of git with a URL.
        if re.search(r"\((https?|git|ssh)[:+]", package):
            wrong.append(f"{package}: comes from elsewhere than crates.io")
    present = {package.split(" ")[0] for package, _ in crates}
    for ban in rules["bans"]["deny"]:
        if ban["crate"] not in present:
            continue
        parents = {line.split(" ")[0] for line in tree("--workspace", "--invert", ban["crate"], "--depth", "1")[1:]}
        if strangers := sorted(parents - set(ban.get("wrappers", []))):
            wrong.append(f"{ban['crate']} by {', '.join(strangers)}: {ban['reason']}")
    print("\n".join(wrong) or f"{len(crates)} crates keep the rules of deny.toml")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
