use proptest::prelude::*;

use super::*;

fn chain(length: u128) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for number in 1..=length {
        let entry = if number % 2 == 0 { sale(number) } else { Entry { id: id(number), ..rent() } };
        entries.push(post(entry, entries.last().map(head)).expect("posted"));
    }
    entries
}

fn verify(entries: &[Entry]) -> Result<Option<Head>, Broken> {
    verify_chain(year().id, None, entries)
}

#[test]
fn an_untouched_chain_verifies_in_pieces_and_as_a_whole() {
    let entries = chain(9);
    assert_eq!(verify(&entries), Ok(Some(head(&entries[8]))));
    let (first, second) = entries.split_at(4);
    let half = verify(first).expect("untouched");
    assert_eq!(verify_chain(year().id, half, second), Ok(Some(head(&entries[8]))));
    assert_eq!(verify(&[]), Ok(None));
}

#[test]
fn what_may_change_after_posting_breaks_nothing() {
    let mut entries = chain(3);
    entries[1].description = "Another text".to_owned();
    // A contact that was merged into another one since.
    entries[1].lines[0].contact = Some(id(71));
    entries[1].reference = Some("F-2025-7".to_owned());
    let last = Some(head(&entries[2]));
    let undone = reverse(entries[0].clone(), reversal(30, date!(2025 - 02 - 01)), last).expect("reversed");
    entries[0] = undone.original;
    entries.push(undone.reversal);
    assert_eq!(verify(&entries), Ok(Some(head(&entries[3]))));
}

#[test]
fn a_later_due_date_breaks_nothing_and_a_forged_one_does() {
    let mut sold = sale(1);
    sold.lines[0].due_date = Some(date!(2025 - 02 - 28));
    let posted = post(sold, None).expect("posted");
    let later = posted.clone().due_on(date!(2025 - 03 - 31)).due_on(date!(2025 - 04 - 30));
    assert_eq!(later.lines[0].due_date, Some(date!(2025 - 04 - 30)));
    assert_eq!(later.lines[1], posted.lines[1]);
    assert_eq!(verify(std::slice::from_ref(&later)), Ok(Some(head(&posted))));
    let mut forged = later;
    forged.lines[0].posted_due_date = None;
    assert_eq!(verify(&[forged]), Err(Broken::Hash { entry: id(1) }));
}

#[test]
fn an_entry_that_is_not_of_the_year_is_named() {
    let entries = chain(1);
    let foreign = Broken::Foreign { entry: id(1) };
    assert_eq!(verify_chain(id(2026), None, &entries), Err(foreign));
    assert_eq!(verify(&[Entry { id: id(1), ..rent() }]), Err(foreign));
}

#[test]
fn a_chain_that_was_written_anew_from_its_middle_breaks_there() {
    let mut entries = chain(3);
    // Consistent in itself, but on top of another first entry.
    let other = post(Entry { id: id(1), date: date!(2025 - 01 - 30), ..rent() }, None).expect("posted");
    entries[1] = post(sale(2), Some(head(&other))).expect("posted");
    assert_eq!(verify(&entries), Err(Broken::Previous { entry: id(2) }));
}

#[test]
fn the_text_of_an_entry_says_all_of_its_effect() {
    let mut entry = sale(11);
    entry.lines[0].due_date = Some(date!(2025 - 03 - 02));
    entry.lines[1].description = Some("Works\nline: \"x\"".to_owned());
    entry.lines[1].dimensions = BTreeMap::from([("project".to_owned(), "roof".to_owned())]);
    let mut told = tag(TagKind::VatOutput, "0.00", "0.00");
    told.particulars.rectifies = Some(date!(2024 - 12 - 31));
    entry.tax_tags.push(told);
    let posted = post(entry, None).expect("posted");
    let text = canonical_text(&posted, posted.status.posting().expect("posted"));
    let contact: ContactId = id(70);
    let wanted = format!(
        "journal-entry: 1\ncompany: {}\nyear: {}\nnumber: 1\nprevious: -\nid: {}\nkind: sales\n\
         date: 2025-01-31\ncurrency: EUR EUR 1\nsource: invoice/inv_1/issue\nreverses: -\n\
         posted: 1738314900000000 -\n\
         line: {line} 4300000 1210.00 - {contact} 2025-03-02 -\n\
         line: {line} 7050000 -1000.00 - - - \"Works\\nline: \\\"x\\\"\"\n\
         dimension: \"project\" \"roof\"\n\
         line: {line} 4770000 -210.00 - - - -\n\
         tag: vat_output es_vat_21 1000.00 210.00 - 2025-01-31 {contact}\n\
         tag: vat_output es_vat_21 0.00 0.00 - 2025-01-31 {contact}\n\
         particulars: - - 2024-12-31\n",
        posted.company,
        year().id,
        posted.id,
        line = id::<JournalLineId>(900),
    );
    assert_eq!(text, wanted);
}

proptest! {
    #[test]
    fn any_change_of_an_effect_is_found_at_that_entry(length in 1_u128..8, at in any::<prop::sample::Index>(), what in 0..14) {
        let mut entries = chain(length);
        let at = at.index(entries.len());
        let entry = &mut entries[at];
        match what {
            0 => entry.date = date!(2025-01-30),
            1 => entry.kind = EntryKind::Bank,
            2 => entry.company = id(2),
            3 => entry.lines[0].account = code("6220000"),
            4 => entry.lines[0].movement = entry.lines[0].movement.mirrored(),
            5 => entry.lines[0].posted_contact = Some(id(71)),
            6 => entry.lines[0].description = Some("-".to_owned()),
            7 => entry.lines[0].due_date = Some(date!(2025-02-01)),
            8 => { entry.lines[1].dimensions.insert("project".to_owned(), String::new()); }
            9 => entry.tax_tags.push(tag(TagKind::WithholdingBorne, "0.00", "0.00")),
            10 => entry.fx_rate = "1.1".parse().expect("a rate"),
            11 => entry.reverses = Some(id(3)),
            12 => entry.lines.swap(0, 1),
            _ => entry.lines[0].amount_currency = Some(euros("0.00")),
        }
        let broken = Broken::Hash { entry: entry.id };
        prop_assert_eq!(verify(&entries), Err(broken));
    }

    #[test]
    fn an_entry_that_was_taken_out_or_moved_is_missed(length in 2_u128..8, at in any::<prop::sample::Index>()) {
        let entries = chain(length);
        let at = at.index(entries.len() - 1);
        let (expected, next) = (at as u64 + 1, entries[at + 1].id);
        let missing = Broken::Number { entry: next, expected, found: expected + 1 };
        let mut without = entries.clone();
        without.remove(at);
        prop_assert_eq!(verify(&without), Err(missing));
        let mut swapped = entries;
        swapped.swap(at, at + 1);
        prop_assert_eq!(verify(&swapped), Err(missing));
        prop_assert_eq!(missing.entry(), next);
    }
}
