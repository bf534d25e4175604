//! A signature as a form has it.

use svc_business::signature::{InkInput, InkKind};
use svc_http::visit::Form;

/// The name that was typed, or what was drawn: points such as `12.30`, with `-` between those of a stroke and `_` between
/// strokes. None of these signs is written as a code in a form, so that the longest signature fits into one.
pub(super) fn of(form: &Form) -> InkInput {
    if form.text("kind") == InkKind::Drawn.name() {
        InkInput { kind: InkKind::Drawn, text: None, strokes: strokes(form.text("strokes")) }
    } else {
        InkInput { kind: InkKind::Typed, text: Some(form.text("name").to_owned()), strokes: None }
    }
}

/// `None` of a text that has another form.
fn strokes(text: &str) -> Option<Vec<Vec<Vec<u32>>>> {
    text.split('_').map(|stroke| stroke.split('-').map(point).collect()).collect()
}

fn point(text: &str) -> Option<Vec<u32>> {
    let (x, y) = text.split_once('.')?;
    Some(vec![x.parse().ok()?, y.parse().ok()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(form: &str) -> InkInput {
        of(&Form::read(form.as_bytes()).expect("a form"))
    }

    #[test]
    fn strokes_are_read_as_the_script_writes_them() {
        let made = read("kind=drawn&name=Ana&strokes=1.2-30.40_5.6");
        assert_eq!(made.strokes, Some(vec![vec![vec![1, 2], vec![30, 40]], vec![vec![5, 6]]]));
        assert_eq!((made.kind, made.text), (InkKind::Drawn, None));
        for broken in ["", "1", "1.2-", "1.2_", "-1.2", "1.2.3", "1.x", "99999999999.1", "1.2--3.4"] {
            assert_eq!(read(&format!("kind=drawn&strokes={broken}")).strokes, None, "{broken}");
        }
    }

    #[test]
    fn without_a_script_a_name_is_typed() {
        for form in ["name=+Ana+Sol+", "kind=typed&name=Ana+Sol&strokes=1.2"] {
            let made = read(form);
            assert_eq!((made.kind, made.text.as_deref()), (InkKind::Typed, Some("Ana Sol")));
            assert_eq!(made.strokes, None);
        }
    }
}
