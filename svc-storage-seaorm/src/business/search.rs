//! What texts are searched by.

use svc_business::party::search_key;

/// The search keys of several texts in one column; a search text holds no line break, so it never
/// matches across two of them.
pub(crate) fn search_keys<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    texts.into_iter().map(search_key).collect::<Vec<_>>().join("\n")
}
