//! Text that other people wrote, on its way to a model.

use serde_json::Value;
use svc_core::text::is_hidden;

/// Takes out of every text what cannot be seen: control characters but line feeds and tabs, marks of writing direction,
/// characters without width. A model would read what a person does not.
pub(crate) fn clean(value: &mut Value) {
    match value {
        Value::String(text) => {
            let unseen = |sign: char| is_hidden(sign) && !matches!(sign, '\n' | '\t');
            if text.contains(unseen) {
                *text = text.replace(unseen, "");
            }
        }
        Value::Array(items) => items.iter_mut().for_each(clean),
        Value::Object(members) => members.values_mut().for_each(clean),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_cannot_be_seen_is_taken_out_wherever_it_is() {
        let mut value = json!({ "notes": "a\u{202e}b\u{200b}c\u{1b}[2J\nd", "tags": ["x\u{e0041}"], "n": 1 });
        clean(&mut value);
        assert_eq!(value, json!({ "notes": "abc[2J\nd", "tags": ["x"], "n": 1 }));
    }
}
