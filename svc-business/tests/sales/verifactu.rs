//! Records for the tax office: their chain and their QR codes.

use proptest::prelude::*;
use svc_business::party::TaxId;
use svc_business::sales::document::{DocType, Status};
use svc_business::sales::series::DocumentNumber;
use svc_business::sales::verifactu::{
    Annulment, AnyRecord, Broken, Compliance, Flaw, QrHost, QrMode, Record, RecordHash, RecordType,
    Registration, Transmission, annulment, qr_url, registration, verify_chain,
};
use svc_core::money::Amount;
use svc_core::pii::{Pii, PiiAccess, Reveal};
use time::macros::{date, datetime};
use time::{Date, Duration, OffsetDateTime};

use super::documents::{draft, euros, invoice, issue, issue_over};
use super::payments::full_credit;

fn issuer(text: &str) -> Pii<TaxId> {
    Pii::new(TaxId::from_stored(text.to_owned()))
}

fn subject(number: &str) -> Registration {
    Registration {
        issuer: issuer("89890001K"),
        number: DocumentNumber::from_stored(number.to_owned()),
        date: date!(2024 - 01 - 01),
        record_type: RecordType::F1,
        tax: euros("12.35"),
        total: euros("123.45"),
    }
}

const FIRST: &str = "3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60";
const SECOND: &str = "F7B94CFD8924EDFF273501B01EE5153E4CE8F259766F88CF6ACB8935802A2B97";

/// The examples of the tax office's document on the hash of records.
#[test]
fn the_published_chain_comes_out() {
    let first = Record::chained(subject("12345678/G33"), None, datetime!(2024 - 01 - 01 19:20:30.9 +1));
    assert_eq!(first.hash.to_string(), FIRST);
    assert_eq!(FIRST.parse(), Ok(first.hash));
    let at = datetime!(2024 - 01 - 01 19:20:35 +1);
    let second = Record::chained(subject("12345679/G34"), Some(first.hash), at);
    assert_eq!(second.hash.to_string(), SECOND);
    let gone = Annulment {
        issuer: issuer("89890001K"),
        number: DocumentNumber::from_stored("12345679/G34".to_owned()),
        date: date!(2024 - 01 - 01),
    };
    let third = Record::chained(gone, Some(second.hash), datetime!(2024 - 01 - 01 19:20:40 +1));
    // Worked out with `sha256sum` over the text that the document describes.
    assert_eq!(third.hash.to_string(), "177547C0D57AC74748561D054A9CEC14B4C4EA23D1BEFD6F2E69E3A388F90C68");
    let last = third.hash;
    let chain =
        [AnyRecord::Registration(first), AnyRecord::Registration(second), AnyRecord::Annulment(third)];
    assert_eq!(verify_chain(None, &chain), Ok(Some(last)));
    assert_eq!(verify_chain(Some(chain[0].hash()), &chain[1..]), Ok(Some(last)));
    assert_eq!(verify_chain(None, &chain[1..]), Err(Broken { at: 0, flaw: Flaw::Previous }));
    let swapped = [chain[1].clone(), chain[0].clone()];
    assert_eq!(verify_chain(None, &swapped), Err(Broken { at: 0, flaw: Flaw::Previous }));
}

#[test]
fn other_texts_are_no_hashes() {
    for text in ["", &FIRST[1..], &FIRST.to_lowercase(), &FIRST.replace('3', "G"), &format!("{FIRST}0")] {
        assert!(text.parse::<RecordHash>().is_err(), "{text}");
    }
}

#[test]
fn a_qr_code_leads_to_the_tax_office() {
    #[expect(clippy::disallowed_methods, reason = "tests stand in for the authority")]
    let full = PiiAccess::Full(Reveal::granted());
    let url = |mode, host| {
        let shown = qr_url(&subject("12345678/G33 ñ"), mode, host).show(full);
        serde_json::to_value(shown).expect("a text").as_str().map(str::to_owned).expect("a text")
    };
    let query = "?nif=89890001K&numserie=12345678%2FG33%20%C3%B1&fecha=01-01-2024&importe=123.45";
    let production = "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR";
    assert_eq!(url(QrMode::Verifiable, QrHost::Production), format!("{production}{query}"));
    let not = format!("{production}NoVerifactu{query}");
    assert_eq!(url(QrMode::NotVerifiable, QrHost::Production), not);
    let test = format!("https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR{query}");
    assert_eq!(url(QrMode::Verifiable, QrHost::Test), test);
    let masked = qr_url(&subject("1"), QrMode::Verifiable, QrHost::Test).show(PiiAccess::Masked);
    assert_eq!(serde_json::to_value(masked).expect("null"), serde_json::Value::Null);
}

