//! Series: their patterns, their rules, and I-07 without a store.

use std::collections::BTreeSet;

use proptest::prelude::*;
use svc_business::party::Extension;
use svc_business::sales::document::DocType;
use svc_business::sales::series::{
    LastIssued, Pattern, PatternError, STANDARD, Series, SeriesCode, find_default, judge, judge_change,
};
use svc_core::error::Validator;
use svc_core::resource::Version;
use svc_testkit::business::sample;
use time::macros::date;
use time::{Date, Duration};

pub(crate) fn series(number: u128, code: &str, doc_types: &[DocType]) -> Series {
    Series {
        id: sample::id(number),
        company: sample::id(1),
        code: code.parse().expect("a code"),
        doc_types: doc_types.iter().copied().collect(),
        pattern: Pattern::default(),
        reset_yearly: true,
        first_sequence: 1,
        last: None,
        active: true,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: sample::at(0),
        updated_at: sample::at(0),
    }
}

fn findings(validator: Validator) -> Vec<String> {
    let found = validator.finish().err().map(|invalid| invalid.0).unwrap_or_default();
    found.iter().map(|error| format!("{} {}", error.field, error.code)).collect()
}

#[test]
fn a_pattern_is_read_and_written_and_gives_numbers() {
    let code: SeriesCode = "F".parse().expect("a code");
    for (text, number) in [
        ("{series}{yyyy}-{seq:5}", "F2025-00042"),
        ("{yy}/{series}.{seq:1}", "25/F.42"),
        ("INV_{seq:3}", "INV_042"),
        ("{seq:10}", "0000000042"),
    ] {
        let pattern: Pattern = text.parse().expect("a pattern");
        assert_eq!(pattern.to_string(), text);
        assert_eq!(pattern.render(&code, 2025, 42).as_str(), number);
    }
    assert_eq!(Pattern::default().to_string(), "{series}{yyyy}-{seq:5}");
}

#[test]
fn what_is_no_pattern_says_why() {
    let long = format!("{}{{seq:1}}", "a".repeat(51));
    for (text, error) in [
        ("", PatternError::Sequence),
        ("{yyyy}", PatternError::Sequence),
        ("{seq:3}{seq:3}", PatternError::Sequence),
        ("{seq:0}", PatternError::Token),
        ("{seq:11}", PatternError::Token),
        ("{seq:+1}", PatternError::Token),
        ("{seq}", PatternError::Token),
        ("{mm}{seq:1}", PatternError::Token),
        ("{seq:1", PatternError::Token),
        ("seq1}", PatternError::Token),
        ("F {seq:1}", PatternError::Character),
        ("Ñ{seq:1}", PatternError::Character),
        (&long, PatternError::TooLong),
    ] {
        assert_eq!(text.parse::<Pattern>(), Err(error), "{text}");
    }
    for text in ["", "f", "F_1", "ABCDEFGHIJK"] {
        assert!(text.parse::<SeriesCode>().is_err(), "{text}");
    }
}

#[test]
fn rectifying_documents_have_series_of_their_own() {
    let judged = |doc_types: &[DocType]| {
        let mut validator = Validator::new();
        judge(&mut validator, &series(1, "F", doc_types));
        findings(validator)
    };
    for (_, doc_types) in STANDARD {
        assert_eq!(judged(doc_types), Vec::<String>::new());
    }
    assert_eq!(judged(&[DocType::Invoice, DocType::SimplifiedInvoice]), Vec::<String>::new());
    for mixed in [
        [DocType::Invoice, DocType::Rectifying],
        [DocType::SimplifiedInvoice, DocType::Rectifying],
        [DocType::Quote, DocType::Invoice],
    ] {
        assert_eq!(judged(&mixed), ["docTypes mixed_series"]);
    }
    assert_eq!(judged(&[]), ["docTypes required"]);
}

#[test]
fn numbers_that_begin_anew_tell_the_years_apart() {
    let mut wrong = series(1, "F", &[DocType::Invoice]);
    wrong.pattern = "{series}{seq:4}".parse().expect("a pattern");
    wrong.first_sequence = 0;
    let mut validator = Validator::new();
    judge(&mut validator, &wrong);
    assert_eq!(findings(validator), ["pattern year_missing", "firstSequence out_of_range"]);
    wrong.reset_yearly = false;
    wrong.first_sequence = 1;
    let mut validator = Validator::new();
    judge(&mut validator, &wrong);
    assert!(validator.passed());
}

