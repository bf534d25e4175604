//! What must agree, after any history.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::History;

/// An amount in cents.
pub(super) fn cents(amount: &Value) -> i64 {
    let text = amount.as_str().unwrap_or_else(|| panic!("{amount} is no amount"));
    let (whole, part) = text.split_once('.').unwrap_or_else(|| panic!("{text} has no cents"));
    assert_eq!(part.len(), 2, "{text}");
    format!("{whole}{part}").parse().unwrap()
}

pub(super) fn list<'a>(of: &'a Value, member: &str) -> &'a Vec<Value> {
    of[member].as_array().unwrap_or_else(|| panic!("{of} has no list {member}"))
}

fn sum(of: &[Value], member: &str) -> i64 {
    of.iter().map(|one| cents(&one[member])).sum()
}

impl History {
    pub(super) async fn agrees(&mut self) {
        let books = |under: &str| self.office.books(under);
        // I-24, I-06: hashes, numbers and sums, computed anew.
        assert_eq!(self.get(&books("/verification")).await["holds"], json!(true));
        // I-02
        let trial = self.get(&books("/reports/trial-balance?from=2025-01-01&to=2025-12-31")).await;
        assert_eq!(
            cents(&trial["totals"]["debit"]),
            cents(&trial["totals"]["credit"]),
            "{}",
            trial["totals"]
        );
        assert_eq!(cents(&trial["totals"]["closingBalance"]), 0);
        // I-03
        let sheet = self.get(&books("/reports/balance-sheet?asOf=2025-12-31")).await;
        assert_eq!(cents(&sheet["totalAssets"]), cents(&sheet["totalEquityAndLiabilities"]), "{sheet}");
        // I-19
        if let Some((day, said)) = &self.locked {
            assert_eq!(self.said(day).await, *said, "locked up to {day}");
        }
        let entries = self.entries_agree().await;
        self.posted_entries_stay(&entries);
        self.sales_agree(&entries).await;
        self.purchases_agree(&entries).await;
        self.assets_agree().await;
        self.ages_agree(&entries).await;
    }

    pub(super) async fn get(&self, path: &str) -> Value {
        self.office.client.get(path).await.ok(200).json
    }

    /// I-01 and I-06; answers all entries by their ids.
    async fn entries_agree(&self) -> BTreeMap<String, Value> {
        let listed = self.get(&self.office.books("/journal-entries?limit=200")).await;
        assert_eq!(list(&listed, "items").len() as u64, listed["total"].as_u64().unwrap());
        let (mut entries, mut years) = (BTreeMap::new(), BTreeMap::<_, Vec<_>>::new());
        for listed in list(&listed, "items") {
            let id = listed["id"].as_str().unwrap();
            let entry = self.office.entry(&listed["id"]).await;
            if entry["status"] != "draft" {
                let lines = list(&entry, "lines");
                assert!(lines.len() > 1, "{entry}");
                assert_eq!(sum(lines, "debit"), sum(lines, "credit"), "{entry}");
                let one_side = |line: &Value| (cents(&line["debit"]) > 0) != (cents(&line["credit"]) > 0);
                assert!(lines.iter().all(one_side), "{entry}");
                let year = entry["date"].as_str().unwrap()[..4].to_owned();
                years.entry(year).or_default().push(entry["number"].as_u64().unwrap());
            }
            entries.insert(id.to_owned(), entry);
        }
        for numbers in years.values_mut() {
            numbers.sort_unstable();
            assert!(numbers.iter().copied().eq(1..=numbers.len() as u64), "{numbers:?}");
        }
        entries
    }

    /// I-05: posted lines stay as they are, and an entry with what reverses it adds up to nothing.
    fn posted_entries_stay(&mut self, entries: &BTreeMap<String, Value>) {
        for (id, entry) in entries.iter().filter(|(_, entry)| entry["status"] != "draft") {
            let seen = self.posted.entry(id.clone()).or_insert_with(|| entry["lines"].clone());
            assert_eq!(*seen, entry["lines"], "{entry}");
            if let Some(undone) = entry["reversesId"].as_str() {
                assert_eq!(entries[undone]["reversedById"].as_str(), Some(id.as_str()), "{entry}");
            }
            let Some(by) = entry["reversedById"].as_str() else { continue };
            let mut left = BTreeMap::<_, i64>::new();
            for line in list(entry, "lines").iter().chain(list(&entries[by], "lines")) {
                *left.entry(line["accountCode"].to_string()).or_default() +=
                    cents(&line["debit"]) - cents(&line["credit"]);
            }
            assert!(left.values().all(|balance| *balance == 0), "{entry} {}", entries[by]);
        }
    }

