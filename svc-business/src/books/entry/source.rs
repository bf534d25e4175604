//! What made an entry.

use std::fmt;

use thiserror::Error;

/// What made an entry: no two entries of a company have the same source, so that nothing is posted twice.
///
/// `type` is the kind of record (`invoice`), `id` the record and `role` which of its entries this is (`issue`). Each
/// is 1 to 64 ASCII letters, digits, `_`, `-` or `.`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Source {
    kind: String,
    id: String,
    role: String,
}

/// A part of a source has another form.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected 1 to 64 ASCII letters, digits, _, - or .")]
pub struct SourceError {
    /// The wire name of the part: `type`, `id` or `role`.
    pub part: &'static str,
}

impl Source {
    /// What made an entry.
    ///
    /// # Errors
    /// [`SourceError`] names the first part that has another form.
    pub fn new(kind: &str, id: &str, role: &str) -> Result<Self, SourceError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        for (part, text) in [("type", kind), ("id", id), ("role", role)] {
            if !(1..=64).contains(&text.len()) || !text.bytes().all(plain) {
                return Err(SourceError { part });
            }
        }
        Ok(Self { kind: kind.to_owned(), id: id.to_owned(), role: role.to_owned() })
    }

    /// The kind of record: `invoice`.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The id of the record.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Which of the record's entries this is: `issue`.
    #[must_use]
    pub fn role(&self) -> &str {
        &self.role
    }
}

/// `type/id/role`
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.kind, self.id, self.role)
    }
}
