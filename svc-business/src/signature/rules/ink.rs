//! A signature as a client sends it.

use svc_core::error::Validator;

use crate::party::line;
use crate::signature::ink::{Ink, InkKind, MOST_FAR, MOST_POINTS};
use crate::signature::input::InkInput;

/// Judges what a person made.
pub(in crate::signature) fn ink(validator: &mut Validator, input: &InkInput) -> Option<Ink> {
    match (input.kind, &input.text, &input.strokes) {
        (InkKind::Typed, Some(text), None) => line(validator, "signature.text", text, 200).map(Ink::Typed),
        (InkKind::Drawn, None, Some(strokes)) => drawn(validator, strokes),
        (InkKind::Typed, None, _) => missing(validator, "signature.text"),
        (InkKind::Drawn, _, None) => missing(validator, "signature.strokes"),
        (InkKind::Typed, Some(_), Some(_)) => surplus(validator, "signature.strokes"),
        (InkKind::Drawn, Some(_), Some(_)) => surplus(validator, "signature.text"),
    }
}

fn missing(validator: &mut Validator, field: &str) -> Option<Ink> {
    validator.fail(field, "required", "must be present for this kind of signature");
    None
}

fn surplus(validator: &mut Validator, field: &str) -> Option<Ink> {
    validator.fail(field, "not_allowed", "must be left out for this kind of signature");
    None
}

fn drawn(validator: &mut Validator, strokes: &[Vec<Vec<u32>>]) -> Option<Ink> {
    let field = "signature.strokes";
    let points: usize = strokes.iter().map(Vec::len).sum();
    let few = "must have a point at least, and none without points";
    let holds = validator.require(
        !strokes.is_empty() && strokes.iter().all(|one| !one.is_empty()),
        field,
        "required",
        few,
    ) && validator.require(
        points <= MOST_POINTS,
        field,
        "too_many",
        format!("must have at most {MOST_POINTS} points"),
    );
    if !holds {
        return None;
    }
    let point = |point: &Vec<u32>| match point.as_slice() {
        [x, y] if *x <= MOST_FAR && *y <= MOST_FAR => Some((*x, *y)),
        _ => None,
    };
    let read: Option<Vec<Vec<_>>> = strokes.iter().map(|stroke| stroke.iter().map(point).collect()).collect();
    let message = format!("each point has two whole numbers from 0 to {MOST_FAR}");
    validator.require(read.is_some(), field, "out_of_range", message);
    read.map(Ink::Drawn)
}
