//! What a series must be.

use std::collections::BTreeSet;

use svc_core::error::Validator;
use time::Date;

use super::Series;
use crate::sales::document::DocType;

/// Documents that may share a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    /// Invoices and simplified ones.
    Ordinary,
    /// Rectifying documents, which have series of their own (RD 1619/2012 art. 6.1.a and 15).
    Rectifying,
    /// What is no invoice. Among invoices it would leave gaps in their numbers.
    NotFiscal,
}

impl Group {
    const fn of(doc_type: DocType) -> Self {
        match doc_type {
            DocType::Invoice | DocType::SimplifiedInvoice => Self::Ordinary,
            DocType::Rectifying => Self::Rectifying,
            DocType::Proforma | DocType::Quote => Self::NotFiscal,
        }
    }

    fn all(series: &Series) -> BTreeSet<Self> {
        series.doc_types.iter().copied().map(Self::of).collect()
    }
}

/// Judges what a series must be.
///
/// Findings are `required` and `mixed_series` on `docTypes`, `year_missing` on `pattern`, and `out_of_range` on
/// `firstSequence`.
pub fn judge(validator: &mut Validator, series: &Series) {
    let some = !series.doc_types.is_empty();
    validator.require(some, "docTypes", "required", "must name one type at least");
    let message = "rectifying documents, and documents that are no invoices, have series of their own";
    validator.require(Group::all(series).len() <= 1, "docTypes", "mixed_series", message);
    let told = !series.reset_yearly || series.pattern.names_year();
    let message = "numbers that begin anew each year need {yyyy} or {yy} to tell the years apart";
    validator.require(told, "pattern", "year_missing", message);
    let holds = series.first_sequence > 0;
    validator.require(holds, "firstSequence", "out_of_range", "must be 1 or more");
}

/// Judges a change of a series, today by the company's calendar: what its numbers say must not change while it counts.
///
/// Findings are `series_in_use` on `code`, `pattern` and `resetYearly` (once a number of the year exists), and on
/// `firstSequence` and `docTypes` (once any number exists; types of the same kind may come and go).
pub fn judge_change(validator: &mut Validator, before: &Series, after: &Series, today: Date) {
    let Some(last) = before.last else { return };
    let used = "the series has given numbers already";
    let first = before.first_sequence == after.first_sequence;
    validator.require(first, "firstSequence", "series_in_use", used);
    let same = after.doc_types.is_empty() || Group::all(before) == Group::all(after);
    validator.require(same, "docTypes", "series_in_use", used);
    if last.date.year() < today.year() {
        return;
    }
    let used = "the series has given numbers of this year already";
    validator.require(before.code == after.code, "code", "series_in_use", used);
    validator.require(before.pattern == after.pattern, "pattern", "series_in_use", used);
    let same = before.reset_yearly == after.reset_yearly;
    validator.require(same, "resetYearly", "series_in_use", used);
}
