use svc_core::id::{ContactId, TypedId};
use uuid::Uuid;

use super::*;

const AS_OF: Date = date!(2025 - 06 - 30);

/// An item of a contact that was due so many days ago.
fn item(contact: u128, overdue: i64, minor: i64) -> OpenItem {
    OpenItem {
        contact: Some(ContactId::from_uuid(Uuid::from_u128(contact))),
        contact_name: format!("Contact {contact}"),
        date: date!(2025 - 01 - 01),
        due_date: Some(AS_OF - Duration::days(overdue)),
        balance: cents(minor),
    }
}

fn receivables(items: &[OpenItem]) -> AgedItems {
    AgedItems::of(AS_OF, Currency::EUR, AgedSide::Receivables, &Buckets::default(), items).expect("in range")
}

fn minors(amounts: &[Amount]) -> Vec<i64> {
    amounts.iter().map(|amount| amount.minor()).collect()
}

#[test]
fn a_bucket_ends_with_its_last_day() {
    let at = |days| {
        let ages = receivables(&[item(1, days, 100)]).totals;
        if ages.not_due.minor() == 100 {
            None
        } else {
            ages.overdue.iter().position(|amount| amount.minor() == 100)
        }
    };
    let days = [-5, 0, 1, 30, 31, 60, 61, 90, 91, 4_000];
    let wanted = [None, None, Some(0), Some(0), Some(1), Some(1), Some(2), Some(2), Some(3), Some(3)];
    assert_eq!(days.map(at), wanted);
}

#[test]
fn credits_are_less_than_zero() {
    let items = [item(2, 10, 1_000), item(2, 40, -300), item(1, -10, 500)];
    let aged = receivables(&items);
    let wanted =
        "contactId,contactName,notDue,overdue1to30,overdue31to60,overdue61to90,overdueFrom91,total\r\n";
    let (one, two) = (ContactId::from_uuid(Uuid::from_u128(1)), ContactId::from_uuid(Uuid::from_u128(2)));
    let rows = format!(
        "{one},Contact 1,5.00,0.00,0.00,0.00,0.00,5.00\r\n{two},Contact 2,0.00,10.00,-3.00,0.00,0.00,7.00\r\n"
    );
    assert_eq!(aged.csv(), format!("{wanted}{rows}"));
    assert_eq!(aged.totals.total, cents(1_200));
    let payables = AgedItems::of(AS_OF, Currency::EUR, AgedSide::Payables, &Buckets::default(), &items);
    assert_eq!(payables.expect("in range").totals.total, cents(-1_200));
}

#[test]
fn what_has_no_due_date_is_due_on_its_own() {
    let aged = receivables(&[OpenItem { due_date: None, date: date!(2025 - 05 - 15), ..item(1, 0, 100) }]);
    assert_eq!(minors(&aged.totals.overdue), [0, 100, 0, 0]);
}

#[test]
fn what_comes_later_is_not_open_yet() {
    let later = OpenItem { date: date!(2025 - 07 - 01), ..item(1, -30, 100) };
    assert!(receivables(&[later]).contacts.is_empty());
}

#[test]
fn what_has_no_contact_comes_first() {
    let nameless = OpenItem { contact: None, contact_name: String::new(), ..item(1, 5, 100) };
    let aged = receivables(&[item(1, 5, 100), nameless]);
    assert_eq!(aged.contacts[0].contact_id, None);
    let json = serde_json::to_value(&aged).expect("plain");
    assert_eq!(json["contacts"][0]["contactId"], serde_json::Value::Null);
    assert_eq!(json["contacts"][1]["overdue"], serde_json::json!(["1.00", "0.00", "0.00", "0.00"]));
    assert_eq!(json["buckets"][3], serde_json::json!({ "from": 91, "to": null }));
}

#[test]
fn buckets_are_1_to_12_ascending_numbers_of_days() {
    let spans = |text: &str| text.parse::<Buckets>().map(|buckets| buckets.spans().collect::<Vec<_>>());
    assert_eq!(spans("30,60,90"), Ok(Buckets::default().spans().collect()));
    assert_eq!(spans("15"), Ok(vec![(1, Some(15)), (16, None)]));
    assert!(spans("1,2,3,4,5,6,7,8,9,10,11,12").is_ok());
    for text in
        ["", "0", "30,30", "60,30", "30,", "a", "+30", " 30", "10000", "1,2,3,4,5,6,7,8,9,10,11,12,13"]
    {
        assert_eq!(spans(text), Err(BucketsError), "{text}");
    }
}

proptest! {
    #[test]
    fn every_item_is_in_one_place(
        moved in prop::collection::vec((1_u128..6, -200_i64..200, -1_000_000_i64..1_000_000), 0..40),
    ) {
        let items: Vec<OpenItem> = moved.iter().map(|(contact, days, minor)| item(*contact, *days, *minor)).collect();
        let all: i64 = moved.iter().map(|(_, _, minor)| minor).sum();
        let aged = receivables(&items);
        prop_assert_eq!(aged.totals.total.minor(), all);
        for ages in aged.contacts.iter().map(|contact| &contact.ages).chain([&aged.totals]) {
            let parts: i64 = ages.not_due.minor() + minors(&ages.overdue).iter().sum::<i64>();
            prop_assert_eq!(parts, ages.total.minor());
        }
        let of_contacts: i64 = aged.contacts.iter().map(|contact| contact.ages.total.minor()).sum();
        prop_assert_eq!(of_contacts, all);
    }
}