#[test]
fn what_numbers_say_is_frozen_while_they_count() {
    let before = Series {
        last: Some(LastIssued { date: date!(2025 - 03 - 14), sequence: 7 }),
        ..series(1, "F", &[DocType::Invoice])
    };
    let after = Series {
        code: "G".parse().expect("a code"),
        pattern: "{yyyy}{seq:1}".parse().expect("a pattern"),
        reset_yearly: false,
        first_sequence: 9,
        doc_types: BTreeSet::from([DocType::Rectifying]),
        ..before.clone()
    };
    let judged = |after: &Series, today| {
        let mut validator = Validator::new();
        judge_change(&mut validator, &before, after, today);
        findings(validator)
    };
    let always = ["firstSequence series_in_use", "docTypes series_in_use"];
    let of_the_year = ["code series_in_use", "pattern series_in_use", "resetYearly series_in_use"];
    assert_eq!(judged(&after, date!(2025 - 12 - 31)), [&always[..], &of_the_year].concat());
    assert_eq!(judged(&after, date!(2026 - 01 - 01)), always);
    let more = BTreeSet::from([DocType::Invoice, DocType::SimplifiedInvoice]);
    let more = Series { doc_types: more, active: false, ..before.clone() };
    assert_eq!(judged(&more, date!(2025 - 12 - 31)), Vec::<String>::new());
}

#[test]
fn a_document_gets_the_oldest_active_series_of_its_type() {
    let mut all = vec![
        series(7, "F2", &[DocType::Invoice]),
        series(5, "F1", &[DocType::Invoice, DocType::SimplifiedInvoice]),
        series(3, "R", &[DocType::Rectifying]),
    ];
    let code = |all: &[Series], doc_type| find_default(all, doc_type).map(|found| found.code.to_string());
    assert_eq!(code(&all, DocType::Invoice).as_deref(), Some("F1"));
    assert_eq!(code(&all, DocType::Quote), None);
    all[1].active = false;
    assert_eq!(code(&all, DocType::Invoice).as_deref(), Some("F2"));
}

#[test]
fn a_series_that_is_off_or_for_others_or_later_numbers_nothing() {
    let series = Series {
        active: false,
        last: Some(LastIssued { date: date!(2025 - 03 - 14), sequence: 7 }),
        ..series(1, "F", &[DocType::Invoice])
    };
    let mut validator = Validator::new();
    series.judge_issue(&mut validator, DocType::Quote, date!(2025 - 03 - 13));
    let expected =
        ["seriesId series_inactive", "seriesId series_doc_type", "issueDate issue_date_not_monotonic"];
    assert_eq!(findings(validator), expected);
}

#[test]
fn a_series_that_runs_on_begins_anew_in_the_next_year() {
    let mut running = series(1, "F", &[DocType::Invoice]);
    running.first_sequence = 42;
    let mut numbers = Vec::new();
    for day in [date!(2025 - 12 - 30), date!(2025 - 12 - 31), date!(2026 - 01 - 01), date!(2026 - 01 - 01)] {
        let numbered = running.number(day).expect("not exhausted");
        numbers.push(numbered.number.to_string());
        running = numbered.series;
    }
    assert_eq!(numbers, ["F2025-00042", "F2025-00043", "F2026-00001", "F2026-00002"]);
    running.last = Some(LastIssued { date: date!(2026 - 01 - 01), sequence: u32::MAX });
    assert!(running.number(date!(2026 - 01 - 01)).is_err());
}

proptest! {
    /// I-07 of one unit of work after the other: sequences have no gap, dates do not go back, no number comes twice.
    #[test]
    fn sequences_are_contiguous_in_every_year(
        first in 1_u32..100,
        reset in any::<bool>(),
        days in prop::collection::vec(-20_i64..120, 1..60),
    ) {
        let mut series = series(1, "F", &[DocType::Invoice]);
        (series.first_sequence, series.reset_yearly) = (first, reset);
        let (mut given, mut day) = (Vec::<(Date, u32, String)>::new(), date!(2024 - 11 - 01));
        for step in days {
            let wanted = day + Duration::days(step);
            let mut validator = Validator::new();
            series.judge_issue(&mut validator, DocType::Invoice, wanted);
            let back = given.last().is_some_and(|(last, ..)| wanted < *last);
            prop_assert_eq!(validator.passed(), !back);
            if back {
                continue;
            }
            day = wanted;
            let numbered = series.number(day).expect("not exhausted");
            let expected = match given.last() {
                None => first,
                Some((last, sequence, _)) if !reset || last.year() == day.year() => sequence + 1,
                Some(_) => 1,
            };
            prop_assert_eq!(numbered.sequence, expected);
            given.push((day, numbered.sequence, numbered.number.to_string()));
            series = numbered.series;
        }
        let distinct: BTreeSet<_> = given.iter().map(|(.., number)| number).collect();
        prop_assert_eq!(distinct.len(), given.len());
    }
}
