use super::*;

/// A purchase of 100.00 with 21.00 VAT, half of which can be deducted.
fn purchase(deductible: Option<&str>) -> Entry {
    let lines = vec![line("6290000", "110.50"), line("4720000", "10.50"), line("4100000", "-121.00")];
    let tag = TaxTag { deductible_quota: deductible.map(euros), ..tag(TagKind::VatInput, "100.00", "21.00") };
    Entry { kind: EntryKind::Purchase, tax_tags: vec![tag], ..draft(1, lines) }
}

#[test]
fn tags_that_count_what_the_lines_move_are_posted() {
    assert!(post(sale(1), None).is_ok());
    assert!(post(purchase(Some("10.50")), None).is_ok());
}

#[test]
fn vat_without_tags_and_tags_without_vat_are_refused() {
    let untagged = Entry { tax_tags: Vec::new(), ..sale(1) };
    assert_eq!(invalid(untagged), ["taxTags tax_tags_mismatch"]);
    let unmoved = Entry { tax_tags: vec![tag(TagKind::VatOutput, "1000.00", "210.00")], ..rent() };
    assert_eq!(invalid(unmoved), ["taxTags tax_tags_mismatch"]);
    // All of the tax would be deductible.
    assert_eq!(invalid(purchase(None)), ["taxTags tax_tags_mismatch"]);
}

#[test]
fn surcharge_is_charged_with_output_vat() {
    let mut entry = sale(1);
    entry.lines[0] = line("4300000", "1262.00");
    entry.lines.push(line("4770000", "-52.00"));
    entry.tax_tags.push(tag(TagKind::SurchargeOutput, "1000.00", "52.00"));
    assert!(post(entry, None).is_ok());
}

#[test]
fn reverse_charge_has_both_sides() {
    let lines = vec![
        line("6290000", "100.00"),
        line("4720000", "21.00"),
        line("4770000", "-21.00"),
        line("4100000", "-100.00"),
    ];
    let tags = vec![tag(TagKind::VatInput, "100.00", "21.00"), tag(TagKind::VatOutput, "100.00", "21.00")];
    assert!(post(Entry { tax_tags: tags, ..draft(1, lines) }, None).is_ok());
}

#[test]
fn a_settlement_moves_vat_that_was_tagged_before() {
    let lines = vec![line("4770000", "210.00"), line("4750000", "-210.00")];
    let settlement = Entry { kind: EntryKind::Tax, ..draft(1, lines) };
    assert!(post(settlement.clone(), None).is_ok());
    let tagged = Entry { tax_tags: vec![tag(TagKind::VatOutput, "0.00", "-210.00")], ..settlement };
    assert_eq!(invalid(tagged), ["taxTags not_allowed"]);
}

#[test]
fn what_can_be_deducted_is_a_part_of_the_quota() {
    assert_eq!(invalid(purchase(Some("21.01")))[0], "taxTags[0].deductibleQuota out_of_range");
    assert_eq!(invalid(purchase(Some("-0.01")))[0], "taxTags[0].deductibleQuota out_of_range");
    let mut wrong = sale(1);
    wrong.tax_tags[0].deductible_quota = Some(euros("210.00"));
    assert_eq!(invalid(wrong), ["taxTags[0].deductibleQuota not_allowed"]);
    // The quota of a rectification is below zero, and so is its part.
    let mut rectified = purchase(Some("10.50"));
    rectified.lines = rectified.lines.iter().map(|line| line.mirrored(id(1))).collect();
    rectified.tax_tags = rectified.tax_tags.iter().map(|tag| tag.negated(None)).collect();
    assert!(post(rectified, None).is_ok());
}
