//! Names of permissions and event types: their form, and comparing them in constants.

/// Characters of the longest name of an event type.
const LONGEST: usize = 100;

/// Byte equality that constants can use.
#[expect(clippy::indexing_slicing, reason = "const code has no iterators; both bounds are checked")]
pub(crate) const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Whether the text is one part of the name of a permission.
pub(crate) fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

/// Whether the text has the form `<area>:<resource>.<action>`, each part of lower-case letters, digits and `_`.
#[expect(clippy::indexing_slicing, reason = "const code has no iterators; the bound is checked")]
pub(crate) const fn is_permission(text: &str) -> bool {
    let text = text.as_bytes();
    // What is to end the part under way: `:`, then `.`, then nothing.
    let (mut ends, mut length, mut at) = (b':', 0, 0);
    while at < text.len() {
        match text[at] {
            b'a'..=b'z' | b'0'..=b'9' | b'_' => length += 1,
            end if end == ends && end != 0 && length > 0 => {
                ends = if end == b':' { b'.' } else { 0 };
                length = 0;
            }
            _ => return false,
        }
        at += 1;
    }
    ends == 0 && length > 0
}

/// Whether the text is one word or more of letters, digits, `_` and `-`, with dots between them, of at most
/// [`LONGEST`] characters.
#[expect(clippy::indexing_slicing, reason = "const code has no iterators; the bound is checked")]
pub(crate) const fn is_event_type(text: &str) -> bool {
    let text = text.as_bytes();
    let (mut length, mut at) = (0, 0);
    while at < text.len() {
        match text[at] {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' => length += 1,
            b'.' if length > 0 => length = 0,
            _ => return false,
        }
        at += 1;
    }
    length > 0 && text.len() <= LONGEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permission_has_three_parts() {
        for good in ["orders:orders.read", "a:b.c", "stock:shelf_2.void"] {
            assert!(is_permission(good), "{good}");
        }
        for bad in [
            "",
            "orders",
            "orders:orders",
            "orders.read",
            "a:b.",
            ":b.c",
            "a:.c",
            "a:b.c.d",
            "a:b:c.d",
            "A:b.c",
            "a:*.c",
            "a:b.c\0d",
        ] {
            assert!(!is_permission(bad), "{bad}");
        }
    }

    #[test]
    fn an_event_type_is_words_with_dots_between_them() {
        for good in ["ping", "order.placed", "com.example.Order-2.paid_late"] {
            assert!(is_event_type(good), "{good}");
        }
        for bad in
            ["", ".", "order.", ".placed", "order..placed", "order placed", "órder.placed", &"a".repeat(101)]
        {
            assert!(!is_event_type(bad), "{bad}");
        }
    }
}
