//! The table, beside what the API says of its records.

use std::collections::{BTreeMap, BTreeSet};

use super::super::described::{answer, is_free, members};
use super::*;

/// The members of a record of this kind, with their schemas: in its list, and by itself.
fn shown(api: &Value, kind: &Kind) -> [BTreeMap<String, Value>; 2] {
    let list = answer(api, kind.list)["properties"].as_object().expect("members");
    let items = list.values().find(|member| member["type"] == "array").expect("a list");
    [members(api, &items["items"]), members(api, answer(api, &format!("{}/{{id}}", kind.list)))]
}

#[test]
fn every_member_that_a_row_names_is_one_of_its_records() {
    let api = svc_http::openapi("https://svc.example", &svc_business::catalogue::events());
    for kind in &KINDS {
        let [item, one] = shown(&api, kind);
        for name in kind.concise {
            assert!(item.contains_key(*name), "{} shows {name}", kind.name);
        }
        for name in kind.untrusted {
            assert!(item.contains_key(*name) || one.contains_key(*name), "{} marks {name}", kind.name);
        }
    }
    for draft in &DRAFTS {
        assert!(
            KINDS.iter().any(|kind| kind.name == draft.found && kind.list == draft.list),
            "{}",
            draft.name
        );
    }
}

/// Texts of a form that the service checks letter by letter, or that it writes itself: no sentence fits in.
const CHECKED: [&str; 49] = [
    "taxId",
    "recipientTaxId",
    "phone",
    "mobile",
    "iban",
    "bic",
    "language",
    "timezone",
    "number",
    "defaultTaxCode",
    "payableAccountCode",
    "receivableAccountCode",
    "withholdingRate",
    "defaultWithholdingRate",
    "estimatedFees",
    "fxRate",
    "discount",
    "totals",
    "taxes",
    "withholdings",
    "taxAdjustments",
    "taxTags",
    "proRata",
    "compliance",
    "source",
    "totalDebit",
    "totalCredit",
    "difference",
    "cost",
    "residualValue",
    "carryingAmount",
    "openingAccumulated",
    "accumulatedDepreciation",
    "disposal",
    "openingBalance",
    "bookBalance",
    "statementBalance",
    "amount",
    "balanceAfter",
    "counterpartyIban",
    "boxes",
    "result",
    "paid",
    "due",
    "payments",
    "booksVersion",
    "mimeType",
    "versions",
    "index",
];

/// The profile is no list; its members are marked all the same.
const PROFILE: [&str; 3] = ["taxId", "corporateTaxRate", "refundIban"];

#[test]
fn every_member_of_the_tax_profile_that_takes_free_text_is_marked() {
    let api = svc_http::openapi("https://svc.example", &svc_business::catalogue::events());
    let all = members(&api, answer(&api, profile::PROFILE));
    let free = all.into_iter().filter(|(_, schema)| is_free(&api, schema)).map(|(name, _)| name);
    let expected = profile::WRITTEN.iter().chain(&PROFILE).map(|name| (*name).to_owned());
    assert_eq!(free.collect::<BTreeSet<_>>(), expected.collect::<BTreeSet<_>>());
}

/// A member that a stranger can write a sentence into is marked, also one that the API gets tomorrow.
#[test]
fn every_member_that_takes_free_text_is_marked() {
    let api = svc_http::openapi("https://svc.example", &svc_business::catalogue::events());
    let mut met = BTreeSet::new();
    for kind in &KINDS {
        let all = shown(&api, kind);
        for (name, _) in all.iter().flatten().filter(|(_, schema)| is_free(&api, schema)) {
            let is_checked = CHECKED.contains(&name.as_str());
            let is_marked = kind.untrusted.contains(&name.as_str());
            assert!(is_checked || is_marked, "{} shows {name}, and does not mark it", kind.name);
            met.insert(name.clone());
        }
    }
    for name in CHECKED {
        assert!(met.contains(name), "{name} is no free text of any record");
    }
}
