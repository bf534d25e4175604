//! Names of files and folders.

use svc_core::content::safe_name;
use svc_core::error::Validator;

/// A name as a client writes it: one that every system can save a file by.
pub(super) fn file_name(validator: &mut Validator, text: &str) -> Option<String> {
    let text = text.trim();
    if !validator.require(!text.is_empty(), "name", "required", "must not be blank") {
        return None;
    }
    let safe = safe_name(text);
    let message = format!("is no name that every system can save a file by: `{safe}` would be");
    validator.require(safe == text, "name", "invalid_name", message).then_some(safe)
}