    /// I-07, I-08, I-11 to I-13, and the chain of I-24.
    async fn sales_agree(&self, entries: &BTreeMap<String, Value>) {
        let (mut series, mut chain) = (BTreeMap::<_, Vec<_>>::new(), Vec::new());
        let mut documents = BTreeMap::new();
        for id in &self.sales {
            let document = self.get(&format!("/billing/{id}")).await;
            let (totals, taxes) = (&document["totals"], list(&document, "taxes"));
            let of = |member: &str| cents(&totals[member]);
            let tax = sum(taxes, "quota") + sum(taxes, "surchargeQuota");
            assert_eq!((of("taxTotal"), of("total")), (tax, sum(taxes, "base") + tax), "{document}");
            assert_eq!(of("linesTotal"), sum(list(&document, "lines"), "netAmount"), "{document}");
            assert_eq!(
                of("discountTotal"),
                sum(list(&document, "lines"), "documentDiscountShare"),
                "{document}"
            );
            assert_eq!(of("payable"), of("total") - of("withholdingTotal"), "{document}");
            settled(&document);
            if document["status"] != "draft" {
                let place = (
                    document["sequence"].as_u64().unwrap(),
                    document["issueDate"].as_str().unwrap().to_owned(),
                );
                series.entry(document["seriesId"].to_string()).or_default().push(place);
                chain.push(document["compliance"]["verifactu"].clone());
                let entry = &entries[document["journalEntryId"].as_str().unwrap()];
                assert_eq!(balance(entry, "43"), of("payable"), "{document} {entry}");
                assert_eq!(-balance(entry, "477"), of("taxTotal"), "{document} {entry}");
            }
            documents.insert(id.clone(), document);
        }
        for places in series.values_mut() {
            places.sort();
            assert!(places.iter().map(|(sequence, _)| *sequence).eq(1..=places.len() as u64), "{places:?}");
            assert!(places.windows(2).all(|pair| pair[0].1 <= pair[1].1), "{places:?}");
        }
        chain.sort_by_key(|record| record["place"].as_u64());
        let linked = |pair: &[Value]| {
            pair[0]["recordType"] == "annulment"
                || pair[1]["recordType"] == "annulment"
                || pair[1]["place"].as_u64() != pair[0]["place"].as_u64().map(|place| place + 1)
                || pair[1]["previousHash"] == pair[0]["hash"]
        };
        assert!(chain.windows(2).all(linked), "{chain:?}");
        rectified(&documents);
    }

    /// I-11 and I-13 of purchases, and the register.
    async fn purchases_agree(&self, entries: &BTreeMap<String, Value>) {
        let mut registered = Vec::new();
        for id in &self.bought {
            let document = self.get(&format!("/supplier-documents/{id}")).await;
            settled(&document);
            let Some(number) = document["registerNumber"].as_u64() else { continue };
            registered.push(number);
            let entry = &entries[document["journalEntryId"].as_str().unwrap()];
            assert_eq!(-balance(entry, "40"), cents(&document["totals"]["payable"]), "{document} {entry}");
        }
        registered.sort_unstable();
        assert!(registered.iter().copied().eq(1..=registered.len() as u64), "{registered:?}");
    }

    /// I-14
    async fn assets_agree(&self) {
        for id in &self.assets {
            let asset = self.get(&self.office.books(&format!("/fixed-assets/{id}"))).await;
            let plan = self.get(&self.office.books(&format!("/fixed-assets/{id}/plan"))).await;
            let instalments = list(&plan, "instalments");
            assert!(instalments.iter().all(|one| cents(&one["amount"]) >= 0), "{plan}");
            let wanted = cents(&asset["cost"]) - cents(&asset["residualValue"]);
            assert_eq!(sum(instalments, "amount"), wanted, "{asset} {plan}");
        }
    }
}

/// I-11
fn settled(document: &Value) {
    let of = |member: &str| cents(&document["totals"][member]);
    let (payable, paid) = (of("payable"), of("paid"));
    assert_eq!((paid, of("due")), (sum(list(document, "payments"), "amount"), payable - paid), "{document}");
    assert!(paid == 0 || (paid.signum() == payable.signum() && paid.abs() <= payable.abs()), "{document}");
    let counts = !matches!(document["status"].as_str(), Some("draft" | "received" | "rejected" | "voided"));
    let wanted = match paid {
        _ if !counts => return,
        0 if payable != 0 => "unpaid",
        _ if paid == payable => "paid",
        _ => "partially_paid",
    };
    assert_eq!(document["paymentStatus"], wanted, "{document}");
}

/// What is left on accounts that begin with this, debit minus credit.
fn balance(entry: &Value, prefix: &str) -> i64 {
    let lines = list(entry, "lines").iter();
    let lines = lines.filter(|line| line["accountCode"].as_str().unwrap().starts_with(prefix));
    lines.map(|line| cents(&line["debit"]) - cents(&line["credit"])).sum()
}

/// I-12: what is taken back of a tax is no more than what there was.
fn rectified(documents: &BTreeMap<String, Value>) {
    let bases = |document: &Value| -> Vec<(String, i64)> {
        list(document, "taxes").iter().map(|tax| (tax["taxCode"].to_string(), cents(&tax["base"]))).collect()
    };
    for (id, original) in
        documents.iter().filter(|(_, one)| one["rectifies"].is_null() && one["status"] == "issued")
    {
        for (code, base) in bases(original) {
            let of_it = |other: &&Value| {
                other["status"] == "issued" && other["rectifies"]["documentIds"] == json!([id])
            };
            let back: i64 = documents
                .values()
                .filter(of_it)
                .flat_map(bases)
                .filter(|(other, _)| *other == code)
                .map(|(_, base)| base)
                .sum();
            assert!((0..=base).contains(&(base + back)), "{id}: {code} {base} {back}");
        }
    }
}
