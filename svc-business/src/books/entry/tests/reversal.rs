use proptest::prelude::*;

use super::*;
use crate::books::lock::PeriodLocked;

#[test]
fn a_reversal_turns_every_side_and_names_the_original() {
    let posted = post(sale(10), None).expect("posted");
    let last = Some(head(&posted));
    let Reversed { original, reversal } =
        reverse(posted.clone(), reversal(20, date!(2025 - 02 - 01)), last).expect("reversed");
    assert_eq!(original.status.name(), "reversed");
    assert_eq!(original.status.posting(), posted.status.posting());
    assert_eq!((reversal.kind, reversal.reverses), (EntryKind::Reversal, Some(original.id)));
    assert_eq!(reversal.status.posting().map(|posting| posting.number), Some(2));
    assert_eq!(reversal.description, original.description);
    // The source made one entry: the reversal is not a second one of it.
    assert_eq!(reversal.source, None);
    assert_eq!(reversal.tax_tags[0].quota, euros("-210.00"));
    assert_eq!(reversal.tax_tags[0].tax_date, date!(2025 - 01 - 31));
}

#[test]
fn an_entry_is_reversed_once() {
    let posted = post(rent(), None).expect("posted");
    let done = reverse(posted, reversal(20, date!(2025 - 02 - 01)), None).expect("reversed");
    let again = reverse(done.original, reversal(21, date!(2025 - 02 - 01)), None);
    assert_eq!(again, Err(ReverseRefused::Reversed { by: id(20) }));
    assert_eq!(reverse(rent(), reversal(22, date!(2025 - 02 - 01)), None), Err(ReverseRefused::Draft));
}

#[test]
fn a_reversal_counts_in_an_open_period() {
    let posted = post(rent(), None).expect("posted");
    let through = date!(2025 - 02 - 28);
    let locks = Locks::default().locked_to(Some(through));
    let books = Books { locks: &locks, year: &year(), head: Some(head(&posted)) };
    let on = |date| posted.clone().reverse(reversal(20, date), &books, at(1), None, || id(1));
    let refused = PostRefused::Locked(PeriodLocked { date: through, through });
    assert_eq!(on(through), Err(ReverseRefused::Post(refused)));
    // The original stays where it is, in a locked period.
    assert!(on(date!(2025 - 03 - 01)).is_ok());
}

#[test]
fn tags_of_a_submitted_period_are_undone_in_a_later_one() {
    let posted = post(sale(10), None).expect("posted");
    let locks = Locks::default().submitted(date!(2025 - 03 - 31));
    let books = Books { locks: &locks, year: &year(), head: Some(head(&posted)) };
    let (date, tax_date) = (date!(2025 - 04 - 10), Some(date!(2025 - 04 - 10)));
    let on_its_own = posted.clone().reverse(reversal(20, date), &books, at(1), None, || id(1));
    assert!(matches!(on_its_own, Err(ReverseRefused::Post(PostRefused::Submitted(_)))));
    let later = Reversal { tax_date, ..reversal(20, date) };
    let done = posted.reverse(later, &books, at(1), None, || id(1)).expect("reversed");
    assert_eq!(Some(done.reversal.tax_tags[0].tax_date), tax_date);
}

#[test]
fn a_reversal_can_be_reversed() {
    let posted = post(rent(), None).expect("posted");
    let undone = reverse(posted, reversal(20, date!(2025 - 02 - 01)), None).expect("reversed");
    let redone = reverse(undone.reversal, reversal(21, date!(2025 - 02 - 02)), None).expect("reversed");
    let movements = |entry: &Entry| entry.lines.iter().map(|line| line.movement).collect::<Vec<_>>();
    assert_eq!(movements(&redone.reversal), movements(&rent()));
}

/// Entries of 2 to 8 lines whose sides are the same.
fn balanced() -> impl Strategy<Value = Entry> {
    let account =
        prop::sample::select(vec!["6210000", "6290000", "4300000", "4000000", "5720000", "7000000"]);
    prop::collection::vec((account, 1_i64..1_000_000_000, any::<bool>()), 1..8).prop_filter_map(
        "sides that cancel out leave nothing to balance",
        |moved| {
            let signed =
                |(account, minor, debit)| line_of(account, cents(if debit { minor } else { -minor }));
            let mut lines: Vec<Line> = moved.into_iter().map(signed).collect();
            let rest: i64 = lines.iter().map(|line| line.movement.signed().minor()).sum();
            lines.push(Line { movement: Movement::of_balance(cents(-rest))?, ..line("5720000", "1.00") });
            Some(draft(10, lines))
        },
    )
}

proptest! {
    #[test]
    fn what_is_posted_has_the_same_on_both_sides(entry in balanced()) {
        let posted = post(entry.clone(), None).expect("balanced");
        let totals = posted.totals().expect("in range");
        prop_assert!(totals.is_balanced() && posted.lines.len() >= 2);
        let sides = |line: &Line| [line.movement.debited(), line.movement.credited()];
        let one_side = |line: &Line| sides(line).iter().filter(|amount| amount.minor() > 0).count() == 1;
        prop_assert!(posted.lines.iter().all(one_side));
        // Posting changes nothing but the status, and keeps with whom each line was.
        let mut before = Entry { status: EntryStatus::Draft, ..posted.clone() };
        for line in &mut before.lines {
            prop_assert_eq!(line.posted_contact.take(), line.contact);
        }
        prop_assert_eq!(before, entry);
        prop_assert_eq!(post(posted, None), Err(PostRefused::Posted));
    }

    #[test]
    fn one_cent_more_is_refused(entry in balanced(), at in any::<prop::sample::Index>(), debit in any::<bool>()) {
        let mut entry = entry;
        let at = at.index(entry.lines.len());
        let signed = entry.lines[at].movement.signed();
        let moved = signed.plus(cents(if debit { 1 } else { -1 })).expect("in range");
        if let Some(movement) = Movement::of_balance(moved) {
            entry.lines[at].movement = movement;
            prop_assert_eq!(invalid(entry), ["lines entry_unbalanced"]);
        }
    }

    #[test]
    fn an_entry_and_its_reversal_leave_each_account_as_it_was(entry in balanced()) {
        let posted = post(entry, None).expect("balanced");
        let last = Some(head(&posted));
        let done = reverse(posted, reversal(20, date!(2025-02-01)), last).expect("reversed");
        let mut balances: BTreeMap<(AccountCode, Option<ContactId>), i64> = BTreeMap::new();
        for line in done.original.lines.iter().chain(&done.reversal.lines) {
            *balances.entry((line.account, line.contact)).or_default() += line.movement.signed().minor();
        }
        prop_assert!(balances.values().all(|balance| *balance == 0));
        prop_assert!(done.reversal.totals().expect("in range").is_balanced());
    }
}
