#!/usr/bin/env python3
"""Computes the figures of documents: a second implementation, so that the first is not checked against itself.

Reads a document of JSON from each line of its input and writes its figures as a line of JSON. It follows the
rules of domain part 5.2 of docs/specification.md with decimals and fractions, step by step, and is in no
hurry.

    {"digits": 2, "pricesIncludeTax": false, "discount": {"type": "percent", "value": "5"},
     "lines": [{"quantity": "10", "unitPrice": "85.50", "discountPercent": "10", "withholdingRate": "15",
                "tax": {"code": "es_vat_21", "category": "S", "rate": "21", "surcharge": "0",
                        "selfAssessed": false}}]}
"""

import json
import sys
from decimal import ROUND_HALF_UP, Decimal, getcontext
from fractions import Fraction

getcontext().prec = 80
CATEGORIES = ["S", "Z", "E", "O", "AE", "K", "G", "L", "M"]
ZERO = Decimal(0)


def rounded(exact, digits):
    """Half away from zero; ROUND_HALF_UP looks at the magnitude alone."""
    return exact.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP) + ZERO


def sign(value):
    return (value > 0) - (value < 0)


def nearest(exact):
    """The whole number nearest to a fraction, half away from zero."""
    return sign(exact) * ((2 * abs(exact.numerator) + exact.denominator) // (2 * exact.denominator))


def tax_order(tax):
    return (CATEGORIES.index(tax["category"]), -Decimal(tax["rate"]), -Decimal(tax["surcharge"]), tax["code"])


def shared(whole, exact, ranks):
    """Whole minor units that sum to `whole`, near to the exact parts, by largest remainder."""
    signs = {sign(part) for part in exact} - {0}
    if len(signs) == 1:
        return by_remainders(whole, exact, ranks, signs.pop())
    return by_claims(whole, exact, ranks)


def by_remainders(whole, exact, ranks, turn):
    """Parts of one sign: each is cut to whole units, and the largest remainders get what is left."""
    sizes = [turn * part for part in exact]
    parts = [part.numerator // part.denominator for part in sizes]
    order = sorted(range(len(parts)), key=lambda at: (parts[at] - sizes[at], ranks[at]))
    left = turn * whole - sum(parts)
    assert 0 <= left <= len(parts)
    for at in order[:left]:
        parts[at] += 1
    return [turn * part for part in parts]


def by_claims(whole, exact, ranks):
    """Parts of both signs: the nearest units, and then one unit at a time to the best claim.

    The best claim is the furthest from its exact part. Among equals, one that grows in magnitude goes before one
    that shrinks; the first in rank grows first and shrinks last.
    """
    parts = [nearest(part) for part in exact]
    while sum(parts) != whole:
        step = sign(whole - sum(parts))
        best = None
        for at, part in enumerate(exact):
            grows = sign(part) == step
            place = ranks[at] if grows else -ranks[at]
            claim = ((part - parts[at]) * step, grows, -place)
            if best is None or claim > best[0]:
                best = (claim, at)
        parts[best[1]] += step
    return parts


def compute(document):
    digits = document["digits"]
    scale = 10**digits
    unit = Decimal(1).scaleb(-digits)
    lines = document["lines"]

    def minor(amount):
        return int(amount * scale)

    gross, net = [], []
    for line in lines:
        product = rounded(Decimal(line["quantity"]) * Decimal(line["unitPrice"]), digits)
        taken = rounded(product * Decimal(line["discountPercent"]) / 100, digits)
        gross.append(product)
        net.append(product - taken)

    # Earlier lines come first, unless the tax, the withholding or the size of two lines tells them apart.
    def standing(at):
        line = lines[at]
        return (tax_order(line["tax"]), -Decimal(line["withholdingRate"]), -abs(net[at]), at)

    ranks = [0] * len(lines)
    for rank, at in enumerate(sorted(range(len(lines)), key=standing)):
        ranks[at] = rank

    lines_total = sum(net, ZERO)
    discount = document["discount"]
    if discount is None:
        discount_total = ZERO
    elif discount["type"] == "percent":
        discount_total = rounded(lines_total * Decimal(discount["value"]) / 100, digits)
    else:
        discount_total = Decimal(discount["value"])
    if lines_total == 0:
        shares = [ZERO] * len(lines)
    else:
        ratio = Fraction(discount_total) / Fraction(lines_total)
        exact = [Fraction(one) * ratio * scale for one in net]
        shares = [part * unit for part in shared(minor(discount_total), exact, ranks)]
    left = [one - share for one, share in zip(net, shares)]

    groups = {}
    for at, line in enumerate(lines):
        groups.setdefault(line["tax"]["code"], []).append(at)
    taxes, bases = [], list(left)
    for members in sorted(groups.values(), key=lambda members: tax_order(lines[members[0]]["tax"])):
        tax = lines[members[0]]["tax"]
        stated, surcharge = Decimal(tax["rate"]), Decimal(tax["surcharge"])
        rate = ZERO if tax["selfAssessed"] else stated
        amount = sum((left[at] for at in members), ZERO)
        if document["pricesIncludeTax"]:
            base = rounded(amount / (1 + (rate + surcharge) / 100), digits)
            surcharge_quota = rounded(base * surcharge / 100, digits)
            quota = amount - base - surcharge_quota
            factor = Fraction(100) / Fraction(100 + rate + surcharge)
            exact = [Fraction(left[at]) * factor * scale for at in members]
            parts = shared(minor(base), exact, [ranks[at] for at in members])
            for at, part in zip(members, parts):
                bases[at] = part * unit
        else:
            base = amount
            quota = rounded(base * rate / 100, digits)
            surcharge_quota = rounded(base * surcharge / 100, digits)
        owed = rounded(base * stated / 100, digits) if tax["selfAssessed"] else ZERO
        taxes.append([tax["code"], base, quota, surcharge_quota, owed])

    withheld = {}
    for line, base in zip(lines, bases):
        rate = Decimal(line["withholdingRate"])
        if rate:
            withheld[rate] = withheld.get(rate, ZERO) + base
    withholdings = [
        [base, rounded(base * rate / 100, digits)] for rate, base in sorted(withheld.items(), reverse=True)
    ]

    taxable = sum((tax[1] for tax in taxes), ZERO)
    charged = sum((tax[2] + tax[3] for tax in taxes), ZERO)
    kept = sum((one[1] for one in withholdings), ZERO)
    totals = [lines_total, discount_total, taxable, charged, taxable + charged, kept, taxable + charged - kept]
    return {
        "lines": [[minor(one) for one in line] for line in zip(gross, net, shares, bases)],
        "taxes": [[tax[0], *map(minor, tax[1:])] for tax in taxes],
        "withholdings": [[minor(one) for one in row] for row in withholdings],
        "totals": [minor(one) for one in totals],
    }


for text in sys.stdin:
    print(json.dumps(compute(json.loads(text))), flush=True)