#[test]
fn documents_that_count_for_taxes_have_records() {
    let one = [("1", "100.00", "0", "es_vat_10_re", "0")];
    let kind = |document| registration(&document).expect("in range").map(|record| record.record_type);
    assert_eq!(kind(issue(draft(DocType::SimplifiedInvoice, &one))), Some(RecordType::F2));
    assert_eq!(kind(issue(draft(DocType::Quote, &one))), None);
    assert_eq!(kind(draft(DocType::Invoice, &one)), None);
    let document = invoice(&one);
    let record = registration(&document).expect("in range").expect("an invoice");
    assert_eq!(
        (record.record_type, record.tax, record.total),
        (RecordType::F1, euros("11.40"), euros("111.40"))
    );
    assert_eq!(record.number.as_str(), "F2025-00001");
    let credit = issue_over(full_credit(&document), vec![document.clone()]).document;
    let rectifying = registration(&credit).expect("in range").expect("it counts");
    assert_eq!((rectifying.record_type, rectifying.total), (RecordType::R1, euros("-111.40")));
    assert_eq!(annulment(&document), None, "it was never registered");
    let mut registered = document;
    if let Status::Issued { issue } = &mut registered.status {
        let record = Record::chained(record.clone(), None, datetime!(2025 - 03 - 14 12:00 +1));
        issue.compliance = Some(Compliance { place: 1, record, transmission: Transmission::NotSent });
    }
    let gone = annulment(&registered).expect("it was registered");
    assert_eq!((gone.number, gone.date), (record.number, record.date));
}

/// A change of one fact of a record.
#[derive(Clone, Copy, Debug)]
enum Change {
    Issuer(usize),
    Number(usize),
    Day(i64),
    Type(usize),
    Tax(i64),
    Total(i64),
    At(i64),
    Previous(usize),
    Hash(usize),
}

fn change() -> impl Strategy<Value = Change> {
    let more = prop_oneof![-9_999_i64..0, 1_i64..9_999];
    prop_oneof![
        (0_usize..9).prop_map(Change::Issuer),
        (0_usize..9).prop_map(Change::Number),
        more.clone().prop_map(Change::Day),
        (1_usize..8).prop_map(Change::Type),
        more.clone().prop_map(Change::Tax),
        more.clone().prop_map(Change::Total),
        more.prop_map(Change::At),
        (0_usize..32).prop_map(Change::Previous),
        (0_usize..32).prop_map(Change::Hash),
    ]
}

/// The text with the last bit of one of its bytes turned.
fn bent(text: &str, at: usize) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = at % bytes.len();
    bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1);
    String::from_utf8(bytes).expect("ASCII stays ASCII")
}

fn bent_hash(hash: RecordHash, at: usize) -> RecordHash {
    let mut bytes = *hash.bytes();
    bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1);
    RecordHash::from_bytes(bytes)
}

fn altered(record: &Record<Registration>, change: Change) -> Record<Registration> {
    let mut record = record.clone();
    let subject = &mut record.subject;
    let plus = |amount: Amount, more: i64| {
        Amount::from_minor(amount.minor() + more, amount.currency()).expect("an amount")
    };
    match change {
        Change::Issuer(at) => subject.issuer = issuer(&bent("89890001K", at)),
        Change::Number(at) => {
            subject.number = DocumentNumber::from_stored(bent(subject.number.as_str(), at));
        }
        Change::Day(days) => subject.date += Duration::days(days),
        Change::Type(by) => {
            let at = RecordType::ALL.iter().position(|one| *one == subject.record_type).expect("known");
            subject.record_type = *RecordType::ALL.iter().cycle().nth(at + by).expect("a cycle");
        }
        Change::Tax(more) => subject.tax = plus(subject.tax, more),
        Change::Total(more) => subject.total = plus(subject.total, more),
        Change::At(seconds) => record.generated_at += Duration::seconds(seconds),
        Change::Previous(at) => record.previous = record.previous.map(|hash| bent_hash(hash, at)),
        Change::Hash(at) => record.hash = bent_hash(record.hash, at),
    }
    record
}

fn day(offset: i64) -> Date {
    date!(2025 - 01 - 01) + Duration::days(offset)
}

proptest! {
    /// I-24: a chain verifies as it was written, and no longer from the record on at which anything was changed.
    #[test]
    fn whatever_is_changed_breaks_the_chain(
        facts in prop::collection::vec((0_i64..900, -99_999_i64..99_999), 2..12),
        place in any::<prop::sample::Index>(),
        change in change(),
    ) {
        let mut chain = Vec::<Record<Registration>>::new();
        for (at, (offset, cents)) in facts.iter().enumerate() {
            let subject = Registration {
                date: day(*offset),
                tax: Amount::from_minor(*cents, euros("0.00").currency()).expect("an amount"),
                ..subject(&format!("F/{at}"))
            };
            let when: OffsetDateTime = datetime!(2025 - 01 - 01 00:00 +1) + Duration::seconds(*offset);
            chain.push(Record::chained(subject, chain.last().map(|last| last.hash), when));
        }
        let all = |chain: &[Record<Registration>]| {
            chain.iter().cloned().map(AnyRecord::Registration).collect::<Vec<_>>()
        };
        prop_assert_eq!(verify_chain(None, &all(&chain)), Ok(chain.last().map(|last| last.hash)));
        let at = place.index(chain.len());
        let changed = altered(&chain[at], change);
        prop_assume!(changed != chain[at]);
        let resealed = Record::chained(changed.subject.clone(), changed.previous, changed.generated_at);
        chain[at] = changed;
        prop_assert_eq!(verify_chain(None, &all(&chain)).map_err(|broken| broken.at), Err(at));
        // With a new hash the record itself fits, and the next one no longer does.
        let same = resealed.hash == chain[at].hash;
        chain[at] = resealed;
        if at + 1 < chain.len() && !same && !matches!(change, Change::Hash(_) | Change::Previous(_)) {
            prop_assert_eq!(verify_chain(None, &all(&chain)), Err(Broken { at: at + 1, flaw: Flaw::Previous }));
        }
    }
}
