//! A series from a client's input.

use svc_core::error::Validator;
use svc_core::id::AccountId;
use svc_core::patch::Patch;
use time::Date;

use crate::party::{ExtensionInput, extension};
use crate::sales::document::Ids;
use crate::sales::input::SeriesInput;
use crate::sales::series::{Pattern, Series, SeriesCode, judge, judge_change};

/// The largest first sequence.
const MOST: u32 = 999_999_999;

/// The series after the input: `base` is the present one, or nothing for a new one, whose company then is `company`.
/// Findings go to `validator`; `None` when a new one has no valid code.
pub fn apply_series(
    validator: &mut Validator,
    base: Option<&Series>,
    input: &SeriesInput,
    company: AccountId,
    today: Date,
    ids: &Ids<'_>,
) -> Option<Series> {
    let code = match &input.code {
        Patch::Value(text) => validator.take("code", "invalid_code", text.parse::<SeriesCode>()),
        Patch::Absent if base.is_some() => base.map(|base| base.code.clone()),
        Patch::Absent | Patch::Null => {
            validator.fail("code", "required", "must be present");
            None
        }
    };
    let mut after = match base {
        Some(base) => Series { code: code?, ..base.clone() },
        None => Series::blank(code?, company, ids),
    };
    match &input.doc_types {
        Patch::Absent => {}
        Patch::Null => after.doc_types.clear(),
        Patch::Value(doc_types) => after.doc_types.clone_from(doc_types),
    }
    match &input.pattern {
        Patch::Absent => {}
        Patch::Null => after.pattern = Pattern::default(),
        Patch::Value(text) => {
            if let Some(pattern) = validator.take("pattern", "invalid_pattern", text.parse()) {
                after.pattern = pattern;
            }
        }
    }
    after.reset_yearly = input.reset_yearly.over(Some(after.reset_yearly)).unwrap_or(true);
    after.active = input.active.over(Some(after.active)).unwrap_or(true);
    match input.first_sequence.map(|first| u32::try_from(first).ok().filter(|first| *first <= MOST)) {
        Patch::Absent => {}
        Patch::Null => after.first_sequence = 1,
        Patch::Value(Some(first)) => after.first_sequence = first,
        Patch::Value(None) => {
            let message = format!("must be from 1 to {MOST}");
            validator.fail("firstSequence", "out_of_range", message);
        }
    }
    let own = ExtensionInput { external_id: input.external_id.clone(), metadata: input.metadata.clone() };
    extension(validator, own, &mut after.extension);
    judge(validator, &after);
    if let Some(base) = base {
        judge_change(validator, base, &after, today);
    }
    Some(after)
}
